/**
 * {@code transfer}: hands zones of other plugins to other servers (RFC 5936) and tells them of changes (RFC 1996). {@code TransferPlugin}
 * decides who gets what, on the thread that has the query; {@code TransferStream} makes the messages one by one as the client takes them,
 * on its connection's event loop; {@code Notifier} sends NOTIFY on threads of its own. Zones come from plugins that are a {@code
 * dev.cairn.plugin.ZoneSource}.
 */
@NullMarked
package dev.cairn.plugin.transfer;

import org.jspecify.annotations.NullMarked;
