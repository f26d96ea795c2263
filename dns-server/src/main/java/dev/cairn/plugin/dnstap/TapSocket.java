package dev.cairn.plugin.dnstap;

import dev.cairn.plugin.dnstap.TapSettings.Target;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A listening socket and, if it has one, its file: one left behind by a process that ended is replaced, and ours goes when we do. */
final class TapSocket implements Closeable {
    private final String name;
    private final ServerSocketChannel channel;
    private final @Nullable Path file;
    private final @Nullable Object inode;

    private TapSocket(String name, ServerSocketChannel channel, @Nullable Path file, @Nullable Object inode) {
        this.name = name;
        this.channel = channel;
        this.file = file;
        this.inode = inode;
    }

    static TapSocket bind(Target target) throws IOException {
        return switch (target) {
            case Target.Unix(String path) -> bindFile(Path.of(path));
            case Target.Network network -> bindPort(network);
        };
    }

    private static TapSocket bindPort(Target.Network wanted) throws IOException {
        InetSocketAddress address = new InetSocketAddress(wanted.host(), wanted.port());
        if (address.isUnresolved()) {
            throw new UnknownHostException("the host does not resolve; write an address of this machine");
        }
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.bind(address);
            return new TapSocket(wanted.at(channel.socket().getLocalPort()).toString(), channel, null, null);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static TapSocket bindFile(Path file) throws IOException {
        removeStale(file);
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(file));
            return new TapSocket(file.toString(), channel, file, inode(file));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static void removeStale(Path file) throws IOException {
        try {
            if (!Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).isOther()) {
                throw new BindException("there is a file of that name that is no socket; remove it, or choose another name");
            }
        } catch (NoSuchFileException e) {
            return;
        }
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false); // one that accepts nobody is there all the same
            probe.connect(UnixDomainSocketAddress.of(file));
            throw new BindException("another program listens there");
        } catch (ConnectException e) {
            Files.deleteIfExists(file); // nobody listens any more
        }
    }

    private static @Nullable Object inode(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
    }

    /** The address, with the port that the kernel chose if that was 0. */
    @Override
    public String toString() {
        return name;
    }

    SocketChannel accept() throws IOException {
        return channel.accept();
    }

    /** Removes the file before the socket closes: as long as it is there, another process takes the address for taken. */
    @Override
    public void close() throws IOException {
        Path own = file;
        try (channel) {
            if (own != null && Objects.equals(inode, inode(own))) {
                Files.deleteIfExists(own);
            }
        } catch (NoSuchFileException e) {
            // Somebody was faster.
        }
    }
}
