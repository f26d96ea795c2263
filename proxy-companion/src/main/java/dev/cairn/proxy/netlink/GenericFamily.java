package dev.cairn.proxy.netlink;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A family of generic netlink. Numbers are those of linux/genetlink.h.
 *
 * @param id its number in this kernel
 */
public record GenericFamily(int id) {
    private static final int CONTROL = 0x10;
    private static final int GET_FAMILY = 3;
    private static final int ATTR_ID = 1;
    private static final int ATTR_NAME = 2;

    /** Where attributes begin in an answer. */
    public static final int HEAD = 4;

    /** Asks for a family by its name; {@code ENOENT} if the kernel has none. It may load a module for it. */
    public static GenericFamily find(NetlinkSocket socket, String name) throws NetlinkException {
        AtomicInteger found = new AtomicInteger();
        Message question = new Message(CONTROL, 0).u8(GET_FAMILY).u8(1).u16(0).text(ATTR_NAME, name);
        socket.ask("finding the family " + name, question, (_, answer) -> Attribute.list(answer, HEAD).stream()
                .filter(attribute -> attribute.type() == ATTR_ID)
                .forEach(attribute -> found.set(attribute.number())));
        return new GenericFamily(found.get());
    }

    /** Begins a request to it. */
    public Message request(int command, int version, int flags) {
        return new Message(id, flags).u8(command).u8(version).u16(0);
    }
}
