package dev.cairn.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/** Writes the page of results and its plots into a directory, from nothing but the figures. */
public final class Results {
    public static final String PAGE = "results.md";
    public static final String FIGURES = "figures.tsv";

    private static final String OVERVIEW = "overview.svg";
    private static final String CPU = "CPU";

    private Results() {}

    /** Writes everything anew; plots whose figures are not there are deleted. */
    public static void write(Path directory, Figures figures, List<Chapter> chapters, List<Aim> aims) throws IOException {
        Files.createDirectories(directory);
        figures.write(directory.resolve(FIGURES));
        StringBuilder page = new StringBuilder("""
                # Results

                Written by `./gradlew bench`: do not edit. [performance.md](../performance.md) says what is measured and what the figures mean;
                [figures.tsv](figures.tsv) has them for programs. A cell is the median, with the least and the most in brackets.

                ## Aims

                | aim | reached | |
                |---|---|---|
                """);
        aims.forEach(aim -> page.append(aim.row()));
        page.append(overview(directory.resolve(OVERVIEW), figures, chapters));
        for (Chapter chapter : chapters) {
            page.append("\n## ").append(chapter.title()).append("\n\n").append(chapter.about()).append("\n\n");
            Section section = figures.section(chapter.part()).orElse(null);
            for (Chart chart : chapter.charts()) {
                Path file = directory.resolve(chart.file() + ".svg");
                if (section != null && chart.canBeDrawn(section)) {
                    Files.writeString(file, chart.svg(section));
                } else {
                    Files.deleteIfExists(file);
                }
            }
            page.append(section == null ? "Not measured yet: `./gradlew bench -PbenchArgs=\"--only " + chapter.part() + "\"`.\n" : body(chapter, section));
        }
        Files.writeString(directory.resolve(PAGE), page);
    }

    /** One plot of the CPU times of all parts that have them, as ratios to that of the first server of each; and the words that show it. */
    private static String overview(Path file, Figures figures, List<Chapter> chapters) throws IOException {
        Map<String, Section> shown = new LinkedHashMap<>();
        SequencedSet<String> servers = new LinkedHashSet<>();
        for (Chapter chapter : chapters) {
            boolean ratios = chapter.charts().stream().anyMatch(chart -> chart.kind() == Chart.Kind.RATIOS);
            figures.section(chapter.part()).filter(_ -> ratios).ifPresent(section -> {
                shown.put(chapter.part(), section);
                servers.addAll(section.servers());
            });
        }
        List<BarChart.Group> groups = new ArrayList<>();
        shown.forEach((part, section) -> section.measures().stream().filter(measure -> measure.startsWith(CPU)).forEach(measure -> {
            double first = section.value(measure, section.servers().getFirst());
            groups.add(new BarChart.Group((part + Chart.withoutUnit(measure).substring(CPU.length())).replace("transports ", ""),
                    servers.stream().map(server -> Chart.bar(section, measure, server, first)).toList()));
        }));
        if (groups.isEmpty()) {
            Files.deleteIfExists(file);
            return "";
        }
        String title = "CPU time of an answer, beside " + servers.getFirst() + "'s";
        Files.writeString(file, new BarChart(title, "times " + servers.getFirst() + "'s", List.copyOf(servers), groups).svg());
        return "\n![" + title + "](" + OVERVIEW + ")\n";
    }

    private static String body(Chapter chapter, Section section) {
        StringBuilder text = new StringBuilder(table(section, chapter.base()));
        for (Chart chart : chapter.charts()) {
            if (chart.canBeDrawn(section)) {
                text.append("\n![").append(chart.title()).append("](").append(chart.file()).append(".svg)\n");
            }
        }
        String outlook = chapter.outlook().apply(section);
        if (!outlook.isEmpty()) {
            text.append('\n').append(outlook).append('\n');
        }
        text.append('\n');
        section.about().forEach((what, value) -> text.append("- ").append(what).append(": ").append(value).append('\n'));
        return text.toString();
    }

    /** A row for each server, and for each size if there are several; CPU times are followed by their ratio to another server's. */
    public static String table(Section section, String base) {
        List<String> head = new ArrayList<>(List.of("server"));
        boolean sized = section.sizes().stream().anyMatch(size -> size > 0);
        if (sized) {
            head.add("services");
        }
        for (String measure : section.measures()) {
            head.add(measure);
            if (hasRatio(measure, base)) {
                head.add("ratio to " + base);
            }
        }
        StringBuilder table = new StringBuilder(row(head)).append("|---".repeat(head.size())).append("|\n");
        for (long size : section.sizes()) {
            for (String server : section.servers()) {
                List<String> cells = cells(section, base, server, size);
                if (!cells.isEmpty()) {
                    cells.addAll(0, sized ? List.of(server, Numbers.text((double) size)) : List.of(server));
                    table.append(row(cells));
                }
            }
        }
        return table.toString();
    }

    private static boolean hasRatio(String measure, String base) {
        return !base.isEmpty() && measure.startsWith(CPU);
    }

    private static List<String> cells(Section section, String base, String server, long size) {
        List<String> cells = new ArrayList<>();
        boolean any = false;
        for (String measure : section.measures()) {
            Figure figure = section.figure(measure, server, size).orElse(null);
            any |= figure != null;
            cells.add(figure == null ? "" : figure.text());
            if (hasRatio(measure, base)) {
                double other = section.figure(measure, base, size).map(Figure::value).orElse(Double.NaN);
                cells.add(figure == null || Double.isNaN(other) ? "" : Numbers.text(figure.value() / other));
            }
        }
        return any ? cells : new ArrayList<>();
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }
}
