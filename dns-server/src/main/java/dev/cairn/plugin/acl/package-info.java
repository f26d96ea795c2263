/**
 * The {@code acl} plugin: decides by the client's address and the type asked for who may ask what. {@code AclSetup} reads the rules, each
 * a list of {@code Policy} for some zones with its counters; {@code AclPlugin} applies the first that matches. Networks are kept as
 * sorted ranges of address bytes ({@code AddressRanges}), so that long lists cost little. Immutable, used by all threads.
 */
@NullMarked
package dev.cairn.plugin.acl;

import org.jspecify.annotations.NullMarked;
