package dev.cairn.plugin.hosts;

import dev.cairn.wire.WireName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a {@code hosts} directive says.
 *
 * @param zones names outside are not served
 * @param inline lines in the form of the file, from the Corefile
 * @param reload how often to look whether the file has changed; zero for never
 * @param reverse whether to answer PTR
 * @param through zones in which questions for unknown names go to the next plugin
 * @param unsupportedThrough whether questions for other types than A, AAAA and PTR go there too, even for known names
 */
record HostsSettings(
        Path file,
        List<WireName> zones,
        List<String> inline,
        int ttl,
        Duration reload,
        boolean reverse,
        List<WireName> through,
        boolean unsupportedThrough) {
    HostsSettings {
        zones = List.copyOf(zones);
        inline = List.copyOf(inline);
        through = List.copyOf(through);
    }
}
