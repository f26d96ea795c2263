package dev.cairn.proxy.nft;

import dev.cairn.cluster.control.IpFamily;
import java.util.Map;

/**
 * Elements that a set gets or loses.
 *
 * @param elements their keys and values; the values are empty in a set that is no map, and of no account where elements go
 */
record ElementChange(IpFamily family, NftSet set, boolean adds, Map<Packed, Packed> elements) {}
