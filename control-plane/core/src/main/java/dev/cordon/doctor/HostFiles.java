package dev.cordon.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The files that describe a host, read below a root that is "/" outside of tests. What is absent or unreadable is
 * empty, never an error: the checks say what its absence means.
 *
 * @param root what they are below
 */
record HostFiles(Path root) {

    private static final List<String> PROGRAM_FOLDERS =
            List.of("usr/local/sbin", "usr/local/bin", "usr/sbin", "usr/bin", "sbin", "bin");

    /** All lines of a text file. */
    List<String> lines(String path) {
        try {
            return Files.readAllLines(at(path), StandardCharsets.ISO_8859_1);
        } catch (IOException absent) {
            return List.of();
        }
    }

    /** The first line of a text file, without blanks around it. */
    Optional<String> line(String path) {
        return lines(path).stream().findFirst().map(String::strip);
    }

    /** The number that a file of one line holds. */
    OptionalLong number(String path) {
        try {
            return line(path)
                    .map(text -> OptionalLong.of(Long.parseLong(text.strip())))
                    .orElse(OptionalLong.empty());
        } catch (NumberFormatException other) {
            return OptionalLong.empty();
        }
    }

    /** The value of a {@code Name:	value} line, as in /proc/self/status. */
    Optional<String> field(String path, String name) {
        return lines(path).stream()
                .filter(line -> line.startsWith(name) && line.startsWith(":", name.length()))
                .findFirst()
                .map(line -> line.substring(name.length() + 1).strip());
    }

    boolean exists(String path) {
        return Files.exists(at(path));
    }

    boolean readableAndWritable(String path) {
        return Files.isReadable(at(path)) && Files.isWritable(at(path));
    }

    /** The kind and the rights of a file, as stat(2) has them; empty when it cannot be looked at. */
    OptionalLong mode(String path) {
        try {
            return Files.getAttribute(at(path), "unix:mode") instanceof Integer mode
                    ? OptionalLong.of(mode)
                    : OptionalLong.empty();
        } catch (IOException absent) {
            return OptionalLong.empty();
        }
    }

    /** The names in a folder, sorted. */
    List<String> names(String folder) {
        try (Stream<Path> entries = Files.list(at(folder))) {
            return entries.map(entry -> String.valueOf(entry.getFileName()))
                    .sorted()
                    .toList();
        } catch (IOException absent) {
            return List.of();
        }
    }

    /** Where a program is installed. Looks in the system's own folders only, not in the caller's PATH. */
    Optional<Path> program(String name) {
        return PROGRAM_FOLDERS.stream()
                .map(folder -> root.resolve(folder).resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private Path at(String path) {
        return root.resolve(path.substring(1));
    }
}
