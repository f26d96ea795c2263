package dev.cairn.plugin.auto;

import dev.cairn.wire.WireName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a directive asks for.
 *
 * @param zones where zones may be
 * @param pattern files whose names have a match of it are zones
 * @param template the name of the zone, with {@code {1}} for the first group of the match
 * @param reload how often to look, zero for never
 */
record AutoSettings(List<WireName> zones, Path directory, Pattern pattern, String template, Duration reload) {
    static final Pattern DEFAULT_PATTERN = Pattern.compile("db\\.(.*)");
    static final String DEFAULT_TEMPLATE = "{1}";
    private static final Pattern GROUP = Pattern.compile("\\{(\\w+)}");

    /** The zone in a file of this name; null if it is not for one. */
    @Nullable WireName origin(String file) {
        Matcher match = pattern.matcher(file);
        if (!match.find()) {
            return null;
        }
        String name = GROUP.matcher(template).replaceAll(group -> Matcher.quoteReplacement(group(match, group.group(1))));
        try {
            return WireName.parse(name);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The text of a group, empty if it is not there: so does Go. */
    private static String group(Matcher match, String name) {
        try {
            String text = name.chars().allMatch(Character::isDigit) ? match.group(Integer.parseInt(name)) : match.group(name);
            return text == null ? "" : text;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return "";
        }
    }
}
