package dev.cairn.upstream;

import dev.cairn.kernel.Promptness;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of the process. They start with the first user and end with the last, so that a reload, which starts before it stops, keeps
 * them.
 */
public final class UpstreamLoops {
    private static final int MAX_LANES = 4;

    private final int count;
    private int users;
    private @Nullable MultiThreadIoEventLoopGroup group;
    private List<Lane> lanes = List.of();

    public UpstreamLoops() {
        this(Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, MAX_LANES));
    }

    /** The same with so many lanes. */
    public UpstreamLoops(int count) {
        this.count = count;
    }

    /** Begins to use the lanes. */
    public synchronized List<Lane> acquire() {
        if (users++ == 0) {
            boolean epoll = Epoll.isAvailable();
            DefaultThreadFactory names = new DefaultThreadFactory("cairn-upstream", true);
            ThreadFactory prompt = task -> names.newThread(Promptness.prompt(task));
            MultiThreadIoEventLoopGroup made = new MultiThreadIoEventLoopGroup(count, prompt, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
            List<Lane> fresh = new ArrayList<>();
            made.forEach(loop -> fresh.add(new Lane(fresh.size(), (EventLoop) loop, epoll)));
            group = made;
            lanes = List.copyOf(fresh);
        }
        return lanes;
    }

    /** Ends one use. */
    public synchronized void release() {
        MultiThreadIoEventLoopGroup last = group;
        if (--users == 0 && last != null) {
            last.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            group = null;
            lanes = List.of();
        }
    }
}
