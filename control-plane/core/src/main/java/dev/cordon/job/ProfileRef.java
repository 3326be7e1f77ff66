package dev.cordon.job;

import java.nio.file.Path;

/** Which seccomp profile filters a job's system calls. */
public sealed interface ProfileRef {
    /**
     * One of Cordon's own: {@code default}, {@code strict}, {@code jvm}, {@code debug}.
     *
     * @param name its name
     */
    record Named(String name) implements ProfileRef {}

    /**
     * A JSON file in the OCI format.
     *
     * @param file the file on the host
     */
    record FromFile(Path file) implements ProfileRef {}

    /** The name or the path, for messages. */
    default String shown() {
        return switch (this) {
            case Named named -> named.name();
            case FromFile file -> file.file().toString();
        };
    }
}
