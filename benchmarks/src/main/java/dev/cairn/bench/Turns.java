package dev.cairn.bench;

import dev.cairn.bench.server.ServerProcess;
import java.io.IOException;
import java.util.List;

/**
 * Measures servers in turn, several times: a neighbour on the machine makes single rounds worse, whichever server they meet.
 */
final class Turns {
    /** Measures a server once. */
    @FunctionalInterface
    interface Round {
        /** Measures it for the time of this number, from 0. */
        void measure(ServerProcess server, int number) throws IOException, InterruptedException;
    }

    private Turns() {}

    static void run(List<ServerProcess> servers, int rounds, Round round) throws IOException, InterruptedException {
        for (int i = 0; i < rounds; i++) {
            for (ServerProcess server : servers) {
                round.measure(server, i);
            }
        }
    }
}
