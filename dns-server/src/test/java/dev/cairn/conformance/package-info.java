/**
 * What a cluster DNS server answers, as data ({@code conformance/dns.yaml}), asked over real sockets. {@code Facts} reads the data,
 * {@code SuiteServer} runs the server of one suite from manifest files, {@code DnsClient} asks, {@code Expectation} compares, and
 * {@code Waiting} is the one place that says what is not tried yet and why. Where answers depend on addresses, server and client run in a
 * network of their own ({@code Namespaces}). {@code GlibcTest} asks as a pod does: with the C library and its search path. Tests run one
 * after the other.
 */
@NullMarked
package dev.cairn.conformance;

import org.jspecify.annotations.NullMarked;
