package dev.cairn.chain;

/**
 * The load balancer that passed a query on and named the client. Addresses have 4 or 16 bytes.
 *
 * @param sender where the bytes came from, and where those of the reply must go
 * @param local where it sent them
 * @param tlvs what its header told beside addresses; empty if nobody wants to know
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Relay(byte[] sender, int senderPort, byte[] local, byte[] tlvs) {}
