package dev.cairn.plugin.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.Knot;
import dev.cairn.testing.Programs;
import dev.cairn.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.RRSIGRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SetResponse;
import org.xbill.DNS.Type;
import org.xbill.DNS.Zone;

/** Answers from random zones, compared with those of others. */
class OracleTest {
    private static final int QUESTIONS = 250;
    private static final List<Integer> TYPES = List.of(Type.A, Type.AAAA, Type.TXT, Type.MX, Type.CNAME, Type.SRV, Type.NS, Type.DS, Type.SOA);

    @TempDir
    Path directory;

    private static String corefile(Path zone) {
        return "example.org {\n    file " + zone + "\n}\n";
    }

    /** Knot is asked over TCP, so that nothing is cut off. */
    private void compareWithKnot(RandomZone zone, Path file, int knot, boolean signed) throws Exception {
        List<String> wrong = new ArrayList<>();
        try (TestServer server = TestServer.start(corefile(file))) {
            for (int i = 0; i < QUESTIONS; i++) {
                String name = zone.question();
                Message query = TestServer.query(name, zone.any(TYPES));
                if (signed && name.startsWith("*")) {
                    continue; // Knot gives no proof for a name that looks like a wildcard itself
                }
                if (signed) {
                    query.addRecord(new OPTRecord(4096, 0, 0, ExtendedFlags.DO), Section.ADDITIONAL);
                }
                String expected = outcome(TestServer.ask(knot, query, true));
                String found = outcome(server.ask(query, true));
                if (!found.equals(expected)) {
                    wrong.add(query.getQuestion() + "\n--- Knot says\n" + expected + "--- we say\n" + found);
                }
            }
        }
        assertThat(wrong).as(Files.readString(file)).isEmpty();
    }

    /** What matters of a reply: name servers that come along with a positive answer do not. */
    private static String outcome(Message reply) {
        boolean positive = reply.getRcode() == Rcode.NOERROR
                && reply.getSection(Section.AUTHORITY).stream().noneMatch(record -> record.getType() == Type.SOA)
                && !reply.getSection(Section.ANSWER).isEmpty();
        boolean referral = reply.getSection(Section.ANSWER).isEmpty() && !positive;
        return "rcode " + Rcode.string(reply.getRcode()) + " aa " + reply.getHeader().getFlag(Flags.AA)
                + "\nanswer\n" + lines(reply, Section.ANSWER, false)
                + "authority\n" + lines(reply, Section.AUTHORITY, positive && !isReferral(reply))
                + (referral ? "additional\n" + lines(reply, Section.ADDITIONAL, false) : "");
    }

    /** An alias that leads below a delegation: the servers told are not the zone's own. */
    private static boolean isReferral(Message reply) {
        return reply.getSection(Section.AUTHORITY).stream()
                .anyMatch(record -> record.getType() == Type.NS && !record.getName().toString().equals("example.org."));
    }

