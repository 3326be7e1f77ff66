package dev.cordon.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacesTest {
    @Test
    void rootsAreTheSystems() {
        Places places = Places.of(0, Map.of("XDG_CONFIG_HOME", "/x", "XDG_RUNTIME_DIR", "/y", "HOME", "/root"));
        assertThat(places.files()).isEqualTo(Path.of("/etc/cordon/config.toml"));
        assertThat(places.run()).isEqualTo(Path.of("/run/cordon"));
        assertThat(places.state()).isEqualTo(Path.of("/var/lib/cordon"));
    }

    @Test
    void aUsersFollowTheBaseDirectories() {
        Places places = Places.of(
                1001,
                Map.of("HOME", "/home/ada", "XDG_RUNTIME_DIR", "/run/user/1001", "XDG_CONFIG_HOME", "/home/ada/cfg"));
        assertThat(places.files()).isEqualTo(Path.of("/home/ada/cfg/cordon/config.toml"));
        assertThat(places.run()).isEqualTo(Path.of("/run/user/1001/cordon"));
        assertThat(places.state()).isEqualTo(Path.of("/home/ada/.local/state/cordon"));
    }

    @Test
    void withoutARuntimeDirectoryTheRunDirectoryCarriesTheUid() {
        assertThat(Places.of(1001, Map.of()).run()).isEqualTo(Path.of("/tmp/cordon-1001"));
        assertThat(Places.of(1001, Map.of("XDG_RUNTIME_DIR", "relative")).run()).isEqualTo(Path.of("/tmp/cordon-1001"));
    }
}
