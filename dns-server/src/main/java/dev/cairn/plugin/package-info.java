/**
 * How plugins come into being. {@code PluginList} is the one ordered list of them; each entry is a {@code PluginSetup} that reads its
 * directive and adds what it makes to the {@code Block} being set up; {@code Host} is what the process offers to all of them. Set-up runs on
 * one thread, at start and at each reload.
 */
@NullMarked
package dev.cairn.plugin;

import org.jspecify.annotations.NullMarked;
