package dev.cordon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.config.setting.ConfigSchema;
import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingTable;
import dev.cordon.config.setting.SettingValue;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The declared settings and who reads them. Those of the service are tried in its own module. */
class CoreTablesTest {
    private static final List<Setting<?>> ALL =
            SettingTable.settings(CoreTables.ALL).toList();

    @TempDir
    private Path folder;

    private Config load(Map<String, String> variables) {
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("HOME", folder.toString());
        environment.put("XDG_CONFIG_HOME", folder.toString());
        return new ConfigLoader(environment, UserDirectories.of(1001, environment)).load(null);
    }

    private String value(Setting<?> key) throws Exception {
        return switch (key.name()) {
            case "policy.file" ->
                Files.writeString(folder.resolve("p.toml"), "version = 1\n").toString();
            case "tools.directory" -> folder.toString();
            default ->
                !key.standard().isEmpty()
                        ? key.standard()
                        : key.type().choices().isEmpty()
                                ? key.type().kind().example()
                                : key.type().choices().getFirst();
        };
    }

    /** By variable, so that its spelling is tried as well. */
    @Test
    void everyKeyIsReadUnderItsVariable() throws Exception {
        for (Setting<?> key : ALL) {
            String value = value(key);
            assertThat(load(Map.of(key.variable(), value)).settings())
                    .containsExactly(Map.entry(key.name(), new SettingValue(value, key.variable())));
        }
    }

    @Test
    void everyKeyIsReadFromAFile() throws Exception {
        Path file = Files.createDirectories(folder.resolve("cordon")).resolve("config.toml");
        for (Setting<?> key : ALL) {
            Files.writeString(file, key.name() + " = " + key.toml(value(key)) + "\n");
            assertThat(load(Map.of()).settings()).as(key.name()).containsOnlyKeys(key.name());
        }
    }

    @Test
    void whatHoldsIsListedWithItsSource() {
        Map<String, SettingValue> all =
                EffectiveSettings.of(load(Map.of("CORDON_CEILINGS__MEMORY", "100M")), CoreTables.ALL);
        assertThat(all.get("ceilings.memory")).isEqualTo(new SettingValue("100M", "CORDON_CEILINGS__MEMORY"));
        assertThat(all.get("limits.memory"))
                .as("follows its ceiling")
                .isEqualTo(new SettingValue("100 MiB", "default"));
        assertThat(all.getOrDefault("paths.state", new SettingValue("", "")).text())
                .startsWith(folder.toString());
        assertThat(all).doesNotContainKeys("ceilings.pids", "audit.signing_key").containsKey("audit.keep");
        assertThat(all.keySet())
                .containsExactlyElementsOf(
                        ALL.stream().map(Setting::name).filter(all::containsKey).toList());
    }

    @Test
    void anUnknownKeyIsToldWithItsNeighbours() {
        assertThatThrownBy(() -> load(Map.of("CORDON_POOL__SIZ", "3")))
                .isInstanceOf(InvalidConfig.class)
                .hasMessageContaining("pool.siz is not a setting; known are pool.size, pool.memory");
        assertThatThrownBy(() -> load(Map.of("CORDON_NO__SUCH", "3")))
                .hasMessageContaining("the tables are limits, ceilings");
    }

    @Test
    void theSchemaHasEveryKeyAndNoOther() {
        JsonNode schema = new JsonMapper().readTree(ConfigSchema.text(CoreTables.ALL));
        assertThat(schema.path("additionalProperties").asBoolean()).isFalse();
        List<String> keys = schema.path("properties").properties().stream()
                .flatMap(table -> table.getValue().path("properties").properties().stream()
                        .map(key -> table.getKey() + "." + key.getKey()))
                .toList();
        assertThat(keys)
                .containsExactlyElementsOf(ALL.stream().map(Setting::name).toList());
        assertThat(ALL).allMatch(setting -> setting.text().endsWith("."));
    }

    /** A setting that is read and is in no table would be in no reference either. */
    @Test
    void everyDeclaredSettingIsInItsTable() throws Exception {
        for (Class<?> owner : List.of(
                CoreTables.class,
                IdRange.class,
                UsrLocal.class,
                PoolSettings.class,
                MemorySettings.class,
                AuditSettings.class,
                CheckpointSettings.class,
                VmSettings.class)) {
            int declared = 0;
            for (Field field : owner.getDeclaredFields()) {
                if (field.getType() == Setting.class) {
                    field.setAccessible(true);
                    assertThat(ALL).contains((Setting<?>) field.get(null));
                    declared++;
                }
            }
            assertThat(declared).as(owner.getSimpleName()).isPositive();
        }
    }

    /** What an operator may not write, a program may not make. */
    @Test
    void rangesHoldForProgramsToo() {
        assertThatThrownBy(() -> new PoolSettings(1001, PoolSettings.NONE.memory()))
                .hasMessage("pool.size = 1001: is not between 0 and 1000");
        assertThatThrownBy(() -> MemorySettings.STANDARD.withShare(1.5))
                .hasMessage("memory.share = 1.5: is not above 0 and at most 1");
        assertThatThrownBy(() -> VmSettings.standard(folder).with(true, 257))
                .hasMessage("vm.pool = 257: is not between 0 and 256");
    }

    @Test
    void aWrongValueIsToldWithSourceRuleAndRemedy() {
        assertThatThrownBy(() -> load(Map.of("CORDON_IDS__BASE", "many")))
                .hasMessage("CORDON_IDS__BASE: ids.base = 'many': is not a whole number; give a whole number such as"
                        + " 2100000000");
        assertThatThrownBy(() -> load(Map.of("CORDON_VM__ACCEL", "hvf")))
                .hasMessage("CORDON_VM__ACCEL: vm.accel = 'hvf': is not auto, kvm or tcg; write one of them");
        assertThatThrownBy(() -> load(Map.of("CORDON_AUDIT__CHECKPOINT_INTERVAL", "0s")))
                .hasMessage("CORDON_AUDIT__CHECKPOINT_INTERVAL: audit.checkpoint_interval = '0s': is not above zero;"
                        + " give a duration such as 10m");
    }
}
