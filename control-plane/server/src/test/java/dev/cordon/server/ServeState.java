package dev.cordon.server;

import dev.cordon.server.access.Role;
import dev.cordon.server.store.SqliteDatabase;
import dev.cordon.server.store.TokenStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What services of one test have in common, one after the other: a directory with settings and state, and a token of the owner alice.
 *
 * @param directory short enough for the name of a socket
 * @param token     of role submit
 */
public record ServeState(Path directory, String token) {
    /** Makes it, with these lines in the section {@code server}. */
    public static ServeState in(Path directory, String... settings) throws IOException {
        Path state = StateDirectory.prepared(directory.resolve("server"));
        Files.writeString(
                directory.resolve("config.toml"),
                "[paths]\nstate = \"%s\"\nrun = \"%s\"\n[audit]\ndirectory = \"%s\"\n[server]\n%s\n"
                        .formatted(
                                directory.resolve("state"),
                                directory.resolve("run"),
                                directory.resolve("state/audit"),
                                String.join("\n", settings)));
        try (SqliteDatabase database = SqliteDatabase.open(StateDirectory.databaseOf(state))) {
            return new ServeState(
                    directory,
                    new TokenStore(database)
                            .create("alice", Role.SUBMIT, "", null, _ -> {})
                            .text());
        }
    }

    /** Starts a service, with these options for its JVM. */
    public ServeProcess serve(String... options) throws IOException {
        return new ServeProcess(
                directory.resolve("config.toml"), directory.resolve("s"), directory.resolve("server"), options);
    }

    /** Starts one as {@link ServeProcess} describes. */
    public ServeProcess serve(List<String> before, boolean heard, String... options) throws IOException {
        return new ServeProcess(
                before,
                heard,
                directory.resolve("config.toml"),
                directory.resolve("s"),
                directory.resolve("server"),
                options);
    }
}
