package dev.cairn.plugin.template;

import dev.cairn.chain.Exchange;
import dev.cairn.wire.RrSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The records of one section of a reply: ready-made if they are always the same, else made for each query. */
final class SectionTemplate {
    private final String section;
    private final List<GoTemplate> records;
    private final @Nullable List<RrSet> constant;

    /**
     * Takes the records of a section.
     *
     * @param section its name in metrics
     * @throws IllegalArgumentException with a sentence for the user if one is always wrong
     */
    SectionTemplate(String section, List<GoTemplate> records) {
        this.section = section;
        this.records = List.copyOf(records);
        boolean fixed = true;
        List<RecordLine> lines = new ArrayList<>();
        for (GoTemplate record : records) {
            fixed &= record.isConstant();
            if (record.isConstant()) {
                lines.add(RecordLine.parse(record.constant()));
            }
        }
        constant = fixed ? RecordLine.toSets(lines) : null;
    }

    /** The record sets if they are always the same; null if not. */
    @Nullable List<RrSet> constant() {
        return constant;
    }

    /** The record sets for one query. */
    List<RrSet> make(Exchange exchange, TemplateData data, TemplateMetrics.Matched metrics) {
        if (constant != null) {
            return constant;
        }
        List<RecordLine> lines = new ArrayList<>(records.size());
        for (GoTemplate record : records) {
            String text;
            try {
                text = record.execute(data);
            } catch (TemplateFailure e) {
                metrics.templateFailed(exchange, section, record.toString());
                throw new TemplateFailure("template " + record + ": " + e.getMessage());
            }
            try {
                lines.add(RecordLine.parse(text));
            } catch (IllegalArgumentException e) {
                metrics.recordFailed(exchange, section, record.toString());
                throw new TemplateFailure(String.valueOf(e.getMessage()));
            }
        }
        return RecordLine.toSets(lines);
    }
}
