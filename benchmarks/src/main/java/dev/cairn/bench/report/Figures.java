package dev.cairn.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All sections, kept in a file with a figure on each line, its fields separated by tabs. */
public final class Figures {
    private static final String HEAD =
            "# Written by ./gradlew bench. PART about WHAT TEXT, or PART figure MEASURE SERVER SIZE MEDIAN LEAST MOST NOTE; tabs between.\n";
    private static final int FIGURE_FIELDS = 9;

    private final Map<String, Section> sections = new LinkedHashMap<>();

    /** Those of a file; none if there is no such file. */
    public static Figures read(Path file) throws IOException {
        Figures figures = new Figures();
        if (Files.exists(file)) {
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                if (!line.isEmpty() && !line.startsWith("#")) {
                    figures.line(line, file + ":" + number);
                }
            }
        }
        return figures;
    }

    private void line(String line, String place) throws IOException {
        String[] fields = line.split("\t", -1);
        boolean about = fields.length == 4 && fields[1].equals("about");
        if (!about && !(fields.length == FIGURE_FIELDS && fields[1].equals("figure"))) {
            throw new IOException(place + ": is no line of figures; delete the file to measure everything anew");
        }
        Section section = sections.computeIfAbsent(fields[0], part -> new Section(part, new LinkedHashMap<>(), new ArrayList<>()));
        if (about) {
            section.about().put(fields[2], fields[3]);
            return;
        }
        try {
            section.figures().add(new Figure(fields[2], fields[3], Long.parseLong(fields[4]), Double.parseDouble(fields[5]),
                    Double.parseDouble(fields[6]), Double.parseDouble(fields[7]), fields[8]));
        } catch (NumberFormatException e) {
            throw new IOException(place + ": " + e.getMessage(), e);
        }
    }

    public void write(Path file) throws IOException {
        StringBuilder text = new StringBuilder(HEAD);
        for (Section section : sections.values()) {
            section.about().forEach((what, value) -> text.append(fields(section.part(), "about", what, value)));
            for (Figure one : section.figures()) {
                text.append(fields(section.part(), "figure", one.measure(), one.server(), Long.toString(one.at()), Double.toString(one.value()),
                        Double.toString(one.least()), Double.toString(one.most()), one.note()));
            }
        }
        Files.writeString(file, text);
    }

    private static String fields(String... fields) {
        List<String> clean = List.of(fields).stream().map(field -> field.replaceAll("[\\t\\n\\r]+", " ")).toList();
        return String.join("\t", clean) + "\n";
    }

    /** Puts a section in the place of the one of the same part. */
    public void replace(Section section) {
        sections.put(section.part(), section);
    }

    public Optional<Section> section(String part) {
        return Optional.ofNullable(sections.get(part));
    }

    /** A median; not a number if it was not measured. */
    public double value(String part, String measure, String server) {
        return section(part).map(section -> section.value(measure, server)).orElse(Double.NaN);
    }
}
