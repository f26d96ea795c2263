package dev.cairn.cluster.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class YamlDocumentsTest {
    @Test
    void nothingHoldsADocumentWhileTheNextIsRead() {
        List<WeakReference<YamlDocuments.Document>> told = new ArrayList<>();
        List<Long> held = new ArrayList<>();
        YamlDocuments.parse("kind: One\n---\nkind: Two\n---\nkind: Three\n", document -> {
            System.gc();
            held.add(told.stream().filter(one -> one.get() != null).count());
            told.add(new WeakReference<>(document));
        });
        assertThat(held).as("documents still held when another one is told").containsExactly(0L, 0L, 0L);
    }
}
