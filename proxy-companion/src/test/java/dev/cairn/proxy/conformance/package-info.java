/**
 * The facts of {@code conformance/proxy.yaml}, which restate what the tests of kube-proxy assert. Each case is one test with its id in its
 * name; {@code Waiting} lists those that wait for a backend.
 */
package dev.cairn.proxy.conformance;
