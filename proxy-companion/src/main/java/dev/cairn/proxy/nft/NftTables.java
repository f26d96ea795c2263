package dev.cairn.proxy.nft;

import dev.cairn.proxy.sync.ApplyFailure;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
        List<String> all = tables();
        List<String> there = names.stream().filter(all::contains).toList();
        if (!there.isEmpty()) {
            runner.run(there.stream().map(name -> "delete table " + name + "\n").collect(Collectors.joining()));
        }
        return there.stream().map(name -> "nftables table " + name).toList();
    }

    private List<String> tables() throws ApplyFailure {
        try {
            @Nullable String text = runner.list(List.of("nft", "list", "tables"));
            return text == null ? List.of() : text.lines().map(line -> line.replaceFirst("^table ", "").strip()).toList();
        } catch (ApplyFailure e) {
            if (NftRunner.isMissing(e)) {
                return List.of();
            }
            throw e;
        }
    }
}
