package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.job.limit.Limit;
import dev.cordon.server.Service;
import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.problem.ProblemCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Every field of every body that is submitted, with a value that is invalid: the answer points at the field that was sent. */
@Tag("jail")
class FieldPointersJailTest {
    /** A body and the pointer of its one error. */
    private record Wrong(String body, String pointer) {}

    @TempDir
    static Path directory;

    static TestService service;
    static String sandbox;

    @BeforeAll
    static void start() throws Exception {
        UserNamespaces.assumeAvailable();
        Path tools = Files.createDirectories(directory.resolve("tools"));
        Files.writeString(tools.resolve("count.toml"), """
            name = "count"
            description = "Counts."
            argv = ["seq", "{to}"]
            [parameters]
            type = "object"
            required = ["to"]
            properties = { to = { type = "integer", maximum = 9 } }
            """);
        service = new TestService(directory, "[tools]", "directory = \"" + tools + "\"");
        HttpResponse<String> opened = service.post(service.alice, "/v1/sandboxes", "{}");
        sandbox = opened.headers().firstValue("Location").orElseThrow();
    }

    @AfterAll
    static void stop() {
        if (service != null) {
            service.close();
        }
    }

    private static final List<Wrong> COMMANDS = List.of(
            new Wrong("'language':'cobol','code':'x'", "/language"),
            new Wrong("'language':'python','code':' '", "/code"),
            new Wrong("'language':'python','code':'1','file_name':'a/b'", "/file_name"),
            new Wrong("'argv':['true','\\u0000']", "/argv/1"),
            new Wrong("'argv':['true',1]", "/argv/1"),
            new Wrong("'command':'a\\u0000b'", "/command"));

    private static final List<Wrong> OF_JOBS = List.of(
            new Wrong("'files':[{'path':'../x','content':''}]", "/files/0/path"),
            new Wrong("'files':[{'path':'x','content':'?','encoding':'base64'}]", "/files/0/content"),
            new Wrong("'files':[{'path':'x','content':'','encoding':'x'}]", "/files/0/encoding"),
            new Wrong("'files':[{'path':'x','content':'','mode':'9'}]", "/files/0/mode"),
            new Wrong("'files':[{'path':'x','content':'','mode':'7777'}]", "/files/0/mode"),
            new Wrong("'stdin':1", "/stdin"),
            new Wrong("'stdin_open':1", "/stdin_open"),
            new Wrong("'tty':{'rows':0}", "/tty/rows"),
            new Wrong("'tty':{'columns':10001}", "/tty/columns"),
            new Wrong("'workdir':'x'", "/workdir"),
            new Wrong("'on_output_limit':'x'", "/on_output_limit"),
            new Wrong("'trust':'x'", "/trust"),
            new Wrong("'network':{'default':'allow'}", "/network/default"),
            new Wrong("'network':{'allow':[{}]}", "/network/allow"),
            new Wrong("'artifacts':['/x']", "/artifacts/0"));

    private static final List<Wrong> OF_BOTH = List.of(
            new Wrong("'env':{'a/b':'\\u0000'}", "/env/a~1b"),
            new Wrong("'env':{'a/b':1}", "/env/a~1b"),
            new Wrong("'env':{'a=b':'c'}", "/env/a=b"),
            new Wrong("'isolation':'none'", "/isolation"),
            new Wrong("'isolation':{'min':'none'}", "/isolation/min"),
            new Wrong("'isolation':{'min':'vm','max':'jail'}", "/isolation/max"),
            new Wrong("'image':'A B'", "/image"),
            new Wrong("'image':'no-such-image'", "/image"),
            new Wrong("'profile':'a b'", "/profile"),
            new Wrong("'profile':'no-such-profile'", "/profile"),
            new Wrong("'strict':1", "/strict"),
            new Wrong("'on_violation':'x'", "/on_violation"),
            new Wrong("'labels':{'a b':'c'}", "/labels/a b"),
            new Wrong("'labels':{'a/b':1}", "/labels/a~1b"),
            new Wrong("'labels':{'a/b':'\\n'}", "/labels/a~1b"),
            new Wrong("'labels':{'cordon/submitted_by':'root'}", "/labels/cordon~1submitted_by"),
            new Wrong("'no/field':1", "/no~1field"));

