package dev.cordon.server.config;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.cordon.config.Config;
import dev.cordon.config.setting.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service's table has no setting that the service does not read. */
class ServerTableTest {
    @TempDir
    private Path directory;

    @Test
    void everyKeyIsRead() throws Exception {
        List<Setting<?>> keys = ServerTable.TABLE.settings().stream()
                .filter(key -> !key.name().startsWith("server.tls_")) // read together, tried by StartTest
                .toList();
        for (Setting<?> key : keys) {
            Path file = directory.resolve("config.toml");
            Files.writeString(file, key.name() + " = " + key.toml(value(key)) + "\n");
            Config config = Config.load(file);
            assertThatCode(() -> SettingsReader.read(config, new SettingsReader.Flags(null, null, null)))
                    .as(key.name())
                    .doesNotThrowAnyException();
        }
    }

    private static String value(Setting<?> key) {
        return switch (key.name()) {
            case "server.group" -> "root"; // there is one everywhere
            case "server.listen" -> "127.0.0.1:0";
            default -> key.standard().isEmpty() ? key.type().kind().example() : key.standard();
        };
    }
}
