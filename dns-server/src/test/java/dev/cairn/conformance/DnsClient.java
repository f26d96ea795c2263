package dev.cairn.conformance;

import java.io.IOException;
import org.xbill.DNS.Message;

/** Asks a server; replies are read by dnsjava. */
interface DnsClient {
    Message ask(Message query, Transport transport) throws IOException;
}
