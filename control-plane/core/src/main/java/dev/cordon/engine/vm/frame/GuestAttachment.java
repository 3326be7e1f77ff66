package dev.cordon.engine.vm.frame;

/**
 * What stands for a descriptor that cannot travel into a machine or out of it.
 *
 * @param kind what it becomes on the other side
 * @param id   the content's or the stream's
 */
public record GuestAttachment(Kind kind, int id) {
    /** In the numbers of {@code enum guest_attachment_kind}. */
    public enum Kind {
        /** A sealed memfd in the guest. */
        CONTENT(1),
        /** Bytes go into the guest. */
        TO_GUEST(2),
        /** Bytes come out of the guest. */
        FROM_GUEST(3),
        /** A terminal: both ways. */
        TERMINAL(4),
        /** Records of a directory's entries come out of the guest. */
        LISTING(5);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static Kind of(int code) throws HostileGuest {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new HostileGuest("an attachment's kind is " + code);
        }
    }
}
