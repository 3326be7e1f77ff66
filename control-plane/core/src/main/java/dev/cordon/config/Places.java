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
record Places(long uid, Path files, Path more, Path state, Path run) {
    static Places ofThisProcess(Map<String, String> environment) {
        return of(effectiveUid(), environment);
    }

    static Places of(long uid, Map<String, String> environment) {
        if (uid == 0) {
            Path etc = Path.of("/etc/cordon");
            return new Places(
                    uid,
                    etc.resolve("config.toml"),
                    etc.resolve("conf.d"),
                    Path.of("/var/lib/cordon"),
                    Path.of("/run/cordon"));
        }
        Path home = absolute(environment, "HOME", Path.of("/nonexistent"));
        Path config = absolute(environment, "XDG_CONFIG_HOME", home.resolve(".config"))
                .resolve("cordon");
        Path state = absolute(environment, "XDG_STATE_HOME", home.resolve(".local/state"))
                .resolve("cordon");
        Path shared = Path.of("/tmp/cordon-" + uid);
        Path runtime = absolute(environment, "XDG_RUNTIME_DIR", shared);
        Path run = runtime.equals(shared) ? shared : runtime.resolve("cordon");
        return new Places(uid, config.resolve("config.toml"), config.resolve("conf.d"), state, run);
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
