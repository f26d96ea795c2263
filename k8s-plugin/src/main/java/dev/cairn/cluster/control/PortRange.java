package dev.cairn.cluster.control;

/** Ports from a first to a last. */
public record PortRange(int first, int last) {
    public static final PortRange USUAL = new PortRange(30000, 32767);

    public PortRange {
        if (first < 1 || last > 0xffff || first > last) {
            throw new IllegalArgumentException("not a range of ports: " + first + "-" + last);
        }
    }

    /**
     * Reads {@code FIRST-LAST}.
     *
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static PortRange parse(String text) {
        if (!text.matches("[0-9]{1,5}-[0-9]{1,5}")) {
            throw new IllegalArgumentException("\"" + text + "\" is not a range of ports: write FIRST-LAST, such as 30000-32767");
        }
        int dash = text.indexOf('-');
        return new PortRange(Integer.parseInt(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
    }

    int size() {
        return last - first + 1;
    }

    /** As for addresses: min(max(16, size / 32), 128) ports are kept for those who choose one. */
    int band() {
        return size() < 16 ? 0 : Math.clamp(size() / 32, 16, 128);
    }

    @Override
    public String toString() {
        return first + "-" + last;
    }
}
