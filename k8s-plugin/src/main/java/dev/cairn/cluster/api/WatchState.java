package dev.cairn.cluster.api;

/**
 * How well a kind of object is known.
 *
 * @param synced whether all objects that there were at the start have been told
 * @param watching whether a watch is open now
 * @param secondsSinceLastWord time since the server last sent anything of this kind (or since the start): how stale it may be
 * @param events changes that watches brought
 * @param relists lists after the first
 * @param complaints how often an object of this kind, or a part of one, was wrong and so left out
 * @param trouble why the last request failed, in a sentence; empty if it went well
 */
public record WatchState(
        boolean synced, boolean watching, double secondsSinceLastWord, long events, long relists, long complaints, String trouble) {}
