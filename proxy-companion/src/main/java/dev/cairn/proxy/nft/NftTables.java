package dev.cairn.proxy.nft;

import dev.cairn.proxy.sync.ApplyFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Deletes whole tables. */
public final class NftTables {
    private final NftRunner runner;

    public NftTables() {
        this(new NftRunner());
    }

    NftTables(NftRunner runner) {
        this.runner = runner;
    }

    /**
     * Deletes those of some tables that are there, at once. Without {@code nft} there are none.
     *
     * @param names with their family, such as {@code ip cairn-proxy}
     * @return what was deleted, one line each
     */
    public List<String> delete(List<String> names) throws ApplyFailure {
        List<String> there = new ArrayList<>();
        for (String name : names) {
            if (isThere(name)) {
                there.add(name);
            }
        }
        if (!there.isEmpty()) {
            runner.run(there.stream().map(name -> "delete table " + name + "\n").collect(Collectors.joining()));
        }
        return there.stream().map(name -> "nftables table " + name).toList();
    }

    /** Each is asked for by its name: to list them all takes as long as to list all that is in them. */
    private boolean isThere(String name) throws ApplyFailure {
        List<String> command = new ArrayList<>(List.of("nft", "-t", "list", "table"));
        command.addAll(List.of(name.split(" ", -1)));
        try {
            return runner.list(command) != null;
        } catch (ApplyFailure e) {
            if (NftRunner.isMissing(e)) {
                return false;
            }
            throw e;
        }
    }
}
