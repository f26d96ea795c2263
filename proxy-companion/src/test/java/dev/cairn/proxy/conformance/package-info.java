/**
 * The facts of {@code conformance/proxy.yaml}, which restate what the tests of kube-proxy assert. Each case is one test with its id in its
 * name.
 */
package dev.cairn.proxy.conformance;
