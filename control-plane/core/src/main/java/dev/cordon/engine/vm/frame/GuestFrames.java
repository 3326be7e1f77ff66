package dev.cordon.engine.vm.frame;

import dev.cordon.cgroup.CgroupLimits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the host says to a guest. */
public final class GuestFrames {
    static final int WIRE_HEADER = 16;
    static final int MESSAGE_STRUCT = 16 + 8 * GuestMessage.MOST_ATTACHMENTS;
    private static final int RENEW_STRUCT = 24 + GuestFrame.SEED_BYTES + 2 * GuestFrame.NAME_BYTES;
    private static final int GROUND_STRUCT = 32;
    private static final int PAIR_STRUCT = 8;

    private GuestFrames() {}

    /** What makes a restored machine one of its own. */
    public static GuestFrame renew(long nonce, Instant now, byte[] seed, String hostname, String machineId) {
        FrameBody body = new FrameBody(RENEW_STRUCT, 0).put(0).put(nonce);
        body.put(now.getEpochSecond() * 1_000_000_000L + now.getNano());
        body.put(seed).put(name(hostname)).put(name(machineId));
        return new GuestFrame(FrameType.RENEW, 0, body.bytes());
    }

    private static byte[] name(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length >= GuestFrame.NAME_BYTES) {
            throw new IllegalArgumentException("a name has " + bytes.length + " bytes: " + text);
        }
        return Arrays.copyOf(bytes, GuestFrame.NAME_BYTES);
    }

    public static GuestFrame ground(CgroupLimits limits) {
        FrameBody body = new FrameBody(GROUND_STRUCT, 0).put(0);
        body.put(limits.memoryBytes()).put(limits.pids()).put(limits.cpuMillionths());
        return new GuestFrame(FrameType.GROUND, 0, body.bytes());
    }

    public static GuestFrame freeze(boolean frozen) {
        return pair(FrameType.FREEZE, 0, frozen ? 1 : 0);
    }

    static GuestFrame askUsage() {
        return new GuestFrame(FrameType.ASK_USAGE, 0, new byte[0]);
    }

    static GuestFrame data(int stream, byte[] bytes) {
        return new GuestFrame(FrameType.DATA, stream, bytes);
    }

    static GuestFrame end(int stream, int error) {
        return pair(FrameType.END, stream, error);
    }

    static GuestFrame credit(int stream, int bytes) {
        return pair(FrameType.CREDIT, stream, bytes);
    }

    private static GuestFrame pair(FrameType type, int id, int value) {
        return new GuestFrame(type, id, new FrameBody(PAIR_STRUCT, 0).put(value).bytes());
    }

    /** Content in as many frames as it takes; empty content is one frame, too. */
    public static List<GuestFrame> content(int id, byte[] content) {
        if (content.length > GuestFrame.MAX_CONTENT) {
            throw new IllegalArgumentException(
                    "content of " + content.length + " bytes is more than a guest's " + GuestFrame.MAX_CONTENT);
        }
        List<GuestFrame> frames = new ArrayList<>();
        int at = 0;
        do {
            int length = Math.min(content.length - at, GuestFrame.CHUNK);
            byte[] piece = Arrays.copyOfRange(content, at, at + length);
            FrameBody body =
                    new FrameBody(PAIR_STRUCT, length).put(content.length).put(piece);
            frames.add(new GuestFrame(FrameType.CONTENT, id, body.bytes()));
            at += length;
        } while (at < content.length);
        return frames;
    }

    /**
     * A message of the wire.
     *
     * @param packet      with its header, as the supervisor's socket would take it
     * @param attachments what stands for its descriptors, in their order
     */
    public static GuestFrame message(byte[] packet, List<GuestAttachment> attachments) {
        ByteBuffer wire = ByteBuffer.wrap(packet).order(ByteOrder.nativeOrder());
        int length = packet.length - WIRE_HEADER;
        FrameBody body = new FrameBody(MESSAGE_STRUCT, length)
                .put(Short.toUnsignedInt(wire.getShort(2)))
                .put(wire.getInt(8))
                .put(attachments.size());
        for (GuestAttachment attachment : attachments) {
            body.put(attachment.kind().code()).put(attachment.id());
        }
        body.at(MESSAGE_STRUCT).put(Arrays.copyOfRange(packet, WIRE_HEADER, packet.length));
        return new GuestFrame(FrameType.MESSAGE, 0, body.bytes());
    }
}
