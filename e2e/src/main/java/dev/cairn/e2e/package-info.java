/**
 * A real cluster's control plane on loopback, for end-to-end tests and benchmarks. {@code Peers} finds the programs that {@code tools/peers}
 * compiled, {@code RealCluster} runs etcd and kube-apiserver, {@code KubeApi} writes objects. For use by one thread, but for {@code KubeApi}.
 */
@NullMarked
package dev.cairn.e2e;

import org.jspecify.annotations.NullMarked;
