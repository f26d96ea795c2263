/**
 * DNS on the wire. {@code WireName} compares and hashes names as lower-cased wire bytes, {@code QueryView} reads a query in place, {@code
 * RrSet} holds the records of one owner and type as bytes ready to send, and {@code Answer} collects them until {@code AnswerEncoder}
 * writes the reply; {@code ReplyReader} reads what another server replied into the same form. Nothing here throws for a bad packet or knows
 * where bytes come from, and nothing but the reader allocates per query. Mutable types belong to the thread that handles the query; values
 * are immutable and shared freely.
 */
@NullMarked
package dev.cairn.wire;

import org.jspecify.annotations.NullMarked;
