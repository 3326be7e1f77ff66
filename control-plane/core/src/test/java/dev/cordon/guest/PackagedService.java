package dev.cordon.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service of the Debian package on the guest, as root sees it. Its tests share one machine and mostly one installation. */
final class PackagedService {
    /** The processor is emulated; these only end what hangs. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    static final Path UNIT = Path.of("/sys/fs/cgroup/system.slice/cordon.service");
    static final Path DROP_INS = Path.of("/etc/systemd/system/cordon.service.d");
    /** The operator's rules; there are none at first. */
    static final Path POLICY = Path.of("/etc/cordon/policy.toml");

    static final UnixHttp SERVICE = new UnixHttp(Path.of("/run/cordon/service/cordon.sock"));
    static final String SLEEP =
            "{\"command\":\"exec sleep 31415\",\"limits\":{\"timeout\":\"600s\",\"memory\":\"64M\"}}";

    /** What the operator's token says, which is a credential of the unit. */
    static final String SECRET = "cordon_ci_" + "0123456789abcdef".repeat(4);

    private static final int ABORTED = 134;
    private static final Pattern FRESH_CODE = Pattern.compile("(?m)^# J .*\\+0x0+]$");
    private static final String SLEEPER = "sleep\00031415\000";
    private static final Path AUDIT = Path.of("/var/lib/cordon/service/audit");
    private static final JsonMapper JSON = new JsonMapper();

    private PackagedService() {}

    /** Installs the package where it is not, and waits for the service. */
    static void installed() throws Exception {
        assertThat(Path.of("/run/testguest/order")).as("this is the test guest").isDirectory();
        if (!Files.exists(Path.of("/usr/bin/cordon"))) {
            done("dpkg", "--force-unsafe-io", "--unpack", "cordon.deb");
            withoutTraining();
            Path dropIn = Files.createDirectories(Path.of("/run/systemd/system/cordon.service.d"));
            Files.writeString(dropIn.resolve("emulated.conf"), """
                [Service]
                TimeoutStartSec=600
                Environment="JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
                """);
            Files.writeString(POLICY, "version = 1\n");
            Files.writeString(Path.of("/etc/cordon/tokens/ci"), "ci-runner read " + SECRET + "\n");
            done("dpkg", "--configure", "cordon");
            assertThat(done("systemctl", "is-active", "cordon")).isEqualTo("active");
        }
        await().atMost(PATIENCE).until(PackagedService::answers);
    }

    /** Half a minute and more on an emulated processor, for commands that start faster. */
    static void withoutTraining() throws IOException {
        Files.writeString(Path.of("/usr/lib/cordon/train"), "#!/bin/sh\n");
    }

    static void keepJournal(String name) throws Exception {
        Files.writeString(
                Path.of("/opt/results", name + "-journal.txt"), done("journalctl", "--no-pager", "--unit", "cordon"));
    }

    static JsonNode run(String body) throws IOException {
        UnixHttp.Answer answer = SERVICE.post("/v1/jobs", body, "Prefer: wait=30");
        assertThat(answer.status()).as(answer.body()).isIn(200, 202);
        return ended(answer.json().path("id").asString());
    }

    /** The job, once it is over. */
    static JsonNode ended(String id) {
        await().atMost(PATIENCE).until(() -> job(id).path("state").asString().equals("finished"));
        return job(id);
    }

    static String outcome(String id) {
        return ended(id).path("outcome").asString();
    }

    private static JsonNode job(String id) {
        try {
            return SERVICE.get("/v1/jobs/" + id + "?wait_ms=10000").json();
        } catch (IOException e) {
            throw new AssertionError("the service does not answer", e);
        }
    }

    static String start(String body) throws IOException {
        UnixHttp.Answer answer = SERVICE.post("/v1/jobs", body, "Prefer: respond-async");
        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        return answer.json().path("id").asString();
    }

    static List<String> startSleepers(int count) throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(start(SLEEP));
        }
        await().atMost(PATIENCE).until(() -> sleepers().size() == count);
        return ids;
    }

    static boolean answers() {
        try {
            return SERVICE.get("/healthz").status() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    static String mainPid() throws Exception {
        return property("MainPID");
    }

    static String property(String name) throws Exception {
        return done("systemctl", "show", "--property=" + name, "--value", "cordon");
    }

    /** The processes of sleepers. */
    static List<Path> sleepers() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            return entries.filter(entry -> contentOf(entry.resolve("cmdline")).equals(SLEEPER))
                    .sorted()
                    .toList();
        }
    }

    /** The cgroup of each sleeper, with the limit of its memory. */
    static Map<String, String> places() throws IOException {
        Map<String, String> places = new TreeMap<>();
        for (Path process : sleepers()) {
            String cgroup = contentOf(process.resolve("cgroup")).strip().replaceFirst("^0::", "");
            String limit = "";
            // The job's limit is on one of the cgroups between the unit's and the process's.
            for (Path at = Path.of("/sys/fs/cgroup" + cgroup); at != null && !at.equals(UNIT); at = at.getParent()) {
                limit += at + " " + contentOf(at.resolve("memory.max")).strip() + "\n";
            }
            places.put(process.toString(), limit);
        }
        return places;
    }

    /** What the files of that name hold in all cgroups below the unit's. */
    static List<String> cgroupValues(String name) throws IOException {
        try (Stream<Path> tree = Files.walk(UNIT)) {
            return tree.filter(file -> file.getFileName().toString().equals(name))
                    .map(file -> contentOf(file).strip())
                    .toList();
        }
    }

    /** How often the audit log says that the job is over. */
    static long auditedEnds(String id) throws IOException {
        try (Stream<Path> files = Files.list(AUDIT)) {
            return files.filter(file -> file.toString().endsWith(".jsonl"))
                    .flatMap(file -> contentOf(file).lines())
                    .filter(line -> line.contains(id))
                    .map(JSON::readTree)
                    .filter(line -> line.path("kind").asString("").equals("end")
                            && line.path("job").asString("").equals(id))
                    .count();
        }
    }

    static String contentOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            return "";
        }
    }

    /** How a program ended. */
    record Ended(int code, String text) {}

    /**
     * Whether a JVM died at the first instruction of a method that it had just compiled: emulated processors at times do not see yet that
     * the page can be executed. Seen once in several hundred starts; where code of ours is at fault the frame is another.
     */
    private static boolean isEmulatorsFault(Ended ended) {
        return ended.code() == ABORTED && FRESH_CODE.matcher(ended.text()).find();
    }

    /** Runs a program to its end, which must be a good one. */
    static String done(String... command) throws Exception {
        Ended ended = tried(command);
        if (isEmulatorsFault(ended)) {
            System.out.println("again, the emulator failed: " + ended.text());
            ended = tried(command);
        }
        assertThat(ended.code())
                .as(ended.text() + ", said " + String.join(" ", command))
                .isZero();
        return ended.text();
    }

    /** Runs a program to its end. */
    static Ended tried(String... command) throws Exception {
        Path output = Files.createTempFile(
                "command", ".out", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().remove("JDK_JAVA_OPTIONS"); // this suite's own
            Process process = builder.start();
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as(String.join(" ", command))
                    .isTrue();
            return new Ended(
                    process.exitValue(),
                    Files.readString(output, StandardCharsets.UTF_8).strip());
        } finally {
            Files.delete(output);
        }
    }
}
