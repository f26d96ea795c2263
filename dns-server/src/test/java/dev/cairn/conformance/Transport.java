package dev.cairn.conformance;

/** How a question is sent. Over UDP a truncated reply is asked for again over TCP, as every client does. */
enum Transport {
    UDP,
    TCP
}
