/**
 * Names to what stands behind them. {@code NameMap} is an immutable hash table keyed by wire names that is read straight from a query's
 * bytes. {@code ClusterStore} keeps the facts of a cluster and changes the zones made of them ({@code ClusterZone}) and their PTR records
 * ({@code PointerIndex}) in place, service by service and address by address; {@code StaticZone} is a zone of records given as such. Built by
 * one thread, read by all without locks or garbage.
 */
@NullMarked
package dev.cairn.zone;

import org.jspecify.annotations.NullMarked;
