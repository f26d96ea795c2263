package dev.cairn.plugin.local;

import dev.cairn.wire.DnsType;
import dev.cairn.wire.Rdata;
import dev.cairn.wire.RrSet;
import dev.cairn.wire.WireName;

/** The records of the local zones (RFC 6761 section 6.3, RFC 6303 section 4). In answers the question's name is their owner. */
final class LocalRecords {
    static final WireName LOCALHOST = WireName.parse("localhost.");

    private static final int WEEK = 604_800;
    private static final byte[] LOOPBACK_V4 = {127, 0, 0, 1};
    private static final byte[] LOOPBACK_V6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    static final RrSet A = Rdata.single(LOCALHOST, DnsType.A, WEEK, Rdata.address(LOOPBACK_V4));
    static final RrSet AAAA = Rdata.single(LOCALHOST, DnsType.AAAA, WEEK, Rdata.address(LOOPBACK_V6));
    static final RrSet NS = Rdata.single(LOCALHOST, DnsType.NS, WEEK, Rdata.name(LOCALHOST));
    static final RrSet PTR = Rdata.single(LOCALHOST, DnsType.PTR, WEEK, Rdata.name(LOCALHOST));

    private LocalRecords() {}

    static RrSet soa(WireName zone) {
        return Rdata.single(zone, DnsType.SOA, WEEK, Rdata.soa(LOCALHOST, WireName.parse("root.localhost."), 1, 0, 0, 0, WEEK));
    }
}
