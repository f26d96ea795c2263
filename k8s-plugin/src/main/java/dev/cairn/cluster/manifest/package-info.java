/**
 * A cluster read from manifests, with no API server. {@code ManifestFiles} finds and reads the files, {@code ManifestReader} makes
 * {@code ClusterObject}s of their documents, and {@code ControlPlane}, a pure function, does with these what a control plane does: it
 * gives services their addresses and node ports, makes endpoints of the pods they select, and refuses what the API server would refuse.
 * {@code ManifestSource} runs this on a thread of its own, again whenever {@code PathWatch} sees a change, and tells its listener what is
 * different. What is wrong becomes a {@code Problem} with file and line, is told once, and holds up nothing else.
 */
@NullMarked
package dev.cairn.cluster.manifest;

import org.jspecify.annotations.NullMarked;
