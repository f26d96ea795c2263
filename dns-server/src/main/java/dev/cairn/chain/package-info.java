/**
 * The way of a query through the server. {@code Dispatcher} reads the packet and applies the protocol's rules, {@code Router} picks the zone,
 * {@code Chain} runs its plugins: down with {@code Plugin.query}, and after an answer up again with {@code AnswerHook.answer}; once the bytes
 * are made, {@code FinishHook.finished} tells those who count and log. An {@code Exchange} carries one query and belongs to one thread at a
 * time; chains and routers are immutable. Nothing here allocates, logs or blocks while all goes well.
 */
@NullMarked
package dev.cairn.chain;

import org.jspecify.annotations.NullMarked;
