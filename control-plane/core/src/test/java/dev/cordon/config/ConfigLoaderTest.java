package dev.cordon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingTable;
import dev.cordon.config.setting.SettingValue;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigLoaderTest {
    private static final long ANYBODY = 1001;

    @TempDir
    private Path folder;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void home() {
        environment.put("HOME", folder.toString());
        environment.put("XDG_CONFIG_HOME", folder.toString());
    }

    private Config load() {
        return new ConfigLoader(environment, UserDirectories.of(ANYBODY, environment)).load(null);
    }

    private List<String> errors() {
        InvalidConfig invalid = catchThrowableOfType(InvalidConfig.class, this::load);
        return invalid == null ? List.of() : invalid.errors();
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve("cordon").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    @Test
    void withoutFilesEverythingIsTheBuiltInDefault() {
        Config config = load();
        assertThat(config.ceilings()).isEmpty();
        assertThat(config.ids()).isEqualTo(new IdRange(2_100_000_000L, 65_536));
        assertThat(config.settings()).isEmpty();
        for (Limit limit : Limit.values()) {
            Long expected = limit.standard().isPresent() ? limit.standard().getAsLong() : null;
            assertThat(config.defaults().get(limit)).as(limit.key()).isEqualTo(expected);
        }
    }

    @Test
    void aFileSetsDefaultsCeilingsIdsAndPaths() throws IOException {
        Path file = write("config.toml", """
            [limits]
            memory = "256M"
            cpus = 0.5
            pids = 64

            [ceilings]
            memory = "1G"
            timeout = "5m"

            [ids]
            base = 1900000000
            count = 100

            [paths]
            run = "/srv/cordon/run"
            """);
        Config config = load();
        assertThat(config.defaults())
                .containsEntry(Limit.MEMORY, 256L << 20)
                .containsEntry(Limit.CPUS, 500_000L)
                .containsEntry(Limit.PIDS, 64L);
        assertThat(config.ceilings()).containsOnlyKeys(Limit.MEMORY, Limit.TIMEOUT);
        assertThat(config.ids()).isEqualTo(new IdRange(1_900_000_000L, 100));
        assertThat(config.runDirectory()).isEqualTo(Path.of("/srv/cordon/run"));
        assertThat(config.settings()).containsEntry("limits.memory", new SettingValue("256M", file.toString()));
    }

    @Test
    void aPoolIsSetBySizeAndMemory() throws IOException {
        assertThat(load().pool()).isEqualTo(PoolSettings.NONE);
        write("config.toml", "pool.size = 8\npool.memory = \"16M\"\n");
        assertThat(load().pool()).isEqualTo(new PoolSettings(8, ByteSize.mib(16)));
        write("config.toml", "pool.supervisors = 3\n");
        assertThat(load().pool()).isEqualTo(new PoolSettings(0, ByteSize.mib(64), 3));
        write("config.toml", "pool.size = -1\npool.memory = \"much\"\n");
        assertThatThrownBy(this::load)
                .isInstanceOf(InvalidConfig.class)
                .hasMessageContaining("pool.size = '-1': is not between 0 and 1000")
                .hasMessageContaining("pool.memory = 'much'");
    }

    @Test
    void theAuditLogHoldsWhatItIsToldTo() throws IOException {
        assertThat(load().audit().keep()).isEqualTo(AuditSettings.KEEP);
        write("config.toml", "audit.rotate = \"1M\"\naudit.keep = \"2M\"\n");
        assertThat(load().audit().keep()).isEqualTo(ByteSize.mib(2));
        write("config.toml", "audit.rotate = \"5000000T\"\n");
        assertThat(errors()).singleElement().asString().contains("audit.rotate", "too much");
        write("config.toml", "audit.rotate = \"1M\"\naudit.keep = \"1M\"\n");
        assertThat(errors()).singleElement().asString().contains("audit.keep", "less than twice audit.rotate");
        write("config.toml", "audit.rotate = \"6G\"\n");
        assertThat(load().audit().keep()).isEqualTo(ByteSize.gib(12));
    }

    @Test
    void aServiceHasAPoolUnlessItIsToldOtherwise() throws IOException {
        assertThat(load().pooled().pool()).isEqualTo(PoolSettings.SERVICE);
        write("config.toml", "pool.size = 0\n");
        assertThat(load().pooled().pool())
                .isEqualTo(new PoolSettings(0, ByteSize.mib(64), PoolSettings.SERVICE.supervisors()));
    }

    @Test
    void laterFilesAndThenTheEnvironmentWin() throws IOException {
        write("config.toml", "[limits]\nmemory = \"64M\"\npids = 1\ndisk = \"1M\"\n");
        write("conf.d/20-more.toml", "limits.memory = \"96M\"\n");
        write("conf.d/10-more.toml", "limits.memory = \"80M\"\nlimits.pids = 2\n");
        write("conf.d/ignored.txt", "nonsense");
        environment.put("CORDON_LIMITS__PIDS", "3");
        Config config = load();
        assertThat(config.defaults())
                .containsEntry(Limit.MEMORY, 96L << 20)
                .containsEntry(Limit.PIDS, 3L)
                .containsEntry(Limit.DISK, 1L << 20);
        assertThat(config.settings().get("limits.pids")).isEqualTo(new SettingValue("3", "CORDON_LIMITS__PIDS"));
    }

    @ParameterizedTest
    @EnumSource(Limit.class)
    void everyLimitCanBeSetByTheEnvironment(Limit limit) {
        environment.put("CORDON_LIMITS__" + limit.name(), limit.show(limit.least()));
        environment.put("CORDON_CEILINGS__" + limit.name(), limit.show(limit.least() + 1));
        Config config = load();
        assertThat(config.defaults()).containsEntry(limit, limit.least());
        assertThat(config.ceilings()).containsEntry(limit, limit.least() + 1);
    }

    static Stream<String> absurdAmounts() {
        return Stream.of("0", "-1", "NaN", "1e308", "1e3", "9223372036854775808", "");
    }

    @ParameterizedTest
    @MethodSource("absurdAmounts")
    void noAmountMeansUnlimited(String text) {
        for (Limit limit : Limit.values()) {
            environment.put("CORDON_LIMITS__" + limit.name(), text);
            environment.put("CORDON_CEILINGS__" + limit.name(), text);
        }
        assertThat(errors())
                .hasSize(2 * Limit.values().length)
                .allSatisfy(error -> assertThat(error).startsWith("CORDON_").contains("give"));
    }

    @Test
    void tomlsOwnSpecialNumbersAreRefusedToo() throws IOException {
        write("config.toml", "[limits]\ncpus = nan\npids = -1\ntimeout = 30\nmemory = inf\nopen_files = true\n");
        assertThat(errors()).hasSize(5);
    }

    @Test
    void unknownKeysAreErrorsThatNameKeyAndPlace() throws IOException {
        Path file =
                write("config.toml", "[limit]\nmemory = \"1M\"\n[ceilings]\nmemroy = \"1G\"\n[limits.deep]\nx = 1\n");
        environment.put("CORDON_CEILINGS__MEM", "1G");
        assertThat(errors())
                .anySatisfy(error -> assertThat(error).contains(file.toString(), "limit.memory"))
                .anySatisfy(error -> assertThat(error).contains(file.toString(), "ceilings.memroy"))
                .anySatisfy(error -> assertThat(error).contains("limits.deep.x"))
                .anySatisfy(error -> assertThat(error).contains("CORDON_CEILINGS__MEM"))
                .hasSize(4);
    }

    @Test
    void cordonsOtherVariablesAreNoSettings() {
        environment.put("CORDON_CA_FILE", "/x");
        environment.put("CORDON_JAVA_HOME", "/x");
        environment.put("CORDON_TESTS_MUST_RUN", "1");
        assertThat(errors()).isEmpty();
    }

    @Test
    void variablesThatLookLikeSettingsAreMistakes() {
        environment.put("CORDON_OF_SOMEBODY_ELSE", "1");
        environment.put("CORDON_CEILINGS_MEMORY", "1G");
        environment.put("CORDON_VM_ACCEL", "tcg");
        environment.put("CORDON_MEMORY", "1G");
        assertThat(errors())
                .containsExactlyInAnyOrder(
                        "CORDON_CEILINGS_MEMORY: is not a variable of Cordon's; did you mean CORDON_CEILINGS__MEMORY?",
                        "CORDON_VM_ACCEL: is not a variable of Cordon's; did you mean CORDON_VM__ACCEL?",
                        "CORDON_MEMORY: is not a variable of Cordon's; did you mean CORDON_LIMITS__MEMORY?");
    }

    @Test
    void namesAreSuchThatVariablesCanHaveThem() {
        assertThat(SettingTable.settings(CoreTables.ALL).map(Setting::name))
                .allSatisfy(name -> assertThat(name).matches("[a-z]+\\.[a-z_]+"));
    }

    @Test
    void readsTheSettingsOfMachines() {
        environment.put("CORDON_VM__ALLOW_EMULATED", "true");
        environment.put("CORDON_VM__ACCEL", "tcg");
        environment.put("CORDON_VM__BOOT_TIMEOUT", "2m");
        VmSettings vm = load().vm();
        assertThat(vm.allowEmulated()).isTrue();
        assertThat(vm.accel()).isEqualTo(VmSettings.Accel.TCG);
        assertThat(vm.bootTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(vm.pool()).isZero();
        assertThat(vm.templates()).isEqualTo(VmSettings.Templates.PER_OWNER);
        environment.put("CORDON_VM__TEMPLATES", "shared");
        assertThat(load().vm().templates()).isEqualTo(VmSettings.Templates.SHARED);
        environment.put("CORDON_VM__TEMPLATES", "true");
        assertThat(errors()).singleElement().asString().contains("vm.templates", "per-owner, shared or off");
    }

    @Test
    void whatIsNoTomlIsToldWithItsLine() throws IOException {
        Path file = write("config.toml", "[limits]\nmemory = \n");
        assertThat(errors())
                .singleElement()
                .asString()
                .startsWith(file + ": is not TOML")
                .contains("line 2");
    }

    @Test
    void listsAreNoValues() throws IOException {
        write("config.toml", "limits.memory = [\"1M\"]\n");
        assertThat(errors()).singleElement().asString().contains("limits.memory", "list");
    }

    @Test
    void aNamedFileReplacesTheUsualOnesAndHasToExist() throws IOException {
        write("config.toml", "limits.pids = 1\n");
        Path other = Files.writeString(folder.resolve("other.toml"), "limits.memory = \"64M\"\n");
        environment.put("CORDON_CONFIG", other.toString());
        assertThat(load().settings()).containsOnlyKeys("limits.memory");
        environment.put("CORDON_CONFIG", folder.resolve("missing.toml").toString());
        assertThat(errors()).singleElement().asString().contains("missing.toml", "CORDON_CONFIG");
    }

    @Test
    void theCommandLinesFileWinsOverTheVariable() throws IOException {
        Path chosen = Files.writeString(folder.resolve("chosen.toml"), "limits.pids = 7\n");
        environment.put("CORDON_CONFIG", folder.resolve("missing.toml").toString());
        Config config = new ConfigLoader(environment, UserDirectories.of(ANYBODY, environment)).load(chosen);
        assertThat(config.defaults()).containsEntry(Limit.PIDS, 7L);
    }

    @Test
    void aDefaultFollowsItsCeilingDownUnlessItWasSet() {
        environment.put("CORDON_CEILINGS__MEMORY", "64M");
        environment.put("CORDON_CEILINGS__ADDRESS_SPACE", "2G");
        environment.put("CORDON_CEILINGS__FILE_SIZE", "1M");
        assertThat(load().defaults())
                .containsEntry(Limit.MEMORY, 64L << 20)
                .containsEntry(Limit.ADDRESS_SPACE, 2L << 30)
                .containsEntry(Limit.FILE_SIZE, 1L << 20);
        environment.put("CORDON_LIMITS__MEMORY", "128M");
        assertThat(errors()).singleElement().asString().contains("limits.memory", "128M", "ceilings.memory", "64 MiB");
    }

    @Test
    void idsAreNeverRootsAndAlwaysTheKernels() {
        environment.put("CORDON_IDS__BASE", "0");
        assertThat(errors()).singleElement().asString().contains("ids");
        environment.put("CORDON_IDS__BASE", "4294967290");
        assertThat(errors()).singleElement().asString().contains("ids");
        environment.put("CORDON_IDS__BASE", "many");
        assertThat(errors()).singleElement().asString().contains("ids.base", "many");
    }

    @Test
    void pathsAreAbsolute() {
        environment.put("CORDON_PATHS__RUN", "run");
        assertThat(errors()).singleElement().asString().contains("paths.run", "absolute");
    }

    @Test
    void rootReadsNoFileThatOthersCouldChange() throws IOException {
        Path file = Files.writeString(folder.resolve("chosen.toml"), "limits.pids = 7\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        ConfigLoader loader = new ConfigLoader(environment, UserDirectories.of(0, environment));
        InvalidConfig invalid = catchThrowableOfType(InvalidConfig.class, () -> loader.load(file));
        assertThat(invalid).hasMessageContaining("chosen.toml").hasMessageContaining("chmod go-w");
    }

    /** A policy beside a named file is applied, and a policy of the host is not lost by naming another file. */
    @Test
    void whatStandsBesideANamedFileIsRead() throws IOException {
        Path hosts = write("policy.toml", "version = 1\n");
        Path named = Files.createDirectory(folder.resolve("named")).resolve("mine.toml");
        Files.writeString(named, "");
        ConfigLoader usual = new ConfigLoader(environment, UserDirectories.of(ANYBODY, environment));
        assertThat(usual.load(named).policyFile()).isEqualTo(hosts);
        Path own = Files.writeString(named.resolveSibling("policy.toml"), "version = 1\n");
        Path tools = Files.createDirectory(named.resolveSibling("tools"));
        Path images = Files.createDirectory(named.resolveSibling("images"));
        Config config = new ConfigLoader(environment, UserDirectories.of(ANYBODY, environment)).load(named);
        assertThat(config.policyFile()).isEqualTo(own);
        assertThat(config.tools()).isEqualTo(tools);
        assertThat(config.vm().images()).isEqualTo(images);
        environment.put("CORDON_CONFIG", named.toString());
        assertThat(load().policyFile()).isEqualTo(own);
        Files.delete(own);
        Files.createSymbolicLink(own, folder.resolve("gone"));
        assertThat(errors()).anyMatch(error -> error.contains("policy.toml is not a file"));
    }
}