    private static final List<Wrong> OF_SANDBOXES = List.of(
            new Wrong("'ttl':'0s'", "/ttl"),
            new Wrong("'ttl':'366d'", "/ttl"),
            new Wrong("'ttl':600", "/ttl"),
            new Wrong("'ttl':[]", "/ttl"),
            new Wrong("'idle_timeout':'-1s'", "/idle_timeout"),
            new Wrong("'idle_timeout':'soon'", "/idle_timeout"));

    /** What is the sandbox's matter, and fine in a job of its own. */
    private static final List<Wrong> NOT_INSIDE = List.of(
            new Wrong("'isolation':'jail'", "/isolation"),
            new Wrong("'isolation':{'min':'jail'}", "/isolation/min"),
            new Wrong("'isolation':{'max':'vm'}", "/isolation/max"),
            new Wrong("'image':'base'", "/image"),
            new Wrong("'profile':'strict'", "/profile"),
            new Wrong("'strict':true", "/strict"),
            new Wrong("'artifacts':['x']", "/artifacts"));

    /** Each limit below and above its range, and what is not an amount. */
    private static List<Wrong> limits() {
        List<Wrong> wrong = new ArrayList<>();
        for (Limit limit : Limit.values()) {
            for (String value : List.of("0", "-1", "9000000000000000000", "'x'", "true")) {
                if (limit != Limit.OUTPUT || !value.startsWith("9")) { // the service's own ceiling, another answer
                    wrong.add(limit(limit.key(), value));
                }
            }
        }
        wrong.add(new Wrong("'limits':{'memory_mb':1}", "/limits/memory_mb"));
        return wrong;
    }

    private static Wrong limit(String name, String value) {
        return new Wrong("'limits':{'" + name + "':" + value + "}", "/limits/" + name);
    }

