/**
 * The settings of the kernel that go with a proxy. {@code KernelSettings} sets values below /proc/sys; {@code ConntrackSettings} says which
 * the connection tracker shall have, by kube-proxy's configuration.
 */
@NullMarked
package dev.cairn.proxy.kernel;

import org.jspecify.annotations.NullMarked;
