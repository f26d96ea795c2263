/**
 * What API server and controllers do for a cluster that has none. {@code ControlPlane}, a pure function, takes {@code ClusterObject}s as a
 * user writes them and makes facts of them: it gives services their addresses and node ports, makes endpoints of the pods they select, and
 * refuses what the API server would refuse. What is wrong becomes a {@code Problem} with file and line and holds up nothing else. All
 * values are immutable; nothing here runs a thread or touches a file.
 */
@NullMarked
package dev.cairn.cluster.control;

import org.jspecify.annotations.NullMarked;
