package dev.cordon;

import dev.cordon.files.ArchiveUpload;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.ArchiveLimits;
import dev.cordon.result.ArchiveSummary;
import dev.cordon.result.FileEntry;
import dev.cordon.vm.archive.TarEntry;
import dev.cordon.vm.archive.TarWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Moves whole trees in and out of a sandbox. */
final class SandboxArchiver {
    private static final int MOST_TOLD = 100;
    /** Each directory on the way down is open meanwhile. */
    private static final int MOST_DEPTH = 256;

    private static final int PERMISSIONS = 0777;

    private final SandboxFiles files;
    private final List<String> skipped = new ArrayList<>();
    private long skips;
    private long fileCount;
    private long directoryCount;
    private long bytes;

    SandboxArchiver(SandboxFiles files) {
        this.files = files;
    }

    private ArchiveSummary summary() {
        return new ArchiveSummary(fileCount, directoryCount, ByteSize.bytes(bytes), skipped, skips);
    }

    private void skip(String path, String why) {
        skips++;
        if (skipped.size() < MOST_TOLD) {
            skipped.add(FileEntry.display(path) + ": " + why);
        }
    }

    ArchiveSummary unpack(String directory, InputStream tar, ArchiveLimits limits) throws IOException {
        files.mkdir(directory);
        ArchiveUpload upload = new ArchiveUpload(tar, limits);
        for (ArchiveUpload.Entry entry = upload.next(); entry != null; entry = upload.next()) {
            String path =
                    entry.path().isEmpty() ? directory : (directory.isEmpty() ? "" : directory + "/") + entry.path();
            if (entry.directory()) {
                files.mkdir(path);
                directoryCount++;
            } else {
                bytes += files.put(path, upload.content(), entry.mode());
                fileCount++;
            }
        }
        return summary();
    }

    ArchiveSummary pack(String path, OutputStream out) throws IOException {
        FileEntry top = files.stat(path);
        TarWriter tar = new TarWriter(out);
        switch (top.kind()) {
            case FILE -> file(top, top.name(), tar);
            case DIRECTORY -> directory(top, top.name(), tar, 0);
            case LINK, OTHER ->
                throw new SandboxFileException(path, "", "is neither a file nor a directory; links are not followed");
        }
        tar.finish();
        return summary();
    }

    private void directory(FileEntry directory, String name, TarWriter tar, int depth) throws IOException {
        if (depth > MOST_DEPTH) {
            skip(directory.path(), "is more than " + MOST_DEPTH + " directories deep");
            return;
        }
        Stream<FileEntry> entries;
        try {
            entries = files.list(directory.path());
        } catch (SandboxFileException e) {
            skip(directory.path(), String.valueOf(e.getMessage()));
            return;
        }
        try (entries) {
            tar.write(TarEntry.directory(
                    name, directory.mode() & PERMISSIONS, directory.modified().getEpochSecond()));
            directoryCount++;
            for (Iterator<FileEntry> each = entries.iterator(); each.hasNext(); ) {
                FileEntry entry = each.next();
                String inner = name + "/" + entry.name();
                switch (entry.kind()) {
                    case FILE -> file(entry, inner, tar);
                    case DIRECTORY -> directory(entry, inner, tar, depth + 1);
                    case LINK -> skip(entry.path(), "is a symbolic link");
                    case OTHER -> skip(entry.path(), "is a pipe, a socket or a device");
                }
            }
        } catch (UncheckedIOException e) {
            skip(directory.path(), String.valueOf(e.getMessage()));
        }
    }

    /** What was a file when it was listed may be anything by now: that is told, and the rest goes on. */
    private void file(FileEntry entry, String name, TarWriter tar) throws IOException {
        OpenedFile content;
        try {
            content = files.openSized(entry.path());
        } catch (SandboxFileException e) {
            skip(entry.path(), String.valueOf(e.getMessage()));
            return;
        }
        try (content) {
            long size = content.size();
            int mode = entry.mode() & PERMISSIONS;
            tar.write(TarEntry.file(name, size, mode, entry.modified().getEpochSecond()), content);
            bytes += size;
            fileCount++;
        }
    }
}
