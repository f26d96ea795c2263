import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Writes a tar archive (POSIX 1003.1-2001) of which all entries are root's and have one time. */
final class TarWriter implements Closeable {
    private static final int BLOCK = 512;
    private static final byte[] NOTHING = new byte[0];

    private final OutputStream out;

    TarWriter(OutputStream out) {
        this.out = out;
    }

    void directory(String name, int mode) throws IOException {
        header(name + "/", mode, 0, '5', "");
    }

    void link(String name, String target) throws IOException {
        header(name, 0777, 0, '2', target);
    }

    void file(String name, int mode, Path content) throws IOException {
        header(name, mode, Files.size(content), '0', "");
        Files.copy(content, out);
        pad(Files.size(content));
    }

    void file(String name, int mode, byte[] content) throws IOException {
        header(name, mode, content.length, '0', "");
        out.write(content);
        pad(content.length);
    }

    /** An attribute of the entry that is written next. */
    void attribute(String key, byte[] value) throws IOException {
        byte[] word = ("SCHILY.xattr." + key + "=").getBytes(StandardCharsets.UTF_8);
        int rest = 1 + word.length + value.length + 1;   // a space before, a line's end after
        int length = rest + Integer.toString(rest).length();
        length = rest + Integer.toString(length).length();
        header("attributes", 0644, length, 'x', "");
        out.write((length + " ").getBytes(StandardCharsets.UTF_8));
        out.write(word);
        out.write(value);
        out.write('\n');
        pad(length);
    }

    private void header(String name, int mode, long size, char kind, String target) throws IOException {
        byte[] block = new byte[BLOCK];
        int cut = name.length() <= 100 ? -1 : name.lastIndexOf('/', Math.min(155, name.length() - 2));
        if (name.length() - cut - 1 > 100 || target.length() > 100) {
            throw new IOException("too long a name for an archive: " + name + " " + target);
        }
        put(block, 0, name.substring(cut + 1));
        number(block, 100, 8, mode);
        number(block, 108, 8, 0);
        number(block, 116, 8, 0);
        number(block, 124, 12, size);
        number(block, 136, 12, Tree.CHANGED.getEpochSecond());
        Arrays.fill(block, 148, 156, (byte) ' ');
        block[156] = (byte) kind;
        put(block, 157, target);
        put(block, 257, "ustar\00000root");
        put(block, 297, "root");
        put(block, 345, cut < 0 ? "" : name.substring(0, cut));
        int sum = 0;
        for (byte each : block) {
            sum += each & 0xff;
        }
        put(block, 148, String.format("%06o\0 ", sum));
        out.write(block);
    }

    private static void put(byte[] block, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    private static void number(byte[] block, int at, int width, long value) {
        put(block, at, String.format("%0" + (width - 1) + "o", value));
    }

    private void pad(long size) throws IOException {
        int rest = (int) (size % BLOCK);
        out.write(rest == 0 ? NOTHING : new byte[BLOCK - rest]);
    }

    @Override
    public void close() throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.close();
    }
}
