/**
 * What is known of a cluster, reduced to what name server and proxy need. A {@code Fact} is an immutable, compact record of one object;
 * a source tells a {@code ClusterListener} of facts that came, changed or went. Addresses are bytes, and strings that many facts share are
 * one object ({@code Interner}); the endpoints of a slice, of which there are most, are packed into bytes ({@code EndpointList}). Values are shared freely between threads; a listener is called by one thread at a time.
 */
@NullMarked
package dev.cairn.facts;

import org.jspecify.annotations.NullMarked;
