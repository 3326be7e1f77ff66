package dev.cordon.vm.layer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A directory of finished files that never change. {@code contents} has the hash of each; {@code verified} remembers for which files, as
 * the kernel knows them (inode, size, times), the hashes were found right, because reading them all takes longer than starting a machine.
 *
 * @param directory where it is
 */
public record Layer(Path directory) {
    private static final String CONTENTS = "contents";
    private static final String VERIFIED = "verified";

    /** More files than these are brought to the disk together with all others of their file system. */
    private static final int MOST_SYNCED = 32;

    /** A file of the layer. */
    public Path file(String name) {
        return directory.resolve(name);
    }

    /** Writes down what the files are, and brings everything to the disk. */
    void seal() throws IOException {
        List<Path> files = files();
        if (files.size() > MOST_SYNCED) {
            BuildTool.run(directory, "sync", "--file-system", directory.toString());
        } else {
            for (Path file : files) {
                if (!Files.isSymbolicLink(file)) {
                    sync(file);
                }
            }
        }
        Files.writeString(file(CONTENTS), contents());
        sync(file(CONTENTS));
        Files.writeString(file(VERIFIED), facts());
    }

    /** What it holds: another one under its name that holds something else has another. */
    public String identity() throws IOException {
        return ContentHash.ofFile(file(CONTENTS));
    }

    /** Whether every file is what it was when it was made. */
    public boolean sound() {
        try {
            String facts = facts();
            Path verified = file(VERIFIED);
            if (Files.exists(verified) && Files.readString(verified).equals(facts)) {
                return true;
            }
            if (!Files.readString(file(CONTENTS)).equals(contents())) {
                return false;
            }
            Path fresh = file(VERIFIED + "." + ProcessHandle.current().pid());
            try {
                Files.writeString(fresh, facts);
                Files.move(fresh, verified, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                // A store that others own: then it is read whole each time.
                Files.deleteIfExists(fresh);
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Notes that it is used now, as far as the store lets us. */
    public void touch() {
        try {
            Files.setLastModifiedTime(file(VERIFIED), FileTime.from(Instant.now()));
        } catch (IOException e) {
            // A store that others own keeps what they use.
            return;
        }
    }

    /** When it was used last. */
    public Instant touched() {
        try {
            return Files.getLastModifiedTime(file(VERIFIED)).toInstant();
        } catch (IOException e) {
            return Instant.EPOCH;
        }
    }

    /** A line for each file: the hash of what it holds, or for a link of where it leads. */
    private String contents() throws IOException {
        StringBuilder contents = new StringBuilder();
        for (Path file : files()) {
            String hash = Files.isSymbolicLink(file) && nested(file)
                    ? new ContentHash()
                            .add(Files.readSymbolicLink(file).toString())
                            .hex()
                    : ContentHash.ofSparseFile(file);
            contents.append(hash).append(' ').append(name(file)).append('\n');
        }
        return contents.toString();
    }

    private String facts() throws IOException {
        StringBuilder facts = new StringBuilder(ContentHash.ofFile(file(CONTENTS)) + "\n");
        for (Path file : files()) {
            Map<String, Object> known =
                    Files.readAttributes(file, "unix:ino,size,mode,lastModifiedTime,ctime", LinkOption.NOFOLLOW_LINKS);
            facts.append("%s %s %s %s %s %s\n"
                    .formatted(
                            name(file),
                            known.get("ino"),
                            known.get("size"),
                            known.get("mode"),
                            known.get("lastModifiedTime"),
                            known.get("ctime")));
        }
        return facts.toString();
    }

    /** All files, also below directories. */
    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> entries = Files.walk(directory)) {
            entries.filter(entry -> !Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
                    .filter(entry ->
                            !name(entry).equals(CONTENTS) && !name(entry).startsWith(VERIFIED))
                    .sorted()
                    .forEach(files::add);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return files;
    }

    private boolean nested(Path file) {
        return !directory.equals(file.getParent());
    }

    private String name(Path file) {
        return directory.relativize(file).toString();
    }

    static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
