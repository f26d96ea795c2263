/**
 * Cluster facts from a Kubernetes API server. {@code ApiSource} runs one {@code Reflector} per kind of object, each with its own thread:
 * it lists in pages, watches from there on, and goes on for ever through whatever the server and the network do. fabric8 knows how to
 * find and to convince a server ({@code Credentials}); its HTTP clients are not used, because an event would pass through three threads
 * ({@code Connection} is read by the reflector's own), nor its informers and model objects, because they keep whole objects and bodies in memory. Here a body is read as it arrives by jackson-core and becomes a fact field by field
 * ({@code ObjectDecoder}); of all objects together, only their keys and versions are kept ({@code Known}), which is what a new list is
 * compared with. All reflectors talk to the listener through one {@code Gate}, one at a time.
 */
@NullMarked
package dev.cairn.cluster.api;

import org.jspecify.annotations.NullMarked;
