package dev.cordon.engine.vm.frame;

import dev.cordon.bindings.value.FileName;
import dev.cordon.engine.file.DirectoryListing;
import dev.cordon.engine.file.FileEndpoint;
import dev.cordon.engine.file.HostListing;
import dev.cordon.result.FileEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Reads the records of a directory's entries that a guest sends. The guest may say anything: what is not a name of a file is refused. */
public final class GuestListing implements DirectoryListing {
    private static final int RECORD = 24;
    private static final int LONGEST_NAME = 255;

    private final FileEndpoint records;
    private final String path;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(GuestFrame.CHUNK)
            .order(ByteOrder.nativeOrder())
            .limit(0);

    public GuestListing(FileEndpoint records, String path) {
        this.records = records;
        this.path = path;
    }

    @Override
    public List<FileEntry> next() throws IOException {
        List<FileEntry> entries = new ArrayList<>();
        while (entries.isEmpty()) {
            buffer.compact();
            int count;
            try {
                count = records.read(buffer);
            } finally {
                buffer.flip();
            }
            take(entries);
            if (count == 0) {
                if (buffer.hasRemaining()) {
                    throw new HostileGuest("a listing ends in the middle of an entry");
                }
                return entries;
            }
        }
        return entries;
    }

    private void take(List<FileEntry> entries) throws HostileGuest {
        while (buffer.remaining() >= RECORD) {
            int length = buffer.getInt(buffer.position() + Integer.BYTES);
            if (length < 1 || length > LONGEST_NAME) {
                throw new HostileGuest("a file's name has " + Integer.toUnsignedString(length) + " bytes");
            }
            if (buffer.remaining() < RECORD + length) {
                return;
            }
            int mode = buffer.getInt();
            buffer.getInt();
            long bytes = buffer.getLong();
            long modified = buffer.getLong();
            byte[] name = new byte[length];
            buffer.get(name);
            entries.add(entry(mode, bytes, modified, FileName.decode(name)));
        }
    }

    private FileEntry entry(int mode, long bytes, long modified, String name) throws HostileGuest {
        if (bytes < 0 || name.equals(".") || name.equals("..") || name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
            throw new HostileGuest("a listing has an entry that no directory has");
        }
        return HostListing.entry(path + "/" + name, mode, bytes, Instant.EPOCH.plus(modified, ChronoUnit.NANOS));
    }

    @Override
    public void close() {
        records.close();
    }
}
