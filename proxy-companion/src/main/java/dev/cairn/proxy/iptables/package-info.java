/**
 * The iptables backend, with kube-proxy's chains and names, so that each can take over from the other while traffic goes on. {@code Layout}
 * has what is the same for all services, {@code ServiceRules} the chains of one and its rules in shared chains; both write rules the way
 * {@code iptables-save} prints them, so that {@code Listing} tells by the text what is there already. {@code FamilyRules} brings one family
 * from what is to what shall be by one restore, {@code IptablesBackend} both. Used by one thread.
 */
@NullMarked
package dev.cairn.proxy.iptables;

import org.jspecify.annotations.NullMarked;