    private static void check(String path, String begin, Stream<Wrong> cases) {
        cases.forEach(wrong -> {
            try {
                String body = ("{" + begin + wrong.body() + "}").replace('\'', '"');
                HttpResponse<String> answer = service.post(service.alice, path, body);
                assertThat(answer.statusCode()).as(body + answer.body()).isIn(400, 422);
                JsonNode errors = JsonTree.read(answer.body()).path("errors");
                assertThat(errors.path(0).path("pointer").asString())
                        .as(path + " " + body + answer.body())
                        .isEqualTo(wrong.pointer());
                assertThat(errors.path(0).path("message").asString()).startsWith(wrong.pointer() + ": '");
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static Stream<Wrong> all(List<Wrong> some, List<Wrong> more) {
        return Stream.concat(some.stream(), more.stream());
    }

    @Test
    void ofAJob() {
        for (String path : List.of("/v1/jobs", "/v1/policy/explain", sandbox + "/jobs")) {
            check(path, "", COMMANDS.stream());
            check(path, "'command':'true',", Stream.of(new Wrong("'argv':['true']", "/argv")));
            check(path, "'argv':['true'],", all(OF_JOBS, limits()));
            check(
                    path,
                    "'argv':['true'],",
                    OF_BOTH.stream()
                            .filter(wrong ->
                                    !path.endsWith("explain") || !wrong.body().contains("no-such")));
        }
    }

    @Test
    void ofAJobInASandbox() {
        check(sandbox + "/jobs", "'argv':['true'],", NOT_INSIDE.stream());
        check(sandbox + "/jobs", "", Stream.of(new Wrong("'language':'java','code':'x'", "/language")));
        check(
                sandbox + "/jobs",
                "'argv':['true'],",
                Arrays.stream(Limit.values())
                        .filter(limit -> !limit.ofCommand())
                        .map(limit ->
                                limit(limit.key(), limit.show(limit.most()).replaceAll("^|$", "'"))));
    }

    @Test
    void ofASandbox() {
        check("/v1/sandboxes", "", all(OF_BOTH, limits()));
        check("/v1/sandboxes", "", OF_SANDBOXES.stream());
    }

    @Test
    void ofATool() {
        check(
                "/v1/tools/count",
                "",
                Stream.of(
                        new Wrong("'parameters':{'to':10}", "/parameters/to"),
                        new Wrong("'parameters':{'to':'x'}", "/parameters/to"),
                        new Wrong("'parameters':{}", "/parameters/to"),
                        new Wrong("'parameters':{'to':1,'more':1}", "/parameters/more"),
                        new Wrong("'typed':{'to':'10'}", "/typed/to"),
                        new Wrong("'typed':{'to':1}", "/typed/to"),
                        new Wrong("'parameters':{'to':1},'labels':{'a b':'c'}", "/labels/a b"),
                        new Wrong("'parameters':{'to':1},'labels':{'a':'b\\rc'}", "/labels/a"),
                        new Wrong("'parameters':{'to':1},'trust':'x'", "/trust"),
                        new Wrong("'parameters':{'to':1},'x':1", "/x")));
    }

    /** Amounts are written and told as on the command line. */
    @Test
    void amountsAreThoseOfTheCommandLine() throws Exception {
        for (String path : List.of("/v1/jobs", "/v1/sandboxes")) {
            String begin = path.endsWith("jobs") ? "{\"argv\":[\"true\"]," : "{";
            assertThat(service.post(service.alice, path, begin + "\"limits\":{\"memory\":\"1M\"}}")
                            .body())
                    .contains("/limits/memory: '1M' is not between 4 MiB and 16 TiB");
            assertThat(service.post(service.alice, path, begin + "\"limits\":{\"memory\":1}}")
                            .body())
                    .contains("/limits/memory: '1' is not between 4 MiB and 16 TiB");
        }
        assertThat(service.post(service.alice, "/v1/jobs", "{\"argv\":[\"true\"],\"limits\":{\"timeout\":5}}")
                        .body())
                .contains("/limits/timeout: '5' ", "give a duration such as 10s");
        assertThat(service.run(
                                "{\"argv\":[\"true\"],\"limits\":{\"timeout\":\"1.5m\",\"cpus\":\"0.5\",\"memory\":67108864}}")
                        .path("outcome")
                        .asString())
                .isEqualTo("ok");
    }

    /** A field that is documented is walked above. */
    @Test
    void noFieldIsForgotten() throws Exception {
        Set<String> walked = new LinkedHashSet<>();
        Stream.of(COMMANDS, OF_JOBS, OF_BOTH, OF_SANDBOXES, limits())
                .flatMap(List::stream)
                .forEach(wrong -> walked.add(wrong.pointer().split("/", -1)[1]));
        assertThat(walked).containsAll(documented("JobRequest")).containsAll(documented("SandboxRequest"));
    }

    @Test
    void whatIsAnsweredIsDocumented() throws Exception {
        JsonNode job = service.run("{\"argv\":[\"true\"]}");
        assertThat(documented("Job")).containsAll(job.propertyNames());
        JsonNode box = JsonTree.read(service.get(service.alice, sandbox).body());
        assertThat(documented("Sandbox")).containsAll(box.propertyNames());
        JsonNode runtimes =
                JsonTree.read(service.get(service.alice, "/v1/runtimes").body());
        assertThat(documented("Runtime"))
                .containsExactlyInAnyOrderElementsOf(
                        runtimes.path("data").path(0).propertyNames());
        String document = service.get(service.alice, "/openapi.yaml").body();
        for (ProblemCode code : ProblemCode.values()) {
            assertThat(document).containsPattern("[ \\[]" + code.label() + "[,\n]");
        }
    }

    /** The properties of a schema of openapi.yaml, whose indentation is fixed. */
    private static Set<String> documented(String schema) throws IOException {
        Set<String> fields = new LinkedHashSet<>();
        try (InputStream stream = Service.class.getResourceAsStream("openapi.yaml")) {
            boolean inside = false;
            for (String line : new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                inside = line.matches("    \\w+:") ? line.equals("    " + schema + ":") : inside;
                if (inside && line.matches("        \\w+:.*")) {
                    fields.add(line.strip().split(":", 2)[0]);
                }
            }
        }
        assertThat(fields).isNotEmpty();
        return fields;
    }
}
