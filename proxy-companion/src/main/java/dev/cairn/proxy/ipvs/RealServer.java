package dev.cairn.proxy.ipvs;

/**
 * What the kernel says of a real server.
 *
 * @param connections those that are open, and those that are about to end
 */
record RealServer(int weight, int connections) {}
