package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cli.terminal.StandardStreams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {

    private final TestStdio stdio = new TestStdio();

    @ParameterizedTest
    @CsvSource({
        "--help, cordon-help.txt",
        "run --help, run-help.txt",
        "learn --help, learn-help.txt",
        "shell -h, shell-help.txt",
        "exec -h, exec-help.txt",
        "cp -h, cp-help.txt",
        "ps -h, ps-help.txt",
        "top -h, top-help.txt",
        "kill -h, kill-help.txt",
        "token create -h, token-create-help.txt",
        "doctor -h, doctor-help.txt",
        "selftest -h, selftest-help.txt",
        "bench -h, bench-help.txt",
        "image build -h, image-build-help.txt",
        "audit -h, audit-help.txt",
        "audit verify -h, audit-verify-help.txt",
        "serve -h, serve-help.txt",
    })
    void theHelpIsTheOneThatWasAgreedOn(String line, String golden) throws IOException {
        assertThat(stdio.run(line.split(" ", -1))).isZero();
        assertThat(stdio.err()).isEmpty();
        assertThat(stdio.out()).isEqualTo(resource(golden));
    }

    @ParameterizedTest
    @CsvSource({
        "'', cordon --help",
        "nonsense, cordon --help",
        "--nonsense, cordon --help",
        "run --nonsense -- true, cordon run --help",
        "run --memory, cordon run --help",
        "run, try: cordon run -- python3",
        "run --color=blue -- true, '--color is auto, always or never'",
        "shell, cordon shell needs a terminal",
        "exec box_1, a sandbox and a command are needed",
        "cp a b, must be in a sandbox",
        "cp a, one source and one target",
        "ps extra, cordon ps --help",
        "kill, a sandbox is needed",
        "doctor extra, cordon doctor --help",
        "selftest --only Z-99, no probe is called Z-99",
        "audit, cordon audit --help",
        "audit nonsense, cordon audit --help",
        "audit tail -n many, -n takes a number",
        "audit show, cordon audit show 17",
        "audit verify --head 5, --head",
    })
    void aLineThatMakesNoSenseEndsWith2AndAHint(String line, String hint) {
        String[] words = line.isEmpty() ? new String[0] : line.split(" ", -1);
        assertThat(stdio.run(words)).isEqualTo(2);
        assertThat(stdio.out()).isEmpty();
        assertThat(stdio.err()).startsWith("cordon: ").contains(hint);
    }

    @Test
    void theVersionNamesWhatItRunsOn() {
        assertThat(stdio.run("version")).isZero();
        assertThat(stdio.out()).containsSubsequence("cordon ", "\njava ", "\nkernel ", "\nlibcordon ", "\nlibseccomp ");
        TestStdio option = new TestStdio();
        assertThat(option.run("--version")).isZero();
        assertThat(option.out()).isEqualTo(stdio.out());
        TestStdio json = new TestStdio();
        assertThat(json.run("version", "--json")).isZero();
        assertThat(json.out()).hasLineCount(1).startsWith("{\"cordon\":\"").endsWith("\"}\n");
    }

    @Test
    void aReaderThatIsGoneEndsQuietlyAndAFullDiskDoesNot() {
        assertThat(runInto("Broken pipe")).isEqualTo(141);
        assertThat(stdio.err()).isEmpty();
        assertThat(runInto("No space left on device")).isEqualTo(125);
        assertThat(stdio.err()).isEqualTo("cordon: standard output cannot be written: No space left on device\n");
    }

    private int runInto(String failure) {
        StandardStreams streams = stdio.stdio();
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException(failure);
            }
        };
        return new Main(new StandardStreams(streams.in(), broken, streams.err(), false, false, false, Map.of()))
                .run("--help");
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = Objects.requireNonNull(MainTest.class.getResourceAsStream(name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
