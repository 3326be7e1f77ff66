package dev.cordon.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobTest {
    private static List<String> errorsOf(Job job) {
        InvalidJob invalid = catchThrowableOfType(InvalidJob.class, job::validate);
        return invalid == null
                ? List.of()
                : invalid.errors().stream().map(FieldError::pointer).toList();
    }

    @Test
    void aBuilderCallLeavesTheJobItWasCalledOnAlone() {
        Job plain = Job.argv("true");
        Job changed = plain.env("A", "1").pids(3).label("agent", "a1").readOnly(Path.of("/srv/in"), "/workspace/in");
        assertThat(plain.validate().io().environment()).isEmpty();
        assertThat(plain.validate().containment().mounts()).isEmpty();
        assertThat(plain.validate().asked()).isEmpty();
        assertThat(changed.validate().io().environment()).containsEntry("A", "1");
        assertThat(changed.validate().limits().pids()).isEqualTo(3);
    }

    @Test
    void everyErrorIsReportedAtOnceInTheOrderOfTheFields() {
        Job job = Job.argv()
                .timeout(Duration.ZERO)
                .memory(ByteSize.bytes(1))
                .env("A=B", "x")
                .workdir("relative")
                .readOnly(Path.of("/srv"), "/proc/x")
                .profile("no such name!")
                .owner("");
        assertThat(errorsOf(job))
                .containsExactly(
                        "/argv",
                        "/limits/timeout",
                        "/limits/memory",
                        "/env/A=B",
                        "/workdir",
                        "/mounts/0/target",
                        "/profile",
                        "/owner");
    }

    @Test
    void messagesNameTheFieldTheValueTheRuleAndTheRemedy() {
        InvalidJob invalid = catchThrowableOfType(
                InvalidJob.class,
                () -> Job.argv("true").limit(Limit.MEMORY, "-1").validate());
        assertThat(invalid)
                .hasMessage("/limits/memory: '-1' is not a plain positive number; "
                        + "give a size such as 256M, in the range 4 MiB to 16 TiB");
    }

    @Test
    void labelsAreNoPlaceForData() {
        Job job = Job.argv("true");
        for (int i = 0; i < 16; i++) {
            job = job.label("label-" + (10 + i), "v".repeat(248));
        }
        assertThat(errorsOf(job)).isEmpty();
        InvalidJob invalid = catchThrowableOfType(InvalidJob.class, job.label("a", "")::validate);
        assertThat(invalid.errors())
                .singleElement()
                .satisfies(error -> assertThat(error.message())
                        .contains("/labels", "4097 bytes", "is more than 4096", "keep the data elsewhere"));
    }

    @Test
    void hostileValuesCannotForgeALineOfTheMessage() {
        InvalidJob invalid = catchThrowableOfType(
                InvalidJob.class,
                () -> Job.argv("true")
                        .owner("x\n\u001b[31mfake\u2028line\u202e" + "y".repeat(500))
                        .validate());
        assertThat(invalid.errors().getFirst().value())
                .doesNotContain("\n", "\u001b", "\u2028", "\u202e")
                .hasSizeLessThan(140);
    }

    @Test
    void codeKeepsItsLanguageAndItsProfile() {
        assertThat(Job.python("print(1)").validate().command())
                .isEqualTo(new Command.Code(Language.PYTHON, "print(1)"));
        assertThat(Job.python("1").validate().containment().profile()).isEqualTo(new ProfileRef.Named("default"));
        assertThat(Job.java("class A {}").validate().containment().profile()).isEqualTo(new ProfileRef.Named("jvm"));
        assertThat(Job.java("class A {}")
                        .profile("strict")
                        .validate()
                        .containment()
                        .profile())
                .isEqualTo(new ProfileRef.Named("strict"));
        assertThat(errorsOf(Job.shell("  "))).containsExactly("/code");
    }

    @ParameterizedTest
    @CsvSource({"a.py, PYTHON", "a.js, NODE", "a.mjs, NODE", "a.sh, BASH", "dir/A.java, JAVA"})
    void aFilesNameTellsItsLanguage(String name, Language language) {
        assertThat(Job.file(Path.of(name)).validate().command()).isEqualTo(new Command.Script(language, Path.of(name)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "py", "a.txt", "/"})
    void aFileThatTellsNoLanguageNeedsItNamed(String name) {
        assertThatThrownBy(() -> Job.file(Path.of(name))).hasMessageContaining("Language.PYTHON");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "-rf.py"})
    void aScriptNeedsAUsableName(String name) {
        assertThat(errorsOf(Job.file(Path.of(name), Language.PYTHON))).containsExactly("/file");
    }

    @Test
    void argumentsThatNoProgramCanReceiveAreRefused() {
        assertThat(errorsOf(Job.argv("a\0b"))).containsExactly("/argv/0");
        assertThat(errorsOf(Job.argv("x", "\ud800"))).containsExactly("/argv/1");
        assertThat(errorsOf(Job.argv("x", "y".repeat(131_072)))).containsExactly("/argv/1");
        assertThat(errorsOf(Job.argv("x", "y".repeat(131_071)))).isEmpty();
        assertThat(errorsOf(Job.argv("x").env("A", "b\0"))).containsExactly("/env/A");
        assertThat(errorsOf(Job.argv(Collections.nCopies(8_001, "x")))).containsExactly("/argv");
        assertThat(errorsOf(Job.argv(Collections.nCopies(20, "y".repeat(120_000)))))
                .containsExactly("/argv");
    }

    @Test
    void theInputIsCopied() {
        byte[] content = "abc".getBytes(StandardCharsets.UTF_8);
        Job job = Job.argv("cat").stdin(content).put("a.txt", content);
        content[0] = 'X';
        assertThat(job.validate().io().stdin()).isEqualTo(new Stdin.Bytes("abc".getBytes(StandardCharsets.UTF_8)));
        assertThat(job.validate().io().files().getFirst().content()).asString().isEqualTo("abc");
    }

    @Test
    void sourcesBecomeAbsolute() {
        Mount mount = Job.argv("true")
                .readOnly(Path.of("a/../b"), "/in")
                .validate()
                .containment()
                .mounts()
                .getFirst();
        assertThat(mount.source()).isEqualTo(Path.of("b").toAbsolutePath());
    }

    @Test
    void labelsAreBounded() {
        Job job = Job.argv("true");
        for (int i = 0; i < 65; i++) {
            job = job.label("k" + i, "v");
        }
        assertThat(errorsOf(job)).containsExactly("/labels");
        assertThat(errorsOf(Job.argv("true").label("bad name", "v\n")))
                .containsExactly("/labels/bad name", "/labels/bad name");
    }

    @Test
    void aMacLabelIsOneWord() {
        assertThat(errorsOf(Job.argv("true").macLabel("cordon-job"))).isEmpty();
        assertThat(errorsOf(Job.argv("true").macLabel("system_u:system_r:container_t:s0:c1,c2")))
                .isEmpty();
        assertThat(errorsOf(Job.argv("true").macLabel("a b"))).containsExactly("/mac_label");
    }

    @Test
    void cpuTimeFollowsALongerTimeLimit() {
        assertThat(Job.argv("true")
                        .timeout(Duration.ofMinutes(5))
                        .validate()
                        .limits()
                        .cpuTime())
                .isEqualTo(Duration.ofMinutes(5));
        assertThat(Job.argv("true")
                        .timeout(Duration.ofMinutes(5))
                        .cpus(2.5)
                        .validate()
                        .limits()
                        .cpuTime())
                .isEqualTo(Duration.ofMinutes(15));
        assertThat(Job.argv("true")
                        .timeout(Duration.ofMinutes(5))
                        .cpuTime(Duration.ofSeconds(9))
                        .validate()
                        .limits()
                        .cpuTime())
                .isEqualTo(Duration.ofSeconds(9));
        assertThat(Job.argv("true")
                        .timeout(Duration.ofSeconds(1))
                        .validate()
                        .limits()
                        .cpuTime())
                .isEqualTo(Job.argv("true").validate().limits().cpuTime());
    }

    @Test
    void theCommandOfAnImageIsLookedUpLater() {
        assertThat(Job.ofImage("base").validate().command()).isEqualTo(new Command.OfImage());
    }
}
