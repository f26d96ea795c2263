/**
 * The ipvs backend. A frontend is a virtual server of the kernel, and an endpoint a real server of it; the addresses of services are given
 * to the link {@code kube-ipvs0}, since the kernel balances only what is sent to the node itself. {@code ServiceServers} says which of them
 * a plan has, {@code Balancer} is the kernel, and {@code IpvsBackend} makes one like the other by the changes that it takes. What IPVS cannot
 * do - to masquerade, to filter by source, to refuse other ports - rules do that are the same for any number of services, with sets
 * ({@code HelperSet}) in nftables or, on a kernel without, in iptables and ipset. Used by one thread.
 */
@NullMarked
package dev.cairn.proxy.ipvs;

import org.jspecify.annotations.NullMarked;
