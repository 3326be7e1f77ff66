package dev.cordon.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserDirectoriesTest {
    @Test
    void rootsAreTheSystems() {
        UserDirectories places =
                UserDirectories.of(0, Map.of("XDG_CONFIG_HOME", "/x", "XDG_RUNTIME_DIR", "/y", "HOME", "/root"));
        assertThat(places.files()).isEqualTo(Path.of("/etc/cordon/config.toml"));
        assertThat(places.run()).isEqualTo(Path.of("/run/cordon"));
        assertThat(places.state()).isEqualTo(Path.of("/var/lib/cordon"));
    }

    @Test
    void aUsersFollowTheBaseDirectories() {
        UserDirectories places = UserDirectories.of(
                1001,
                Map.of("HOME", "/home/ada", "XDG_RUNTIME_DIR", "/run/user/1001", "XDG_CONFIG_HOME", "/home/ada/cfg"));
        assertThat(places.files()).isEqualTo(Path.of("/home/ada/cfg/cordon/config.toml"));
        assertThat(places.run()).isEqualTo(Path.of("/run/user/1001/cordon"));
        assertThat(places.state()).isEqualTo(Path.of("/home/ada/.local/state/cordon"));
    }

    /** In /tmp anybody could be first, and keep the user from running anything. */
    @Test
    void withoutARuntimeDirectoryTheRunDirectoryIsInTheUsersOwn(@TempDir Path home) {
        assertThat(UserDirectories.of(1001, Map.of("HOME", home.toString())).run())
                .isEqualTo(home.resolve(".local/state/cordon/run"));
        assertThat(UserDirectories.of(1001, Map.of("XDG_STATE_HOME", home.toString()))
                        .run())
                .isEqualTo(home.resolve("cordon/run"));
    }

    @Test
    void withoutAnyOfTheirOwnItCarriesTheUid() {
        assertThat(UserDirectories.of(1001, Map.of("HOME", "/dev/null/home")).run())
                .isEqualTo(Path.of("/tmp/cordon-1001"));
        assertThat(UserDirectories.of(1001, Map.of()).run()).isEqualTo(Path.of("/tmp/cordon-1001"));
        assertThat(UserDirectories.of(1001, Map.of("XDG_RUNTIME_DIR", "relative"))
                        .run())
                .isEqualTo(Path.of("/tmp/cordon-1001"));
    }
}
