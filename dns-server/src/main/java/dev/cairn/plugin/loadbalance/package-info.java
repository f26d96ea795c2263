/**
 * The {@code loadbalance} plugin: changes which record of a set comes first from reply to reply. {@code LoadbalanceSetup} reads the
 * directive; {@code LoadbalancePlugin} asks a {@code FirstRecord} where each set shall start, which for {@code round_robin} is a random
 * place and for {@code weighted} is drawn by the weights that {@code WeightFile} has read last; {@code Preference} then puts the
 * addresses of preferred networks in front. Used by all threads; weights are immutable and published by the scheduler's thread.
 */
@NullMarked
package dev.cairn.plugin.loadbalance;

import org.jspecify.annotations.NullMarked;
