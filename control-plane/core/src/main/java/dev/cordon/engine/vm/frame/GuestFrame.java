package dev.cordon.engine.vm.frame;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One frame of the channel to a guest.
 *
 * @param type what it is
 * @param id   the stream or the content it is about; else 0
 * @param body what follows the header
 */
@SuppressWarnings("ArrayRecordComponent")
public // handled once, never compared
record GuestFrame(FrameType type, int id, byte[] body) {
    // The numbers of cordon_guest.h; a test compares them with the header.
    public static final int MAGIC = 0x54534743;
    public static final int VERSION = 1;
    static final int HEADER_BYTES = 16;
    static final int MAX_BODY = 66048;
    public static final int CHUNK = 32768;
    static final int WINDOW = 131072;
    static final int MAX_STREAMS = 1024;
    static final int MAX_CONTENT = 4194304;
    public static final int STREAM_BIT = 0x80000000;
    public static final int SEED_BYTES = 64;
    static final int NAME_BYTES = 64;
    public static final int TEXT_BYTES = 256;

    public GuestFrame {
        if (body.length > MAX_BODY) {
            throw new IllegalArgumentException("a frame's body has " + body.length + " bytes, the most is " + MAX_BODY);
        }
    }

    /** The frame as it travels. */
    byte[] encode() {
        return ByteBuffer.allocate(HEADER_BYTES + body.length)
                .order(ByteOrder.nativeOrder())
                .putInt(MAGIC)
                .putShort((short) VERSION)
                .putShort((short) type.code())
                .putInt(body.length)
                .putInt(id)
                .put(body)
                .array();
    }

    /** The fields of the body. */
    public FrameFields fields() {
        return new FrameFields(this);
    }
}
