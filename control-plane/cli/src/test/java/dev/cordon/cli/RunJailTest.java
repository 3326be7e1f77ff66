package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code cordon run} from its words to its exit code, with real jails. */
@Tag("jail")
@Tag("asUser")
class RunJailTest {

    private final TestStdio stdio = new TestStdio();

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @Test
    void aJobAnswersFromARootOfItsOwn() {
        int code = stdio.run("run", "--", "python3", "-c", "import os; print(6*7, os.getuid(), os.listdir('/'))");
        assertThat(stdio.err()).isEmpty();
        assertThat(stdio.out()).startsWith("42 1000 [").contains("'workspace'").doesNotContain("'home'", "'root'");
        assertThat(code).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "exit 0, 0",
        "exit 7, 7",
        "exit 255, 255",
        "kill -SEGV $$, 139",
        "kill -KILL $$, 137",
        "kill -TERM $$, 143",
    })
    void theExitCodeIsTheJobs(String script, int expected) {
        assertThat(stdio.run("run", "--", "sh", "-c", script)).isEqualTo(expected);
        assertThat(stdio.err().contains("ended by SIG")).isEqualTo(expected > 128 && expected < 200);
    }

    @Test
    void theWallClockEndsAJobWith124() {
        assertThat(stdio.run("run", "--timeout", "300ms", "--", "sleep", "60")).isEqualTo(124);
        assertThat(stdio.err()).isEqualTo("cordon: timed out; --timeout raises the limit\n");
    }

    @Test
    void aMissingCommandIs127AndAnUnusableOne126() {
        assertThat(stdio.run("run", "--", "nosuchprogram")).isEqualTo(127);
        assertThat(stdio.err()).isEqualTo("cordon: nosuchprogram: not found in the jail\n");
        assertThat(stdio.run("run", "--", "/etc/passwd")).isEqualTo(126);
        assertThat(stdio.err()).contains("/etc/passwd: cannot be executed in the jail (EACCES)");
    }

    @Test
    void aViolationIsReportedAndKillsOnlyWhenAsked() {
        String[] trace = {"python3", "-c", "import ctypes; ctypes.CDLL(None).ptrace(0, 0, 0, 0); print('still here')"};
        assertThat(stdio.run(words("run", "--", trace))).isZero();
        assertThat(stdio.out()).isEqualTo("still here\n");
        assertThat(stdio.err()).startsWith("cordon: refused system call ptrace of python3");

        TestStdio second = new TestStdio();
        assertThat(second.run(words("run", "--on-violation=kill", trace))).isEqualTo(159);
        assertThat(second.out()).isEmpty();
        assertThat(second.err()).contains("cordon: killed for the system call ptrace");
    }

    @Test
    void wrongValuesEndWith121AndAreAllNamed() {
        assertThat(stdio.run("run", "--memory", "-1", "--timeout", "abc", "--", "true"))
                .isEqualTo(121);
        assertThat(stdio.err())
                .contains("/limits/memory: '-1'")
                .contains("/limits/timeout: 'abc'")
                .contains("a duration such as 10s");
        assertThat(stdio.out()).isEmpty();
    }

    @Test
    void aMissingSourceIs121WithTheFieldNamed(@TempDir Path folder) {
        assertThat(stdio.run("run", "--ro", folder.resolve("absent") + ":/in", "--", "true"))
                .isEqualTo(121);
        assertThat(stdio.err()).contains("/mounts/0/source").contains("absent");
    }

    @Test
    void thePolicysRefusalIs122AndAnUnusableConfiguration125(@TempDir Path folder) throws IOException {
        Path ceiling = Files.writeString(folder.resolve("ceiling.toml"), "[ceilings]\nmemory = \"64M\"\n");
        assertThat(stdio.run("run", "--config", ceiling.toString(), "--memory", "128M", "--", "true"))
                .isEqualTo(122);
        assertThat(stdio.err()).startsWith("cordon: denied: memory: 128 MiB is above the operator's ceiling of 64 MiB");

        TestStdio second = new TestStdio();
        Path wrong = Files.writeString(folder.resolve("wrong.toml"), "nonsense = 1\n");
        assertThat(second.run("run", "--config", wrong.toString(), "--", "true"))
                .isEqualTo(125);
        assertThat(second.err()).startsWith("cordon: configuration: ").contains("nonsense is not a setting");
    }

    @Test
    void inputsAreReadOnly(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("data"), "from outside\n");
        // As root the job has another uid than the test, and a temporary folder is private.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        int code = stdio.run(
                "run", "--ro", folder + ":/in", "--", "sh", "-c", "cat /in/data; echo no > /in/data || echo refused");
        assertThat(stdio.out()).isEqualTo("from outside\nrefused\n");
        assertThat(code).isZero();
        assertThat(folder.resolve("data")).hasContent("from outside");
    }

    @Test
    void codeComesFromAFileTheLineOrAPipe(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("hello.py"), "import sys; print('file', sys.argv[0])\n");
        assertThat(stdio.run("run", "-f", file.toString())).isZero();
        assertThat(stdio.run("run", "--lang", "bash", "-c", "echo line")).isZero();
        assertThat(stdio.input("print('pipe')").run("run", "--lang", "python")).isZero();
        assertThat(stdio.out()).isEqualTo("file /workspace/hello.py\nline\npipe\n");
    }

    @Test
    void standardInputIsEmptyUnlessNamed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("in"), "from a file\n");
        assertThat(stdio.input("from the caller\n").run("run", "--", "cat")).isZero();
        assertThat(stdio.run("run", "--stdin", file.toString(), "--", "cat")).isZero();
        assertThat(stdio.run("run", "--stdin", "-", "--", "cat")).isZero();
        assertThat(stdio.out()).isEqualTo("from a file\nfrom the caller\n");
    }

    @Test
    void onlyNamedVariablesAreSeen() {
        stdio.environment(Map.of("TOKEN", "passed on", "SECRET", "kept"));
        assertThat(stdio.run("run", "-e", "TOKEN", "-e", "A=b c", "--", "sh", "-c", "env | sort"))
                .isZero();
        assertThat(stdio.out()
                        .lines()
                        .filter(line ->
                                !line.startsWith("PWD=") && !line.startsWith("_=") && !line.startsWith("SHLVL=")))
                .containsExactly(
                        "A=b c",
                        "HOME=/workspace",
                        "LANG=C.UTF-8",
                        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                        "TMPDIR=/tmp",
                        "TOKEN=passed on");
    }

    @Test
    void bytesAreRelayedAsTheyAre() {
        stdio.run("run", "--", "printf", "\\377\\000\\033[2J\\n");
        assertThat(stdio.outBytes()).isEqualTo(new byte[] {(byte) 0xff, 0, 0x1b, '[', '2', 'J', '\n'});
        TestStdio terminal = new TestStdio().terminal();
        terminal.run("run", "--", "printf", "\\033[2J\\n");
        assertThat(terminal.out()).isEqualTo("^[[2J\n");
        TestStdio raw = new TestStdio().terminal();
        raw.run("run", "--raw", "--", "printf", "\\033[2J\\n");
        assertThat(raw.out()).isEqualTo("\033[2J\n");
    }

    @Test
    void outputBeyondTheLimitIsCutAndCounted() {
        assertThat(stdio.run("run", "--output", "10", "--", "sh", "-c", "printf 0123456789abcdef"))
                .isZero();
        assertThat(stdio.out()).isEqualTo("0123456789");
        assertThat(stdio.err()).isEqualTo("cordon: stdout was cut after 10 of 16 bytes; --output raises the limit\n");
    }

    @Test
    void jsonIsOneObjectWithTheOutputInside() {
        assertThat(stdio.run("run", "--json", "--", "sh", "-c", "echo out; echo err >&2; exit 3"))
                .isEqualTo(3);
        assertThat(stdio.out())
                .startsWith("{\"id\":\"")
                .endsWith("}\n")
                .hasLineCount(1)
                .contains("\"outcome\":\"nonzero_exit\",\"exit_code\":3,\"signal\":null,\"stdout\":\"out\\n\"")
                .contains("\"stderr\":\"err\\n\"")
                .contains("\"level\":\"jail\"");
    }

    @Test
    void jsonAlsoTellsWhatWasWrongWithTheJob() {
        assertThat(stdio.run("run", "--json", "--memory", "-1", "--", "true")).isEqualTo(121);
        assertThat(stdio.out())
                .hasLineCount(1)
                .contains("\"outcome\":\"invalid\"")
                .contains("\"pointer\":\"/limits/memory\"");
    }

    @Test
    void aDryRunPrintsThePlanAndRunsNothing(@TempDir Path folder) {
        assertThat(stdio.run(
                        "run",
                        "--dry-run",
                        "--",
                        "touch",
                        folder.resolve("canary").toString()))
                .isZero();
        assertThat(stdio.out())
                .startsWith("{")
                .contains("\"object\" : \"plan\"")
                .contains("\"isolation\" : \"jail\"");
        assertThat(folder.resolve("canary")).doesNotExist();
    }

    private static String[] words(String command, String option, String[] argv) {
        String[] words = new String[argv.length + 2];
        words[0] = command;
        words[1] = option;
        System.arraycopy(argv, 0, words, 2, argv.length);
        return words;
    }
}
