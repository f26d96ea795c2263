/**
 * What the proxy is told to do. {@code ProxyConfig} is the whole of it; {@code ConfigFile} reads it from a KubeProxyConfiguration,
 * of which {@code ConfigKeys} knows all settings, and the command's flags are laid over that. Immutable values.
 */
@NullMarked
package dev.cairn.proxy.config;

import org.jspecify.annotations.NullMarked;
