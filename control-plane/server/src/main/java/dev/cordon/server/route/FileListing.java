package dev.cordon.server.route;

import dev.cordon.SandboxFileException;
import dev.cordon.SandboxFiles;
import dev.cordon.result.FileEntry;
import dev.cordon.server.http.HttpAnswers;
import dev.cordon.server.job.JsonTree;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;

/** What a directory of a sandbox holds, alone or with all below it. A job can make more than anybody wants to read: the list has an end. */
final class FileListing {
    private static final int MOST_ENTRIES = 10_000;
    /** Characters of the paths of directories that are still to be read. */
    private static final int MOST_REMEMBERED = 256 << 10;

    private final Context ctx;
    private final SandboxFiles files;
    private final boolean recursive;
    /** Never closed: what breaks off in the middle must not look whole. */
    private final JsonGenerator json;

    /** Directories that are still to be read, one after the other, so that never more than one is open. */
    private final Deque<String> ahead = new ArrayDeque<>();

    private int sent;
    private int remembered;
    private boolean truncated;

    private FileListing(Context ctx, SandboxFiles files, boolean recursive) throws IOException {
        this.ctx = ctx;
        this.files = files;
        this.recursive = recursive;
        this.json = JsonTree.generator(ctx.res().getOutputStream());
    }

    /** Sends the list as it is read: ten thousand of the longest paths would be forty megabytes. */
    static void send(Context ctx, SandboxFiles files, String directory, boolean recursive) throws IOException {
        try {
            new FileListing(ctx, files, recursive).send(directory);
        } catch (JacksonIOException e) { // the connection's matter
            throw e.getCause();
        }
    }

    private void send(String directory) throws IOException {
        read(directory, true);
        while (!ahead.isEmpty() && hasRoom()) {
            String next = ahead.remove();
            remembered -= next.length();
            readBelow(next);
        }
        json.writeEndArray();
        json.writeBooleanProperty("truncated", truncated || !ahead.isEmpty());
        json.writeEndObject();
        json.flush();
    }

    private boolean hasRoom() {
        return sent < MOST_ENTRIES;
    }

    /** A directory that the job removed or closed meanwhile, or whose path is too long, is one that is left out. */
    private void readBelow(String directory) throws IOException {
        try {
            read(directory, false);
        } catch (SandboxFileException e) {
            truncated = true;
        }
    }

    private void read(String directory, boolean first) throws IOException {
        try (Stream<FileEntry> entries = files.list(directory)) {
            Iterator<FileEntry> left = entries.iterator();
            boolean any = left.hasNext(); // what cannot be read is a problem, not a broken answer
            if (first) {
                ctx.status(200).contentType(HttpAnswers.JSON);
                json.writeStartObject();
                json.writeArrayPropertyStart("data");
            }
            for (; any && hasRoom(); any = left.hasNext()) {
                FileEntry entry = left.next();
                write(entry);
                sent++;
                if (recursive && entry.kind() == FileEntry.Kind.DIRECTORY) {
                    ahead(entry.path());
                }
            }
            truncated |= any;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void ahead(String directory) {
        if (remembered + directory.length() > MOST_REMEMBERED) {
            truncated = true;
            return;
        }
        remembered += directory.length();
        ahead.add(directory);
    }

    private void write(FileEntry entry) {
        json.writeStartObject()
                .writeStringProperty("path", entry.display())
                .writeStringProperty("kind", entry.kind().name().toLowerCase(Locale.ROOT))
                .writeNumberProperty("size", entry.size().bytes())
                .writeStringProperty("mode", "0" + Integer.toOctalString(entry.mode()))
                .writeStringProperty("modified_at", entry.modified().toString())
                .writeEndObject();
    }
}
