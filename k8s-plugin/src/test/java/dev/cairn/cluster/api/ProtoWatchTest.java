package dev.cairn.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.Address;
import dev.cairn.facts.Interner;
import dev.cairn.facts.SliceFact;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A watch in protobuf form, as kube-apiserver 1.36.3 sent it: the bookmark after an empty list, then a slice that is made, changed and deleted. */
class ProtoWatchTest {
    private static final byte[] EVENTS = ProtoListTest.read("watch");

    private final SliceDecoder decoder =
            new SliceDecoder(WatchScope.SERVICES_AND_SLICES, new Known(), new Interner(), new Complaints(new Lines()));

    /** What is read until the end: the type of each event, with what matters of its object. */
    private List<String> read(InputStream in) throws IOException {
        List<String> events = new ArrayList<>();
        ProtoWatch watch = new ProtoWatch(in);
        WatchReader reader = new WatchReader(decoder);
        for (Proto event = watch.next(); event != null; event = watch.next()) {
            String type = reader.read(event);
            events.add(type + switch (type) {
                case "BOOKMARK" -> " " + decoder.version() + " " + decoder.endsInitialEvents();
                case "ERROR" -> " " + decoder.code() + " " + decoder.message();
                default -> " " + decoder.version() + " " + decoder.namespace() + "/" + decoder.name() + " "
                        + addresses((SliceFact) Objects.requireNonNull(decoder.fact()));
            });
        }
        return events;
    }

    private static List<Address> addresses(SliceFact slice) {
        return slice.endpoints().stream().map(endpoint -> endpoint.address()).toList();
    }

    @ParameterizedTest(name = "in pieces of {0} bytes")
    @ValueSource(ints = {1, 7, 100_000})
    void events_are_read_however_they_arrive(int piece) throws IOException {
        assertThat(read(ProtoListTest.inPieces(EVENTS, piece))).containsExactly(
                "BOOKMARK 29713 true",
                "ADDED 29716 frames/web-1 [10.1.2.3]",
                "MODIFIED 29717 frames/web-1 [10.1.2.4]",
                "DELETED 29718 frames/web-1 [10.1.2.4]");
    }

    @Test
    void an_error_tells_its_code() throws IOException {
        ProtoMessage status = new ProtoMessage().message(1, new ProtoMessage()).text(2, "Failure").text(3, "too old resource version: 1 (9)")
                .text(4, "Expired").number(6, 410);
        assertThat(read(new ByteArrayInputStream(frame("ERROR", status.enveloped())))).containsExactly("ERROR 410 too old resource version: 1 (9)");
    }

    @Test
    void an_object_in_another_form_is_refused() {
        byte[] json = "{}".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> read(new ByteArrayInputStream(frame("ADDED", json)))).isInstanceOf(IOException.class)
                .hasMessageContaining("protobuf form");
    }

    @ParameterizedTest(name = "cut after {0} bytes")
    @ValueSource(ints = {1, 3, 4, 90, 600})
    void a_cut_event_is_an_error(int length) {
        assertThatThrownBy(() -> read(new ByteArrayInputStream(EVENTS, 0, length))).isInstanceOf(EOFException.class);
    }

    @Test
    void an_event_of_absurd_length_is_refused() {
        assertThatThrownBy(() -> read(new ByteArrayInputStream(new byte[] {-1, -1, -1, -1, 0}))).isInstanceOf(IOException.class)
                .hasMessageContaining("4294967295 bytes");
    }

    private static byte[] frame(String type, byte[] object) {
        byte[] event = new ProtoMessage().text(1, type).message(2, new ProtoMessage().content(1, object)).toByteArray();
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes(new byte[] {0, 0, (byte) (event.length >> 8), (byte) event.length});
        frame.writeBytes(event);
        return frame.toByteArray();
    }
}
