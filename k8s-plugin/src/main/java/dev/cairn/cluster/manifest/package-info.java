/**
 * A cluster read from manifests, with no API server. {@code ManifestFiles} finds and reads the files, {@code ManifestReader} makes objects
 * of their documents, and the control plane of {@code dev.cairn.cluster.control} makes facts of these. {@code ManifestSource} runs this
 * on a thread of its own, again whenever {@code PathWatch} sees a change, and tells its listener what is different. A bad document or
 * object is told once, with file and line, and the rest goes on.
 */
@NullMarked
package dev.cairn.cluster.manifest;

import org.jspecify.annotations.NullMarked;
