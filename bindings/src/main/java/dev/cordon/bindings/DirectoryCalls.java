package dev.cordon.bindings;

import dev.cordon.bindings.generated.libc.LibcH;
import dev.cordon.bindings.value.DirectoryEntry;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.value.FileName;
import dev.cordon.bindings.value.FileStatus;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Looks into directories through their descriptors. */
final class DirectoryCalls {
    private static final int ROOM = 32 * 1024;

    // struct linux_dirent64: a long of inode, a long of offset, a short of length, a byte of type, the name.
    private static final int ENTRY_LENGTH = 16;
    private static final int ENTRY_TYPE = 18;
    private static final int ENTRY_NAME = 19;

    /** A directory's types are those of st_mode without the lower bits (IFTODT). */
    private static final int TYPE_SHIFT = 12;

    // struct statx, whose layout the kernel promises.
    private static final int STATUS_BYTES = 256;
    static final int STATUS_MODE = 28;
    static final int STATUS_SIZE = 40;
    static final int STATUS_MODIFIED = 112;
    static final int STATUS_MODIFIED_NANOS = 120;

    private final Libc libc;

    DirectoryCalls(Libc libc) {
        this.libc = libc;
    }

    List<DirectoryEntry> read(Fd directory) throws ErrnoException {
        List<DirectoryEntry> entries = new ArrayList<>();
        try (CallMemory memory = new CallMemory()) {
            ByteBuffer room = memory.room(ROOM);
            // What is left after . and .. may be nothing, which is not yet the end.
            while (entries.isEmpty()) {
                int length = Kernel.check("getdents64", libc.getdents(directory.number(), room));
                if (length == 0) {
                    break;
                }
                parse(room, length, entries);
            }
        }
        return entries;
    }

    private static void parse(ByteBuffer room, int length, List<DirectoryEntry> entries) {
        for (int at = 0; at < length; at += room.getShort(at + ENTRY_LENGTH)) {
            int end = at + ENTRY_NAME;
            while (room.get(end) != 0) {
                end++;
            }
            byte[] name = new byte[end - at - ENTRY_NAME];
            room.get(at + ENTRY_NAME, name);
            String text = FileName.decode(name);
            if (!text.equals(".") && !text.equals("..")) {
                entries.add(new DirectoryEntry(text, (room.get(at + ENTRY_TYPE) & 0xff) << TYPE_SHIFT));
            }
        }
    }

    FileStatus status(Fd directory, String name) throws ErrnoException {
        byte[] bytes = FileName.encode(name);
        try (CallMemory memory = new CallMemory()) {
            ByteBuffer room = memory.room(STATUS_BYTES);
            ByteBuffer text = memory.room(bytes.length + 1L).put(0, bytes);
            int flags = LibcH.AT_SYMLINK_NOFOLLOW() | LibcH.AT_NO_AUTOMOUNT();
            Kernel.check("statx", libc.statx(directory.number(), text, flags, room));
            return new FileStatus(
                    room.getShort(STATUS_MODE) & 0xffff,
                    room.getLong(STATUS_SIZE),
                    Instant.ofEpochSecond(room.getLong(STATUS_MODIFIED), room.getInt(STATUS_MODIFIED_NANOS)));
        }
    }
}
