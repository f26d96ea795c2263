package dev.cairn.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ChartsTest {
    private static final String FRAME = "#ffffff";

    /** The picture as a browser would read it. */
    private static Element read(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8))).getDocumentElement();
    }

    private static List<Element> all(Element svg, String name) {
        NodeList nodes = svg.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    private static List<String> words(Element svg) {
        return all(svg, "text").stream().map(Element::getTextContent).toList();
    }

    /** Without the background and the legend. */
    private static List<Element> bars(Element svg) {
        return all(svg, "rect").stream().filter(rect -> !rect.getAttribute("fill").equals(FRAME) && !rect.getAttribute("height").equals("12.0")).toList();
    }

    private static BarChart.Group group(String name, double... values) {
        return new BarChart.Group(name, Arrays.stream(values).mapToObj(value -> new BarChart.Bar(value, "")).toList());
    }

    @Test
    void barsAreAsHighAsTheirValues() throws Exception {
        Element svg = read(new BarChart("CPU <time> & \"more\"", "µs", List.of("cairn", "CoreDNS"),
                List.of(group("UDP", 10, 40), group("TCP", 20, Double.NaN))).svg());
        assertThat(words(svg)).contains("CPU <time> & \"more\"", "µs", "cairn", "CoreDNS", "UDP", "TCP", "10", "20", "40");
        List<Double> heights = bars(svg).stream().map(bar -> Double.parseDouble(bar.getAttribute("height"))).toList();
        assertThat(heights).hasSize(3);
        assertThat(heights.get(1)).isEqualTo(4 * heights.get(0));
        assertThat(heights.get(2)).isEqualTo(2 * heights.get(0));
    }

    @Test
    void valuesFarApartAreOnALogarithmicAxisThatSaysSo() throws Exception {
        Element svg = read(new BarChart("Proxy", "ms", List.of("cairn-proxy", "kube-proxy"), List.of(group("added", 7, 7627))).svg());
        assertThat(words(svg)).contains("ms (logarithmic)", "7", "7,627");
        assertThat(bars(svg)).allSatisfy(bar -> assertThat(Double.parseDouble(bar.getAttribute("height"))).isGreaterThan(20));
    }

    @Test
    void whatHasNoNumberSaysWhy() throws Exception {
        Samples samples = new Samples("memory");
        samples.add("in 170 MiB, MB", "cairn", 97);
        samples.note("in 170 MiB, MB", "CoreDNS", "killed");
        Element svg = read(new Chart("memory", "Memory", "MB", Chart.Kind.BARS, List.of("in 170 MiB, MB")).svg(samples.section()));
        assertThat(words(svg)).contains("97", "killed");
        assertThat(bars(svg)).hasSize(1);
    }

    @Test
    void longLabelsHaveTwoLines() throws Exception {
        List<BarChart.Group> groups = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            groups.add(group("most while listed again, MB", 1));
        }
        assertThat(words(read(new BarChart("Memory", "MB", List.of("cairn"), groups).svg()))).contains("most while listed", "again, MB");
    }

    @Test
    void linesGoThroughTheirPoints() throws Exception {
        Element svg = read(new LineChart("Growth", "services", "MB", List.of(
                new LineChart.Line("cairn", List.of(new LineChart.Point(1000, 100), new LineChart.Point(10_000, 100))),
                new LineChart.Line("CoreDNS", List.of(new LineChart.Point(1000, 80), new LineChart.Point(10_000, 800))))).svg());
        assertThat(words(svg)).contains("Growth", "services (logarithmic)", "MB (logarithmic)", "1,000", "10,000", "800");
        List<Element> dots = all(svg, "circle");
        assertThat(dots).hasSize(4);
        assertThat(dots.get(0).getAttribute("cy")).isEqualTo(dots.get(1).getAttribute("cy"));
        assertThat(Double.parseDouble(dots.get(3).getAttribute("cy"))).isLessThan(Double.parseDouble(dots.get(2).getAttribute("cy")));
        String first = dots.get(0).getAttribute("cx") + "," + dots.get(0).getAttribute("cy");
        assertThat(all(svg, "polyline").getFirst().getAttribute("points")).startsWith(first + " ");
    }

    @Test
    void ratiosAreThoseToTheFirstServer() throws Exception {
        Samples samples = new Samples("udp");
        samples.add("CPU", "cairn", 5);
        samples.add("CPU", "CoreDNS", 40);
        samples.add("CPU", "Knot", 4);
        Element svg = read(new Chart("cpu", "CPU", "times cairn's", Chart.Kind.RATIOS, List.of("CPU")).svg(samples.section()));
        assertThat(words(svg)).contains("1", "8", "0.80", "times cairn's");
    }
}
