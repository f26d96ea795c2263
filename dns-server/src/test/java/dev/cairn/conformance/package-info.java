/**
 * What a cluster DNS server answers, as data ({@code conformance/dns.yaml}), asked over real sockets. {@code Facts} reads the data,
 * {@code SuiteServer} runs the server of one suite from manifest files, {@code DnsClient} asks, {@code Expectation} compares.
 * Where answers depend on addresses, server and client run in a
 * network of their own ({@code Namespaces}). Facts about single parts of a server are {@code UnitFact}s, tried beside those parts.
 * {@code GlibcTest} asks as a pod does: with the C library and its search path; {@code ResolversTest} with all resolvers that pods have.
 * Tests run one after the other.
 */
@NullMarked
package dev.cairn.conformance;

import org.jspecify.annotations.NullMarked;
