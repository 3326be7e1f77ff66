package dev.cordon.engine.vm.frame;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads the struct at the start of a frame's body, field by field. A body that does not fit is refused. */
public final class FrameFields {
    private final GuestFrame frame;
    private final ByteBuffer room;

    FrameFields(GuestFrame frame) {
        this.frame = frame;
        this.room = ByteBuffer.wrap(frame.body()).order(ByteOrder.nativeOrder());
    }

    /** Checks that the body is a struct of this size, which states its size first, and nothing else. */
    public FrameFields exactly(int size) throws HostileGuest {
        return atLeast(size).nothingAfter(size);
    }

    /** Checks that the body starts with a struct of this size, which states its size first. */
    FrameFields atLeast(int size) throws HostileGuest {
        if (room.remaining() < size || takeInt() != size) {
            throw new HostileGuest(frame.type() + " has " + frame.body().length + " bytes, not a struct of " + size);
        }
        return this;
    }

    private FrameFields nothingAfter(int size) throws HostileGuest {
        if (frame.body().length != size) {
            throw new HostileGuest(frame.type() + " has bytes after its struct of " + size);
        }
        return this;
    }

    public int takeInt() {
        return room.getInt();
    }

    public long takeLong() {
        return room.getLong();
    }

    /** A text field of this many bytes, up to its NUL; control characters are shown as question marks. */
    public String takeText(int bytes) {
        byte[] text = new byte[bytes];
        room.get(text);
        int length = 0;
        while (length < bytes && text[length] != 0) {
            length++;
        }
        return new String(text, 0, length, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
    }

    /** What follows. */
    byte[] rest() {
        byte[] rest = new byte[room.remaining()];
        room.get(rest);
        return rest;
    }
}