    private static String lines(Message reply, int section, boolean withoutServers) {
        return reply.getSection(section).stream()
                .filter(record -> record.getType() != Type.OPT)
                .filter(record -> !withoutServers || !isServers(record))
                .map(record -> record.toString().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT))
                .distinct()
                .sorted()
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static boolean isServers(Record record) {
        return record.getType() == Type.NS
                || (record instanceof RRSIGRecord signature && signature.getTypeCovered() == Type.NS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void plainZonesAreAnsweredAsKnotDoes(long seed) throws Exception {
        RandomZone zone = new RandomZone(seed, true);
        Path file = Files.writeString(directory.resolve("example.org.zone"), zone.text());
        try (Knot knot = new Knot(directory, Knot.freePort(), zoneSection("    semantic-checks: off\n")).awaitZone("example.org")) {
            compareWithKnot(zone, file, knot.port(), false);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12})
    void signedZonesAreAnsweredAsKnotDoes(long seed) throws Exception {
        RandomZone zone = new RandomZone(seed, false); // Knot leaves out the proof that a wildcard is an empty name
        Files.writeString(directory.resolve("example.org.zone"), zone.text());
        String signing = "    dnssec-signing: on\n    dnssec-policy: one\n    acl: all\n    zonefile-sync: 0\n";
        String policy = """
                policy:
                  - id: one
                    nsec3: off
                    single-type-signing: on
                acl:
                  - id: all
                    action: transfer
                    address: 127.0.0.1
                """;
        try (Knot knot = new Knot(directory, Knot.freePort(), policy + zoneSection(signing)).awaitZone("example.org")) {
            Path signed = directory.resolve("signed");
            String text = Programs.run("dig", "@127.0.0.1", "-p", "" + knot.port(), "+onesoa", "+noall", "+answer", "example.org",
                    "AXFR").output();
            assertThat(text).contains("RRSIG").contains("NSEC");
            Files.writeString(signed, text);
            compareWithKnot(zone, signed, knot.port(), true);
        }
    }

    private String zoneSection(String more) {
        return "zone:\n  - domain: example.org\n    storage: \"" + directory + "\"\n    file: example.org.zone\n" + more;
    }

    /** dnsjava knows neither empty names, nor wildcards without the type, nor that the nearest name above decides on wildcards; where these matter it is not asked. */
    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void plainZonesAreAnsweredAsDnsjavaDoes(long seed) throws Exception {
        RandomZone random = new RandomZone(seed, false);
        Path file = Files.writeString(directory.resolve("zone"), random.text());
        Zone zone = new Zone(Name.fromString("example.org."), file.toString());
        List<Name> owners = new ArrayList<>();
        zone.forEach(set -> owners.add(set.getName()));
        int compared = 0;
        try (TestServer server = TestServer.start(corefile(file))) {
            for (int i = 0; i < QUESTIONS; i++) {
                Name name = Name.fromString(random.question());
                int type = random.any(TYPES);
                SetResponse expected = zone.findRecords(name, type);
                boolean exists = owners.stream().anyMatch(owner -> owner.subdomain(name));
                Name wildcard = Name.fromString("*", encloser(name, owners));
                boolean comparable = owners.contains(wildcard) ? expected.isSuccessful() || expected.isCNAME() : isDenied(expected);
                boolean asked = type != Type.DS && (owners.contains(name) || (!exists && comparable));
                if (asked) {
                    compared++;
                    check(server.askTcp(name.toString(), type), expected, name + " " + Type.string(type));
                }
            }
        }
        assertThat(compared).isGreaterThan(QUESTIONS / 4);
    }

    private static boolean isDenied(SetResponse response) {
        return response.isNXDOMAIN() || response.isDelegation() || response.isDNAME();
    }

    private static Name encloser(Name name, List<Name> owners) {
        Name above = name;
        while (!hasBelow(above, owners)) {
            above = new Name(above, 1);
        }
        return above;
    }

    private static boolean hasBelow(Name name, List<Name> owners) {
        return owners.stream().anyMatch(owner -> owner.subdomain(name));
    }

    private static void check(Message reply, SetResponse expected, String what) throws IOException {
        assertThat(reply.getRcode()).as(what).isEqualTo(expected.isNXDOMAIN() ? Rcode.NXDOMAIN : reply.getRcode());
        List<String> answers = TestServer.answers(reply);
        if (expected.isNXDOMAIN() || expected.isNXRRSET()) {
            assertThat(answers).as(what).isEmpty();
            assertThat(TestServer.rows(reply, Section.AUTHORITY)).as(what).singleElement().asString().contains("SOA");
        } else if (expected.isDelegation()) {
            assertThat(TestServer.rows(reply, Section.AUTHORITY)).as(what).hasSize(expected.getNS().size());
        } else if (expected.isCNAME()) {
            assertThat(answers.getFirst()).as(what).contains("CNAME " + expected.getCNAME().getTarget());
        } else if (expected.isDNAME()) {
            assertThat(answers.getFirst()).as(what).contains("DNAME " + expected.getDNAME().getTarget());
        } else {
            assertThat(answers).as(what).hasSize(expected.answers().getFirst().size());
        }
    }
}
