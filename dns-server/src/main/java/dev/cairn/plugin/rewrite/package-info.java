/**
 * The {@code rewrite} plugin: lets the plugins below see another question than the client asked, and puts the answer right on the way back.
 * {@code RewriteSetup} and {@code RuleReader} read the directive into {@code Rule}s; {@code RewritePlugin} tries them in their order, which
 * costs a query that none of them is for no garbage. A query that was changed carries a {@code Rewriting} with what was asked before and the
 * {@code AnswerRule}s to apply; {@code AnswerChange} does so. Rules are immutable once the block has started and used by all threads.
 */
@NullMarked
package dev.cairn.plugin.rewrite;

import org.jspecify.annotations.NullMarked;
