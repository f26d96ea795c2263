package dev.cairn.plugin.tsig;

import dev.cairn.corefile.Use;
import dev.cairn.plugin.Block;
import dev.cairn.plugin.PluginSetup;
import dev.cairn.wire.DnsType;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;

/** Reads {@code tsig}. */
public final class TsigSetup implements PluginSetup {
    private static final List<String> PROPERTIES = List.of("require", "require_opcode", "secret", "secrets");
    private static final List<String> OPCODES = List.of("QUERY", "IQUERY", "STATUS", "NOTIFY", "UPDATE");

    @Override
    public String name() {
        return "tsig";
    }

    @Override
    public void setup(List<Use> uses, Block block) {
        Use.onlyOnce(uses);
        Use use = uses.getFirst();
        Reader reader = new Reader(block);
        use.block().forEach(reader::property);
        TsigPlugin plugin = new TsigPlugin(block.zonesOr(use.zones(0)), reader.required);
        block.add(plugin);
        block.onStart(() -> plugin.secrets(reader.allSecrets()));
    }

    /** Reads one directive, line by line. */
    private static final class Reader {
        private final Block block;
        private final Requirement required = new Requirement();
        private final Map<Name, byte[]> secrets = new HashMap<>();
        private final List<Path> files = new ArrayList<>();

        Reader(Block block) {
            this.block = block;
        }

        Map<Name, byte[]> allSecrets() throws IOException {
            Map<Name, byte[]> all = new HashMap<>(secrets);
            for (Path file : files) {
                try {
                    KeyFile.read(file, all);
                } catch (NoSuchFileException e) {
                    throw new IOException("plugin/tsig: " + file + ": no such file: create it, or write keys as: secret NAME KEY", e);
                }
            }
            return all;
        }

        private void property(Use line) {
            switch (line.name()) {
                case "secret" -> {
                    if (line.expect(2, 2, "secret NAME KEY")) {
                        secret(line);
                    }
                }
                case "secrets" -> {
                    if (line.expect(1, 1, "secrets FILE")) {
                        files.add(block.file(line.arg(0)));
                    }
                }
                case "require" -> {
                    if (line.expect(1, Integer.MAX_VALUE, "require QTYPE... (or all, or none)")) {
                        types(line);
                    }
                }
                case "require_opcode" -> {
                    if (line.expect(1, Integer.MAX_VALUE, "require_opcode OPCODE... (or all, or none)")) {
                        opcodes(line);
                    }
                }
                default -> line.unknown(PROPERTIES);
            }
        }

        private void secret(Use line) {
            try {
                Name name = KeyFile.name(line.arg(0));
                if (secrets.put(name, Base64.getDecoder().decode(line.arg(1))) != null) {
                    line.error("key \"" + name + "\" is defined twice: remove one");
                }
            } catch (TextParseException e) {
                line.error("\"" + line.arg(0) + "\" is not a domain name: write: secret NAME KEY");
            } catch (IllegalArgumentException e) {
                line.error("the key is not base64: make one with: openssl rand -base64 32");
            }
        }

        private void types(Use line) {
            required.types(line.arg(0).equals("all"));
            if (line.arg(0).equals("all") || line.arg(0).equals("none")) {
                return;
            }
            for (String text : line.args()) {
                int type = DnsType.fromText(text);
                if (type < 0) {
                    line.error("unknown query type \"" + text + "\": write types such as AXFR, or all, or none");
                } else {
                    required.type(type);
                }
            }
        }

        private void opcodes(Use line) {
            List<String> words = line.args();
            boolean all = words.getFirst().equals("all");
            if (!all && !words.getFirst().equals("none")) {
                words.stream().filter(word -> !OPCODES.contains(word)).forEach(word ->
                        line.error("unknown opcode \"" + word + "\": write some of " + String.join(", ", OPCODES) + ", or all, or none"));
            }
            required.opcodes(all || words.contains("QUERY"), all || words.contains("NOTIFY"));
        }
    }
}
