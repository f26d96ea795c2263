package dev.cairn.proxy.netlink;

import java.io.IOException;

/** The kernel refused, or could not be asked. */
public final class NetlinkException extends IOException {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EAGAIN = 11;
    public static final int EEXIST = 17;
    public static final int ENODEV = 19;
    public static final int EINVAL = 22;
    public static final int EPROTONOSUPPORT = 93;
    public static final int EOPNOTSUPP = 95;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ENOBUFS = 105;

    private static final long serialVersionUID = 1;

    private final int errno;

    public NetlinkException(String what, int errno) {
        super(what + ": " + text(errno));
        this.errno = errno;
    }

    /** The kernel's number for the reason. */
    public int errno() {
        return errno;
    }

    private static String text(int errno) {
        return switch (errno) {
            case EPERM -> "not permitted";
            case ENOENT -> "no such thing";
            case ESRCH -> "nothing there";
            case EAGAIN -> "no answer";
            case 12 -> "out of memory";
            case EEXIST -> "there already";
            case ENODEV -> "no such device";
            case EINVAL -> "not valid";
            case EPROTONOSUPPORT, EOPNOTSUPP -> "the kernel does not have it";
            case EADDRNOTAVAIL -> "no such address";
            default -> "errno " + errno;
        };
    }
}
