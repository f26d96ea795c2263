package dev.cairn.listen.connection;

/** What a listener tells its connections when it closes. */
public enum Finish {
    /** Answer what has come, then close. */
    EVENT
}
