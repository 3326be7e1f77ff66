package dev.cordon.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where things are for a user: root's in /etc, /run and /var/lib, anybody else's where the XDG base directory specification has them.
 *
 * @param uid   the effective user
 * @param files the configuration file
 * @param more  a directory of further ones, read in the order of their names
 * @param state what outlives a restart
 * @param run   what does not outlive a reboot
 */
record UserDirectories(long uid, Path files, Path more, Path state, Path run) {
    private static final Path NO_HOME = Path.of("/nonexistent");

    static UserDirectories ofThisProcess(Map<String, String> environment) {
        return of(effectiveUid(), environment);
    }

    static UserDirectories of(long uid, Map<String, String> environment) {
        if (uid == 0) {
            Path etc = Path.of("/etc/cordon");
            return new UserDirectories(
                    uid,
                    etc.resolve("config.toml"),
                    etc.resolve("conf.d"),
                    Path.of("/var/lib/cordon"),
                    Path.of("/run/cordon"));
        }
        Path home = absolute(environment, "HOME", NO_HOME);
        Path config = absolute(environment, "XDG_CONFIG_HOME", home.resolve(".config"))
                .resolve("cordon");
        Path state = absolute(environment, "XDG_STATE_HOME", home.resolve(".local/state"))
                .resolve("cordon");
        Path runtime = absolute(environment, "XDG_RUNTIME_DIR", Path.of(""));
        Path run = runtime.isAbsolute() ? runtime.resolve("cordon") : withoutRuntimeDirectory(uid, state);
        return new UserDirectories(uid, config.resolve("config.toml"), config.resolve("conf.d"), state, run);
    }

    /** In /tmp anybody can be first to make a name, and so keep a user from it: that is for users without a directory of their own. */
    private static Path withoutRuntimeDirectory(long uid, Path state) {
        if (state.startsWith(NO_HOME)) {
            return Path.of("/tmp/cordon-" + uid);
        }
        Path there = state;
        for (Path parent = there.getParent(); parent != null && !Files.exists(there); parent = there.getParent()) {
            there = parent;
        }
        return Files.isDirectory(there) && Files.isWritable(there)
                ? state.resolve("run")
                : Path.of("/tmp/cordon-" + uid);
    }

    /** The specification has relative paths ignored. */
    private static Path absolute(Map<String, String> environment, String name, Path otherwise) {
        String value = environment.getOrDefault(name, "");
        return value.startsWith("/") ? Path.of(value) : otherwise;
    }

    private static long effectiveUid() {
        try {
            return ((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue();
        } catch (IOException e) {
            throw new UncheckedIOException("/proc is not mounted; Cordon needs it", e);
        }
    }
}
