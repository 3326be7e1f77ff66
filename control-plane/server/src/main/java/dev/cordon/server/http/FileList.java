package dev.cordon.server.http;

import dev.cordon.SandboxFileException;
import dev.cordon.SandboxFiles;
import dev.cordon.api.FileEntry;
import dev.cordon.server.jobs.Json;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** What a directory of a sandbox holds, alone or with all below it. A job can make more than anybody wants to read: the list has an end. */
final class FileList {
    private static final int MOST_ENTRIES = 10_000;
    /** Characters of the paths of directories that are still to be read. */
    private static final int MOST_REMEMBERED = 256 << 10;

    private final Context ctx;
    private final SandboxFiles files;
    private final boolean recursive;
    /** Directories that are still to be read, one after the other, so that never more than one is open. */
    private final Deque<String> ahead = new ArrayDeque<>();

    private int sent;
    private int remembered;
    private boolean truncated;

    private FileList(Context ctx, SandboxFiles files, boolean recursive) {
        this.ctx = ctx;
        this.files = files;
        this.recursive = recursive;
    }

    /** Sends the list as it is read: ten thousand of the longest paths would be forty megabytes. */
    static void send(Context ctx, SandboxFiles files, String directory, boolean recursive) throws IOException {
        FileList list = new FileList(ctx, files, recursive);
        list.read(directory, true);
        while (!list.ahead.isEmpty() && list.hasRoom()) {
            String next = list.ahead.remove();
            list.remembered -= next.length();
            list.readBelow(next);
        }
        list.write("],\"truncated\":" + (list.truncated || !list.ahead.isEmpty()) + "}");
        ctx.res().getOutputStream().flush();
    }

    private boolean hasRoom() {
        return sent < MOST_ENTRIES;
    }

    private void write(String text) throws IOException {
        ctx.res().getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
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
                ctx.status(200).contentType(Answers.JSON);
                write("{\"data\":[");
            }
            for (; any && hasRoom(); any = left.hasNext()) {
                FileEntry entry = left.next();
                write((sent++ == 0 ? "" : ",") + Json.text(json(entry)));
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

    private static ObjectNode json(FileEntry entry) {
        return Json.object()
                .put("path", entry.display())
                .put("kind", entry.kind().name().toLowerCase(Locale.ROOT))
                .put("size", entry.size().bytes())
                .put("mode", "0" + Integer.toOctalString(entry.mode()))
                .put("modified_at", entry.modified().toString());
    }
}
