/**
 * The {@code cairn-proxy} command, which does on a node what kube-proxy does. {@code CairnProxy} assembles source, model, loop and backend;
 * {@code PlanCommand} and {@code TraceCommand} show what they would do. {@code ProxyFlags} has the flags that all share.
 */
@NullMarked
package dev.cairn.proxy;

import org.jspecify.annotations.NullMarked;
