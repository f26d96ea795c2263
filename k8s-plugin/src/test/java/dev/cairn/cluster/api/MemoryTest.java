package dev.cairn.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.sun.management.ThreadMXBean;
import dev.cairn.cluster.WatchScope;
import dev.cairn.facts.Fact;
import dev.cairn.facts.Interner;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory that a large cluster takes: 20,000 slices of 10 endpoints, 200,000 endpoints in all. */
class MemoryTest {
    private static final int SLICES = 20_000;
    private static final int ENDPOINTS = 10;

    private final Known known = new Known();
    private final Interner interner = new Interner();
    private final ObjectDecoder decoder = new SliceDecoder(WatchScope.SERVICES_AND_SLICES, known, interner, new Complaints(new Lines()));

    @Test
    void a_large_list_takes_little_more_than_its_facts_and_reading_it_again_takes_nothing() throws IOException {
        list(new ArrayList<>());
        known.begin();
        known.sweep((_, _) -> {});
        List<Fact> facts = new ArrayList<>(SLICES);
        long before = used();
        list(facts);
        long each = (used() - before) / SLICES;
        assertThat(facts).hasSize(SLICES);
        // An endpoint: 14 and its pod's name of 22 bytes; the slice's own about 150; known about 40.
        assertThat(each).as("bytes retained for a slice").isBetween(400L, 800L);

        long allocated = allocated();
        int size = facts.size();
        list(facts);
        long again = (allocated() - allocated) / SLICES;
        assertThat(facts).as("facts told of an unchanged cluster").hasSize(size);
        assertThat(again).as("bytes allocated for a slice of 5 kB that has not changed").isLessThan(800L);
    }

    private void list(List<Fact> facts) throws IOException {
        known.begin();
        ListReader reader = new ListReader(decoder, () -> {
            if (!decoder.isUnchanged()) {
                Fact fact = decoder.fact();
                facts.add(fact);
                known.put(fact.namespace(), fact.name(), decoder.version());
            }
        });
        try (JsonParser json = Json.FACTORY.createParser(new SliceStream())) {
            reader.read(json);
        }
        known.sweep((_, _) -> {});
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    /** A list that is made while it is read. Its numbers are written into one buffer, so that it allocates nothing itself. */
    private static final class SliceStream extends InputStream {
        private static final String HEAD = """
                {"metadata":{"name":"service-00000-abcde","generateName":"service-","namespace":"ns-%","resourceVersion":"1700000",\
                "uid":"0c1d2e3f-0000",\
                "labels":{"kubernetes.io/service-name":"service-00000",\
                "endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io"},\
                "ownerReferences":[{"apiVersion":"v1","kind":"Service","name":"service-00000","uid":"0c1d2e3f"}],\
                "managedFields":[{"manager":"kube-controller-manager","operation":"Update",\
                "fieldsV1":{"f:addressType":{},"f:endpoints":{},"f:ports":{}}}],\
                "annotations":{"endpoints.kubernetes.io/last-change-trigger-time":"2026-11-16T04:30:00Z"}},"addressType":"IPv4",\
                "ports":[{"name":"http","protocol":"TCP","port":8080}],"endpoints":[""";
        private static final String ENDPOINT = """
                {"addresses":["10.1.2.3"],"conditions":{"ready":true,"serving":true,"terminating":false},\
                "nodeName":"node-17","zone":"zone-a",\
                "targetRef":{"kind":"Pod","namespace":"ns","name":"service-00000-7d4b9c-0",\
                "uid":"aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"}}""";

        private final byte[] slice;
        private final byte[] head;
        private byte[] current;
        private int at;
        private int told;

        SliceStream() {
            String item = HEAD.replace("%", "a") + String.join(",", Collections.nCopies(ENDPOINTS, ENDPOINT)) + "]},";
            slice = item.getBytes(StandardCharsets.UTF_8);
            head = "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[".getBytes(StandardCharsets.UTF_8);
            current = head;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (at == current.length && !advance()) {
                return -1;
            }
            int count = Math.min(length, current.length - at);
            System.arraycopy(current, at, target, offset, count);
            at += count;
            return count;
        }

        private boolean advance() {
            at = 0;
            if (told < SLICES) {
                number(told++);
                current = slice;
                slice[slice.length - 1] = (byte) (told == SLICES ? ' ' : ',');
                return true;
            }
            if (current.length == slice.length) {
                current = "]}".getBytes(StandardCharsets.UTF_8);
                return true;
            }
            return false;
        }

        /** Puts the number wherever "service-" stands followed by five digits. */
        private void number(int number) {
            byte[] mark = "service-".getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i + mark.length + 5 < slice.length; i++) {
                int end = i + mark.length;
                if (Arrays.equals(slice, i, end, mark, 0, mark.length) && Character.isDigit(slice[end])) {
                    for (int digit = 4, rest = number; digit >= 0; digit--, rest /= 10) {
                        slice[end + digit] = (byte) ('0' + rest % 10);
                    }
                }
            }
        }
    }
}
