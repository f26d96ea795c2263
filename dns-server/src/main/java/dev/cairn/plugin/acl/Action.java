package dev.cairn.plugin.acl;

/** What to do with a matching query. */
enum Action {
    /** Goes on to the plugins below; later rules are not looked at. */
    ALLOW,
    /** REFUSED. */
    BLOCK,
    /** An empty answer. */
    FILTER,
    /** No reply. */
    DROP
}
