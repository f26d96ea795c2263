package dev.cairn.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.Address;
import dev.cairn.facts.EndpointFact;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import dev.cairn.facts.PortFact;
import dev.cairn.facts.Protocol;
import dev.cairn.facts.ServiceFact;
import dev.cairn.facts.SliceFact;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists in protobuf form, as kube-apiserver 1.36.3 sent them. */
class ProtoListTest {
    private static final byte[] NAMESPACES = read("namespaces");
    private static final byte[] SERVICES = read("services");
    private static final byte[] SLICES = read("endpointslices");

    private final Known known = new Known();
    private final Interner interner = new Interner();
    private final Complaints complaints = new Complaints(new Lines());

    static byte[] read(String kind) {
        try (InputStream in = ProtoListTest.class.getResourceAsStream(kind + ".pb.base64")) {
            return Base64.getMimeDecoder().decode(Objects.requireNonNull(in).readAllBytes());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<Fact> list(ObjectDecoder decoder, InputStream in) throws IOException {
        List<Fact> facts = new ArrayList<>();
        ListReader reader = new ListReader(decoder, () -> {
            if (!decoder.isUnchanged()) {
                Fact fact = Objects.requireNonNull(decoder.fact());
                facts.add(fact);
                known.put(fact.namespace(), fact.name(), decoder.version());
            }
        });
        reader.read(new ProtoList(in));
        assertThat(reader.version()).matches("\\d+");
        return facts;
    }

    static InputStream inPieces(byte[] bytes, int piece) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public int read(byte[] to, int at, int length) {
                return super.read(to, at, Math.min(length, piece));
            }
        };
    }

    private SliceDecoder slices() {
        return new SliceDecoder(WatchScope.SERVICES_AND_SLICES, known, interner, complaints);
    }

    @Test
    void namespaces_are_read() throws IOException {
        assertThat(list(new NamespaceDecoder(known, interner, complaints), new ByteArrayInputStream(NAMESPACES)))
                .extracting(Fact::name).containsExactly("ns-9");
    }

    @Test
    void services_are_read() throws IOException {
        List<Fact> facts = list(new ServiceDecoder(WatchScope.SERVICES_AND_SLICES, known, interner, complaints), new ByteArrayInputStream(SERVICES));
        assertThat(facts).extracting(Fact::namespace).containsExactly("ns-10", "ns-9");
        ServiceFact virtual = (ServiceFact) facts.getFirst();
        assertThat(virtual.kind()).isEqualTo(ServiceFact.Kind.CLUSTER_IP);
        assertThat(virtual.clusterIps()).hasSize(1).allMatch(Address::isIpv4);
        assertThat(virtual.ports()).containsExactly(new PortFact("http", Protocol.TCP, 80));
        assertThat(((ServiceFact) facts.getLast()).kind()).isEqualTo(ServiceFact.Kind.HEADLESS);
    }

    @ParameterizedTest(name = "in pieces of {0} bytes")
    @ValueSource(ints = {1, 7, 100_000})
    void slices_are_read_however_they_arrive(int piece) throws IOException {
        List<Fact> facts = list(slices(), inPieces(SLICES, piece));
        SliceFact slice = (SliceFact) facts.getLast();
        assertThat(slice.name()).isEqualTo("service-9-abcde");
        assertThat(slice.service()).isEqualTo("service-9");
        assertThat(slice.ports()).containsExactly(new PortFact("http", Protocol.TCP, 8080));
        assertThat(slice.triggerMillis()).isEqualTo(1794803400000L);
        assertThat(slice.endpoints()).hasSize(10).first().isEqualTo(new EndpointFact(
                Objects.requireNonNull(Address.parse("10.128.0.90")), true, "pod-0", "service-9-7d4b9c-00090", "", "zone-0"));
    }

    @Test
    void what_has_not_changed_is_not_told_again() throws IOException {
        assertThat(list(slices(), new ByteArrayInputStream(SLICES))).isNotEmpty();
        assertThat(list(slices(), new ByteArrayInputStream(SLICES))).isEmpty();
    }

    @Test
    void objects_larger_than_the_buffer_are_read() throws IOException {
        String large = "x".repeat(200_000);
        ProtoMessage metadata = new ProtoMessage().text(1, "big").text(3, "ns").text(6, "5").message(12, new ProtoMessage().text(1, "k").text(2, large));
        byte[] body = new ProtoMessage().message(1, new ProtoMessage().text(2, "9")).message(2, new ProtoMessage().message(1, metadata)).enveloped();
        assertThat(list(new ServiceDecoder(WatchScope.SERVICES_AND_SLICES, known, interner, complaints), new ByteArrayInputStream(body)))
                .extracting(Fact::name).containsExactly("big");
    }

    @ParameterizedTest(name = "cut after {0} bytes")
    @ValueSource(ints = {0, 3, 5, 30, 200, 1500})
    void a_cut_list_is_an_error(int length) {
        assertThatThrownBy(() -> list(slices(), new ByteArrayInputStream(SLICES, 0, length))).isInstanceOf(IOException.class);
    }
}
