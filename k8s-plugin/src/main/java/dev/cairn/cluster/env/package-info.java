/**
 * Services as environment variables, the way in which a container finds them without DNS. {@code ServiceEnvironment} tells what a pod that
 * starts now would be given by the kubelet. Values only, free for any thread.
 */
@NullMarked
package dev.cairn.cluster.env;

import org.jspecify.annotations.NullMarked;
