package dev.cordon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The table of keys and who reads them. The service's keys are tried in its own module. */
class ConfigKeysTest {
    @TempDir
    private Path folder;

    private Config load(Map<String, String> variables) {
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("HOME", folder.toString());
        environment.put("XDG_CONFIG_HOME", folder.toString());
        return new ConfigLoader(environment, Places.of(1001, environment)).load(null);
    }

    private String value(ConfigKey key) throws Exception {
        return switch (key.name()) {
            case "policy.file" ->
                Files.writeString(folder.resolve("p.toml"), "version = 1\n").toString();
            case "tools.directory" -> folder.toString();
            default ->
                !key.standard().isEmpty()
                        ? key.standard()
                        : key.choices().isEmpty()
                                ? key.kind().example()
                                : key.choices().getFirst();
        };
    }

    /** By variable, so that its spelling is tried as well. */
    @Test
    void everyKeyIsReadUnderItsVariable() throws Exception {
        for (ConfigKey key : ConfigKeys.all()) {
            String value = value(key);
            assertThat(load(Map.of(key.variable(), value)).settings())
                    .containsExactly(Map.entry(key.name(), new Setting(value, key.variable())));
        }
    }

    @Test
    void everyKeyIsReadFromAFile() throws Exception {
        Path file = Files.createDirectories(folder.resolve("cordon")).resolve("config.toml");
        for (ConfigKey key : ConfigKeys.all()) {
            Files.writeString(file, key.name() + " = " + key.toml(value(key)) + "\n");
            assertThat(load(Map.of()).settings()).as(key.name()).containsOnlyKeys(key.name());
        }
    }

    @Test
    void whatHoldsIsListedWithItsSource() {
        Map<String, Setting> all = EffectiveSettings.of(load(Map.of("CORDON_CEILINGS__MEMORY", "100M")));
        assertThat(all.get("ceilings.memory")).isEqualTo(new Setting("100M", "CORDON_CEILINGS__MEMORY"));
        assertThat(all.get("limits.memory")).as("follows its ceiling").isEqualTo(new Setting("100 MiB", "default"));
        assertThat(all.getOrDefault("paths.state", new Setting("", "")).text()).startsWith(folder.toString());
        assertThat(all).doesNotContainKeys("ceilings.pids", "server.listen").containsKey("server.max_queue");
        List<String> order = ConfigKeys.all().stream().map(ConfigKey::name).toList();
        assertThat(all.keySet()).isSubsetOf(order);
    }

    @Test
    void anUnknownKeyIsToldWithItsNeighbours() {
        assertThatThrownBy(() -> load(Map.of("CORDON_POOL__SIZ", "3")))
                .isInstanceOf(InvalidConfig.class)
                .hasMessageContaining("pool.siz is no setting; known are pool.size, pool.memory");
        assertThatThrownBy(() -> load(Map.of("CORDON_NO__SUCH", "3")))
                .hasMessageContaining("the tables are limits, ceilings");
    }

    @Test
    void theSchemaHasEveryKeyAndNoOther() {
        JsonNode schema = new JsonMapper().readTree(ConfigSchema.text());
        assertThat(schema.path("additionalProperties").asBoolean()).isFalse();
        List<String> keys = schema.path("properties").properties().stream()
                .flatMap(table -> table.getValue().path("properties").properties().stream()
                        .map(key -> table.getKey() + "." + key.getKey()))
                .toList();
        assertThat(keys)
                .containsExactlyElementsOf(
                        ConfigKeys.all().stream().map(ConfigKey::name).toList());
        assertThat(ConfigKeys.all()).allMatch(key -> key.description().endsWith("."));
    }
}
