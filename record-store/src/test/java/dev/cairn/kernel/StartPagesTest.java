package dev.cairn.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartPagesTest {
    private static final int SIZE = 4 << 20;
    private static final Pattern RESIDENT = Pattern.compile("Rss: +(\\d+) kB");

    @TempDir
    Path directory;

    /** What the kernel says is resident of a file. */
    private static int residentKilobytes(String path) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
        int sum = 0;
        boolean ours = false;
        for (String line : lines) {
            ours = line.matches("[0-9a-f]+-[0-9a-f]+ .*") ? line.endsWith(path) : ours;
            Matcher resident = RESIDENT.matcher(line);
            sum += ours && resident.matches() ? Integer.parseInt(resident.group(1)) : 0;
        }
        return sum;
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("mapped"), bytes);
    }

    private static byte[] read(MappedByteBuffer mapped) {
        byte[] bytes = new byte[SIZE];
        mapped.get(0, bytes);
        return bytes;
    }

    @Test
    void pages_of_a_file_are_left_and_there_again_when_they_are_wanted() throws IOException {
        byte[] bytes = new byte[SIZE];
        new Random(1).nextBytes(bytes);
        Path path = file(bytes);
        try (FileChannel channel = FileChannel.open(path)) {
            MappedByteBuffer mapped = channel.map(MapMode.READ_ONLY, 0, SIZE);
            assertThat(read(mapped)).isEqualTo(bytes);
            assertThat(residentKilobytes(path.toString())).isEqualTo(SIZE >> 10);
            StartPages.leave();
            assertThat(residentKilobytes(path.toString())).isZero();
            assertThat(read(mapped)).isEqualTo(bytes);
        }
    }

    @Test
    void what_was_written_stays() throws IOException {
        Path path = file(new byte[SIZE]);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = channel.map(MapMode.PRIVATE, 0, SIZE);
            byte[] written = new byte[SIZE];
            Arrays.fill(written, (byte) 7);
            mapped.put(0, written);
            StartPages.leave();
            assertThat(read(mapped)).isEqualTo(written);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            7f00-7f02 r-xp 00000000 fe:00 17    /lib/libjvm.so      | true
            7f00-7f02 r--p 00000000 fe:00 17    /opt/cairn.aot      | true
            7f00-7f02 r--s 00000000 fe:00 17    /opt/lib/modules    | true
            7f00-7f02 rw-p 00000000 fe:00 17    /opt/cairn.aot      | false
            7f00-7f02 rwxp 00000000 00:00 0                         | false
            7f00-7f02 ---p 00000000 00:00 0                         | false
            7f00-7f02 r-xp 00000000 00:00 0     [vdso]              | false
            """)
    void only_files_that_may_not_be_written_come_into_question(String line, boolean fixed) {
        assertThat(StartPages.isFixed(line)).isEqualTo(fixed);
    }

    /** The flags are bits 61 to 63 of an entry, as the kernel's pagemap.rst has them. */
    @ParameterizedTest
    @CsvSource({
        "0x0000000000000000, false", // not there
        "0xa000000000000000, false", // there, of the file
        "0x8000000000000000, true", // there, not of the file
        "0x4000000000000000, true", // swapped out
        "0x2000000000000000, false",
    })
    void pages_that_differ_from_the_file_are_noticed(String entry, boolean changed) {
        long bits = Long.parseUnsignedLong(entry.substring(2), 16);
        byte[] entries = new byte[16];
        for (int i = 0; i < 8; i++) {
            entries[8 + i] = (byte) (bits >> (8 * i)); // as the processors have it that this runs on
        }
        assertThat(StartPages.isChanged(entries)).isEqualTo(changed);
    }
}
