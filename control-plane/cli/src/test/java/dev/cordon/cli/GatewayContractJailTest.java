package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.terminal.RunningService;
import dev.cordon.fixture.UserNamespaces;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** What a command promises of every gateway, in this process, over a unix socket and over TCP with a token: the same bytes and the same exit code. */
@Tag("jail")
class GatewayContractJailTest {
    private static RunningService service;
    private static @Nullable RunningService listing;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        service = new RunningService();
    }

    @AfterAll
    static void stop() throws Exception {
        if (service != null) {
            service.close();
        }
        if (listing != null) {
            listing.close();
        }
    }

    /** What one run printed and how it ended; what differs between any two runs is taken out. */
    private record Told(int code, String out, String err) {
        static Told of(Map<String, String> environment, String input, List<String> words) {
            Map<String, String> all = new HashMap<>(environment);
            all.put("GIVEN", "from the caller");
            TestStdio stdio = new TestStdio().input(input).environment(all);
            int code = stdio.run(words.toArray(String[]::new));
            return new Told(code, steady(stdio.out()), steady(stdio.err()));
        }

        private static String steady(String text) {
            return text.replaceAll("job_[0-9A-Z]{26}", "JOB")
                    .replaceAll("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "TIME")
                    .replaceAll("(\"[a-z_]+_(ms|bytes|pids)\":)([0-9]+|null)", "$1N")
                    .replaceAll("(\"pid\":)[1-9][0-9]*", "$1N")
                    .replaceAll("[0-9]+ [KMG]?i?B left on the disk of [^ \"\n]+", "room")
                    .replaceAll("[0-9]+ [KMG]?i?B (of audit.keep|free)", "N $1")
                    .replaceAll("of [0-9]{4,} bytes", "of many bytes") // how far the job came until it was killed
                    // A file of the caller that is not there is missed by the caller, before any policy is asked.
                    .replaceAll("(\"level\":null,\"escalated\":false,\"reasons\":\\[)\"the default level\"", "$1");
        }
    }

    private record Case(String name, String input, List<String> words) {
        static Case of(String... words) {
            return new Case(String.join(" ", words), "", List.of(words));
        }

        Case fed(String text) {
            return new Case(name, text, words);
        }

        Case json() {
            List<String> more = new ArrayList<>(words);
            more.add(words.getFirst().equals("tool") ? 2 : 1, "--json");
            return new Case(name + " --json", input, more);
        }
    }

    private static List<Case> cases() throws Exception {
        Path script =
                Files.writeString(folder.resolve("trace.py"), "import sys\nprint(sys.argv)\nraise ValueError('x')\n");
        Path data = Files.writeString(folder.resolve("data"), "line one\nline two\n");
        return List.of(
                Case.of("run", "--", "echo", "hi"),
                Case.of("run", "--", "sh", "-c", "echo out; echo err >&2; exit 7"),
                Case.of("run", "--", "sh", "-c", "kill -SEGV $$"),
                Case.of("run", "--timeout", "300ms", "--", "sleep", "60"),
                Case.of("run", "--cpu-time", "200ms", "--", "sh", "-c", "while :; do :; done"),
                Case.of("run", "--", "nosuchprogram"),
                Case.of("run", "--", "/etc/passwd"),
                Case.of("run", "--memory", "48M", "--", "python3", "-c", "x = bytearray(1 << 30)"),
                Case.of("run", "--memory", "50000k", "--cpus", "0.5", "--pids", "20", "--disk", "1M", "--", "true"),
                Case.of("run", "--output", "10", "--", "sh", "-c", "echo 0123456789abcdef"),
                Case.of("run", "--output", "10", "--on-output-limit", "kill", "--", "yes"),
                Case.of("run", "--profile", "strict", "--", "python3", "-c", "import socket; socket.socket()"),
                Case.of("run", "--on-violation", "kill", "--", "unshare", "-U", "true"),
                Case.of(
                        "run",
                        "-e",
                        "A=b c",
                        "-e",
                        "GIVEN",
                        "--workdir",
                        "/tmp",
                        "--",
                        "sh",
                        "-c",
                        "echo $A $GIVEN; pwd"),
                Case.of("run", "-e", "ABSENT", "--memory", "-1", "--", "true"),
                Case.of("run", "--timeout", "1000h", "--", "true"),
                Case.of("run", "--isolation", "cloud", "--lang", "cobol", "-c", "x"),
                Case.of("run", "--isolation", "jail", "--isolation-max", "jail", "--no-escalate", "--", "true"),
                Case.of("run", "--isolation", "vm", "--isolation-max", "jail", "--", "true"),
                Case.of("run", "--lang", "python", "-c", "print(6*7)"),
                Case.of("run", "--lang", "python").fed("import sys; print('piped', sys.stdin.read())"),
                Case.of("run", "-f", script.toString()),
                Case.of("run", "-f", folder.resolve("absent.py").toString()),
                Case.of("run", "-f", folder.toString(), "--lang", "bash"),
                Case.of("run", "--stdin", data.toString(), "--", "cat"),
                Case.of("run", "--stdin", folder.resolve("absent").toString(), "--", "cat"),
                Case.of("run", "--stdin", "-", "--", "sh", "-c", "wc -c; exit 3")
                        .fed("x".repeat(3_000_000)),
                Case.of("run", "--stdin", "-", "--", "true").fed("unread".repeat(100_000)),
                Case.of("run", "--", "sh", "-c", "printf '\\377\\000z'; head -c 300000 /dev/zero"),
                Case.of("run", "--label", "a=b", "--trust", "untrusted", "--strict-limits", "--", "true"),
                Case.of("run", "--label", "nonsense", "--", "true"),
                Case.of("run", "--image", "absent", "--", "true"),
                Case.of("run", "--artifact", "/etc/*", "--", "true"),
                Case.of("run", "--artifact", "../x", "--", "true"),
                Case.of("run", "--no-such-option"),
                Case.of("run"));
    }

    @TestFactory
    List<DynamicTest> everyCommandLineIsTheSame() throws Exception {
        List<DynamicTest> tests = new ArrayList<>();
        for (Case given : cases()) {
            for (Case each : given.words().size() < 3 ? List.of(given) : List.of(given, given.json())) {
                tests.add(DynamicTest.dynamicTest(each.name(), () -> compare(each)));
            }
        }
        return tests;
    }

    private static void compare(Case each) {
        Told here = Told.of(GatewayKind.HERE.environment(service), each.input(), each.words());
        for (GatewayKind kind : List.of(GatewayKind.UNIX, GatewayKind.TCP)) {
            assertThat(Told.of(kind.environment(service), each.input(), each.words()))
                    .as(kind.toString())
                    .isEqualTo(here);
        }
    }

    /** Commands that look at the service's state: here with settings of the same content. */
    @TestFactory
    List<DynamicTest> everyListIsTheSame() throws Exception {
        String[] settings = tools();
        RunningService other = new RunningService(settings);
        listing = other;
        String config = other.local(settings).toString();
        assertThat(new TestStdio().environment(other.unix()).run("run", "--", "true"))
                .isZero();
        List<DynamicTest> tests = new ArrayList<>();
        for (List<String> words : List.of(
                List.of("tool", "ls"),
                List.of("tool", "ls", "--json"),
                List.of("tool", "run", "-p", "text=$(id);", "-p", "times=3", "repeat"),
                List.of("tool", "run", "--json", "-p", "text=b", "repeat"),
                List.of("tool", "run", "--parameters", "{\"text\":\"a\"}", "repeat"),
                List.of("tool", "run", "-p", "text=a", "-p", "times=many", "-p", "x=1", "repeat"),
                List.of("tool", "run", "nobody"),
                List.of("tool", "run", "--json", "nobody"),
                List.of("tool", "run", "-p", "text", "repeat"),
                List.of("policy", "explain", "--", "curl", "http://example.com"),
                List.of("policy", "explain", "--json", "--lang", "python", "-c", "import socket"),
                List.of("policy", "explain", "--memory", "-1", "--", "true"),
                List.of("image", "ls"),
                List.of("image", "ls", "--json"),
                List.of("doctor"),
                List.of("doctor", "--json"),
                List.of("audit", "tail", "-n", "2"),
                List.of("audit", "tail", "-n", "0"),
                List.of("audit", "tail", "--json", "--owner", "local"),
                List.of("audit", "tail", "--owner", "nobody"),
                List.of("audit", "show", "1"),
                List.of("audit", "show", "--json", "2"),
                List.of("audit", "show", "999"),
                List.of("audit", "show", "job_absent"),
                List.of("audit", "export"),
                List.of("audit", "export", "--kind", "end", "--since", "2020-01-01T00:00:00Z"),
                List.of("audit", "export", "--until", "yesterday"),
                List.of("audit", "verify"),
                List.of("audit", "verify", "--json"),
                List.of("audit", "verify", "--head", "1:" + "0".repeat(64)),
                List.of("audit", "verify", "--json", "--head", "999:" + "0".repeat(64)),
                List.of("audit", "verify", "--head", "x"),
                List.of("token", "ls"),
                List.of("token", "ls", "--json"),
                List.of("token", "create", "--role", "king"),
                List.of("token", "create", "--owner", "a b"),
                List.of("token", "create", "--expires", "0s"),
                List.of("token", "create", "--expires", "soon"),
                List.of("token", "revoke"),
                List.of("token", "revoke", "absent"))) {
            tests.add(DynamicTest.dynamicTest(String.join(" ", words), () -> {
                List<String> here = new ArrayList<>(words);
                here.addAll(words.getFirst().equals("doctor") ? 1 : 2, List.of("--config", config));
                if (words.getFirst().equals("token")) {
                    here.addAll(2, List.of("--state", other.serverState().toString()));
                }
                if (words.getFirst().equals("audit")) {
                    here.addAll(2, List.of("--dir", other.audit().toString()));
                }
                Told local = Told.of(Map.of(), "", here);
                assertThat(Told.of(other.unix(), "", words)).as("unix").isEqualTo(local);
                assertThat(Told.of(other.tcp(), "", words)).as("tcp").isEqualTo(local);
            }));
        }
        return tests;
    }

    private static String[] tools() throws Exception {
        Path tools = Files.createDirectories(folder.resolve("tools"));
        Files.writeString(tools.resolve("repeat.toml"), """
            name = "repeat"
            description = "Prints a text so many times."
            argv = ["python3", "-c", "import sys; print(sys.argv[1] * int(sys.argv[2]))", "{text}", "{times}"]
            [parameters]
            type = "object"
            required = ["text"]
            [parameters.properties]
            text = { type = "string" }
            times = { type = "integer", minimum = 1, default = 2 }
            """);
        return new String[] {"[tools]", "directory = \"" + tools + "\"", "[audit]", "enabled = true"};
    }

    /** Made in three ways, each is a token of this service, and so is its end. */
    @Test
    void aTokenIsMadeAndEndedWhereTheServiceIs() {
        String state = service.serverState().toString();
        List<String> here = List.of("--local", "--state", state);
        String shape = "";
        for (Way way : List.of(
                new Way(Map.of(), here), new Way(service.unix(), List.of()), new Way(service.tcp(), List.of()))) {
            TestStdio made =
                    way.run("token", "create", "--owner", "ci", "--note", "a test", "--expires", "1h", "--json");
            JsonNode token = ServiceClient.MAPPER.readTree(made.out());
            String told = made.out()
                    .replace(token.path("token").asString(), "TOKEN")
                    .replace(token.path("expires_at").asString(), "TIME")
                    .replace(token.path("id").asString(), "ID");
            assertThat(told).isEqualTo(shape.isEmpty() ? told : shape).contains("\"id\":\"ID\"", "\"token\":\"TOKEN\"");
            shape = told;
            assertThat(way.run("token", "ls").out())
                    .containsPattern(
                            token.path("id").asString() + " +ci +submit +expires 20.*Z .in 5[0-9]m. +a test\n");
            Map<String, String> holder = new HashMap<>(service.tcp());
            holder.put("CORDON_TOKEN", token.path("token").asString());
            assertThat(new TestStdio().environment(holder).run("ps")).isZero();
            TestStdio ended = way.run("token", "revoke", token.path("id").asString());
            assertThat(ended.out() + ended.err()).isEmpty();
            assertThat(new TestStdio().environment(holder).run("ps")).isEqualTo(125);
        }
        assertThat(new Way(service.unix(), List.of()).run("token", "create").out())
                .matches("cordon_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{43}\n");
    }

    /** A way to reach the service's state: through whom, and with which options. */
    private record Way(Map<String, String> environment, List<String> options) {
        TestStdio run(String... words) {
            List<String> line = new ArrayList<>(List.of(words));
            line.addAll(Math.min(2, words.length), options);
            TestStdio stdio = new TestStdio().environment(environment);
            assertThat(stdio.run(line.toArray(String[]::new))).as(stdio.err()).isZero();
            return stdio;
        }
    }

    @Test
    void stateOfThisUserIsNotTouchedInPlaceOfTheServices() {
        for (List<String> words :
                List.of(List.of("image", "rm", "base"), List.of("image", "import", "mine", "/nowhere.tar"))) {
            TestStdio stdio = new TestStdio().environment(service.unix());
            assertThat(stdio.run(words.toArray(String[]::new))).isEqualTo(2);
            assertThat(stdio.err())
                    .startsWith("cordon: cordon image " + words.get(1) + " is not possible with a service")
                    .contains("--local", "CORDON_PATHS__STATE");
        }
        for (List<String> words : List.of(
                List.of("token", "ls", "--state", "/nowhere"), List.of("audit", "verify", "--dir", "/nowhere"))) {
            TestStdio stdio = new TestStdio().environment(service.unix());
            assertThat(stdio.run(words.toArray(String[]::new))).isEqualTo(2);
            assertThat(stdio.err()).startsWith("cordon: " + words.get(2) + " is not possible with a service: ");
        }
        TestStdio build = new TestStdio().environment(service.unix());
        assertThat(build.run("image", "build", "absent")).isEqualTo(125);
        assertThat(build.err()).contains("refused: there is no such template");
    }

    @Test
    void theOutputOfAJobCanBeReadAgain() throws Exception {
        TestStdio run = new TestStdio().environment(service.unix());
        assertThat(run.run("run", "--json", "--", "sh", "-c", "echo out; echo err >&2"))
                .isZero();
        String id = run.out().replaceAll("(?s).*\"(job_[0-9A-Z]{26})\".*", "$1");
        for (List<String> words : List.of(List.of("logs", id), List.of("logs", "-f", id))) {
            TestStdio logs = new TestStdio().environment(service.tcp());
            assertThat(logs.run(words.toArray(String[]::new))).as(logs.err()).isZero();
            assertThat(logs.out()).isEqualTo("out\n");
            assertThat(logs.err()).isEqualTo("err\n");
        }
        TestStdio absent = new TestStdio().environment(service.unix());
        assertThat(absent.run("logs", "job_absent")).isEqualTo(1);
        assertThat(absent.err()).isEqualTo("cordon: there is no job job_absent of yours\n");
        TestStdio nowhere = new TestStdio().environment(Map.of("CORDON_HOST", "none"));
        assertThat(nowhere.run("logs", id)).isEqualTo(2);
        assertThat(nowhere.err()).contains("no service is there", "CORDON_HOST");
    }

    @ParameterizedTest
    @EnumSource
    void collectedFilesAreTheSame(GatewayKind kind) throws Exception {
        String code = "mkdir -p out/deep; printf '\\377a' > out/x.bin; echo b > out/deep/y; echo c > other; ln -s"
                + " /etc/passwd out/link";
        Map<String, String> environment = kind.environment(service);
        Path target = Files.createTempDirectory(folder, "artifacts");
        TestStdio stdio = new TestStdio().environment(environment);
        String[] line = {
            "run", "--artifact", "out/**", "--artifacts-to", target.toString(), "--json", "--", "sh", "-c", code
        };
        assertThat(stdio.run(line)).as(stdio.err()).isZero();
        assertThat(stdio.out())
                .contains(
                        "\"path\":\"out/deep/y\",\"size\":2,\"sha256\":\"0263829989b6fd954f72baaf2fc64bc2e2f01d692d4de72986ea808f6e99813f\"");
        assertThat(target.resolve("out/x.bin")).hasBinaryContent(new byte[] {(byte) 0xff, 'a'});
        assertThat(target.resolve("out/deep/y")).hasContent("b\n");
        assertThat(target.resolve("other")).doesNotExist();
        assertThat(target.resolve("out/link")).doesNotExist();
        TestStdio again = new TestStdio().environment(environment);
        assertThat(again.run(line)).isEqualTo(125);
        assertThat(again.err()).contains("artifact out/x.bin was not written").contains("is there already");
    }

    @ParameterizedTest
    @EnumSource
    void bytesArriveAsTheyWereWritten(GatewayKind kind) {
        TestStdio stdio = new TestStdio().environment(kind.environment(service));
        assertThat(stdio.run("run", "--", "printf", "\\377\\000z")).isZero();
        assertThat(stdio.outBytes()).containsExactly(0xff, 0, 'z');
    }

    @Test
    void whatAServiceCannotDoIsRefusedByName() {
        for (List<String> words : List.of(
                List.of("--ro", "/etc:/workspace/x"),
                List.of("--rw", "/etc:/workspace/x"),
                List.of("--dry-run"),
                List.of("--owner", "x"),
                List.of("--profile", "./profile.json"),
                List.of("--config", "/nowhere"))) {
            TestStdio stdio = new TestStdio().environment(service.unix());
            List<String> line = new ArrayList<>(List.of("run"));
            line.addAll(words);
            line.addAll(List.of("--", "true"));
            assertThat(stdio.run(line.toArray(String[]::new))).as(stdio.err()).isEqualTo(2);
            assertThat(stdio.err())
                    .startsWith("cordon: " + words.getFirst() + " is not possible with a service: ")
                    .endsWith("; do it without the service: --local, or CORDON_HOST=none\n");
        }
    }

    @Test
    void aServiceThatIsNotThereIsSaidSo() {
        TestStdio stdio = new TestStdio().environment(Map.of("CORDON_HOST", "unix:/tmp/cordon-absent.sock"));
        assertThat(stdio.run("run", "--", "true")).isEqualTo(125);
        assertThat(stdio.err())
                .startsWith("cordon: the service at unix:/tmp/cordon-absent.sock cannot be reached: ")
                .contains("--local");
        for (String host : List.of(
                "tcp://x",
                "unix:relative",
                "http://192.0.2.1:80",
                "http://127.0.0.1.example.com:80",
                "http://a@127.0.0.1:80",
                "https://",
                "https://h/path",
                "http://127.0.0.1",
                "x")) {
            TestStdio wrong = new TestStdio().environment(Map.of("CORDON_HOST", host));
            assertThat(wrong.run("run", "--", "true")).as(host).isEqualTo(2);
            assertThat(wrong.err()).as(host).startsWith("cordon: CORDON_HOST: '" + host + "'");
        }
    }

    @Test
    void aTokenCanBeInAFileAndAWrongOneIsRefused() throws Exception {
        Map<String, String> environment = new HashMap<>(service.tcp());
        environment.put("CORDON_TOKEN", "cordon_wrong");
        TestStdio refused = new TestStdio().environment(environment);
        assertThat(refused.run("run", "--", "true")).isEqualTo(125);
        assertThat(refused.err()).contains("refused: the token is not known");
        environment.remove("CORDON_TOKEN");
        Path file = Files.writeString(folder.resolve("token"), service.token() + "\n", StandardCharsets.US_ASCII);
        environment.put("CORDON_TOKEN_FILE", file.toString());
        TestStdio taken = new TestStdio().environment(environment);
        assertThat(taken.run("run", "--", "echo", "in")).as(taken.err()).isZero();
        assertThat(taken.out()).isEqualTo("in\n");
    }

    @Test
    void localIsStrongerThanTheService() {
        TestStdio stdio = new TestStdio().environment(Map.of("CORDON_HOST", "unix:/tmp/cordon-absent.sock"));
        assertThat(stdio.run("run", "--local", "--", "echo", "here")).isZero();
        assertThat(stdio.out()).isEqualTo("here\n");
        assertThat(Arrays.asList(stdio.err())).containsExactly("");
    }
}
