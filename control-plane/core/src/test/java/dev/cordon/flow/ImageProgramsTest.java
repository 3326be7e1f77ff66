package dev.cordon.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cordon.Cordon;
import dev.cordon.FakeBackend;
import dev.cordon.PolicedCordon;
import dev.cordon.SandboxRefused;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import dev.cordon.plan.CommandDefaults;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.facts.ImageSettings;
import dev.cordon.result.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageProgramsTest {
    private static final String LISTED = "version = 1\n[commands]\nallow = [\"go\"]\n";

    @TempDir
    private Path folder;

    private final Map<String, String> variables = new LinkedHashMap<>(Map.of("PATH", "/usr/bin:/go/bin:/opt/links"));
    private final FakeBackend backend = new FakeBackend();
    private Path tree;
    private Path mine;

    @BeforeEach
    void image() throws IOException {
        tree = Files.createDirectory(folder.resolve("tree"));
        mine = Files.createDirectory(folder.resolve("mine"));
        for (String directory : List.of("usr/bin", "go/bin", "srv/tool/lib", "data/empty")) {
            Files.createDirectories(tree.resolve(directory));
        }
        Files.writeString(tree.resolve("srv/tool/lib/a.so"), "");
        Files.createDirectories(tree.resolve("opt"));
        Files.createSymbolicLink(tree.resolve("opt/links"), Path.of("/srv/programs"));
    }

    private Cordon open(String policy) throws IOException {
        TreeMap<String, HostEntry> entries = new TreeMap<>();
        List.of("/usr", "/go", "/srv", "/data", "/opt").forEach(path -> entries.put(path, new HostEntry.Directory()));
        CommandDefaults defaults = new CommandDefaults(variables, "");
        backend.image = Optional.of(new ImageRoot(tree, entries, new ImageSettings(defaults, "", "")));
        return PolicedCordon.onFake(folder, policy, backend);
    }

    private Outcome run(String policy, String target) throws IOException {
        try (Cordon cordon = open(policy)) {
            return cordon.run(Job.argv("go", "version").image("tools").readOnly(mine, target))
                    .outcome();
        }
    }

    private static void assertDenied(Outcome outcome, String beginning, String reason) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Denied.class,
                        denied -> assertThat(denied.reasons())
                                .singleElement()
                                .asString()
                                .startsWith(beginning)
                                .contains(reason, "commands.allow"));
    }

    @ParameterizedTest
    @CsvSource({
        "/go/bin,           is where the image has its programs",
        "/go,               is where the image has its programs",
        "/go/bin/go,        is where the image has its programs",
        "/srv/programs,     is where the image has its programs",
        "/srv/programs/go,  is where the image has its programs",
        "/srv/tool/lib,     would cover files of the image",
        "/srv/tool/lib/a.so,would cover files of the image"
    })
    void aMountDoesNotTakeThePlaceOfAnAllowedProgram(String target, String reason) throws IOException {
        assertDenied(run(LISTED, target), "mount: " + target + " ", reason);
        assertThat(backend.started).isEmpty();
        assertThat(run("version = 1\n", target)).isEqualTo(new Outcome.Exited(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/workspace/in", "/tmp/in", "/data/empty", "/data/new", "/gone", "/srv/tool/new"})
    void aMountBesideThemIsFine(String target) throws IOException {
        assertThat(run(LISTED, target)).isEqualTo(new Outcome.Exited(0));
    }

    @ParameterizedTest
    @CsvSource({
        "PATH,            /usr/bin:.,            .",
        "PATH,            /usr/bin:,             the working directory",
        "PATH,            /usr/bin:/workspace/b, /workspace/b",
        "PATH,            /usr/bin:/opt/../tmp,  /tmp",
        "LD_LIBRARY_PATH, /opt/lib:,             the working directory",
        "LD_PRELOAD,      /workspace/a.so,       /workspace/a.so"
    })
    void anImageDoesNotLookForProgramsAmongTheJobsFiles(String variable, String value, String named)
            throws IOException {
        variables.put(variable, value);
        assertDenied(run(LISTED, "/in"), "image: its " + variable + " names " + named + ",", "where a job has files");
    }

    @Test
    void aLibraryThatTheLoaderLooksForIsFine() throws IOException {
        variables.put("LD_PRELOAD", "libjemalloc.so.2");
        variables.put("LD_LIBRARY_PATH", "");
        assertThat(run(LISTED, "/in")).isEqualTo(new Outcome.Exited(0));
    }

    @Test
    void whatTheLoaderIsToldIsProtectedLikeThePath() throws IOException {
        variables.put("LD_LIBRARY_PATH", "/more/lib");
        assertDenied(run(LISTED, "/more/lib"), "mount: /more/lib ", "is where the image has its programs");
    }

    @Test
    void aSandboxIsRefusedLikeAJob() throws IOException {
        try (Cordon cordon = open(LISTED)) {
            SandboxSpec sandbox = SandboxSpec.create().image("tools").readOnly(mine, "/go/bin");
            assertThatExceptionOfType(SandboxRefused.class)
                    .isThrownBy(() -> cordon.openSandbox(sandbox))
                    .satisfies(refused -> assertDenied(refused.outcome(), "mount: /go/bin ", "programs"));
        }
    }
}
