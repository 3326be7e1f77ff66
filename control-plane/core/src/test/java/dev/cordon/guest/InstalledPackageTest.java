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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;

/** The life of the Debian package on a machine with systemd and cgroup v2. The last test removes it. Only for a machine of its own. */
@Tag("inside")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class InstalledPackageTest {
    /** The processor is emulated; these only end what hangs. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final Path UNIT = Path.of("/sys/fs/cgroup/system.slice/cordon.service");
    private static final UnixHttp SERVICE = new UnixHttp(Path.of("/run/cordon/service/cordon.sock"));
    private static final String SLEEP = "{\"command\":\"exec sleep 31415\",\"limits\":{\"timeout_ms\":600000}}";

    @BeforeAll
    static void install() throws Exception {
        assertThat(Path.of("/run/testguest/order")).as("this is the test guest").isDirectory();
        long begin = System.nanoTime();
        System.out.println(done("dpkg", "--unpack", "cordon.deb"));
        // Minutes on an emulated processor, for commands that start faster.
        Files.writeString(Path.of("/usr/lib/cordon/train"), "#!/bin/sh\n");
        Path dropIn = Files.createDirectories(Path.of("/run/systemd/system/cordon.service.d"));
        Files.writeString(dropIn.resolve("emulated.conf"), """
            [Service]
            TimeoutStartSec=600
            Environment="JDK_JAVA_OPTIONS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
            """);
        System.out.println(done("dpkg", "--configure", "cordon"));
        System.out.printf(
                "installed in %d s%n",
                Duration.ofNanos(System.nanoTime() - begin).toSeconds());
        assertThat(done("systemctl", "is-active", "cordon")).isEqualTo("active");
    }

    @AfterAll
    static void journal() throws Exception {
        Files.writeString(
                Path.of("/opt/results/cordon-journal.txt"), done("journalctl", "--no-pager", "--unit", "cordon"));
    }

    @Test
    @Order(1)
    void theServiceRunsAsItsOwnUserWithoutCapabilities() throws Exception {
        List<String> status = Files.readAllLines(Path.of("/proc", mainPid(), "status"));
        status.stream()
                .filter(line -> line.matches("(Name|Uid|Cap|NoNewPrivs).*"))
                .forEach(System.out::println);
        String uid = done("id", "-u", "cordon");
        assertThat(status).contains("Uid:\t" + String.join("\t", uid, uid, uid, uid));
        String none = "0".repeat(16);
        assertThat(status).contains("CapInh:\t" + none, "CapPrm:\t" + none, "CapEff:\t" + none, "CapAmb:\t" + none);
        assertThat(status).as("what newuidmap can get").contains("CapBnd:\t00000000002000c2");
    }

    @Test
    @Order(2)
    void theScoreOfSystemdIsWhatTheUnitSays() throws Exception {
        String table = done("systemd-analyze", "--no-pager", "security", "cordon.service");
        Files.writeString(Path.of("/opt/results/security.txt"), table);
        String score = table.lines()
                .filter(line -> line.contains("Overall exposure"))
                .findFirst()
                .orElseThrow();
        System.out.println(score.strip());
        String number = score.replaceAll(".*: *([0-9.]+) .*", "$1");
        assertThat(Files.readString(Path.of("/usr/lib/systemd/system/cordon.service")))
                .contains(number);
    }

    @Test
    @Order(3)
    void jobsHaveIdsOfTheirOwnRange() throws Exception {
        JsonNode job = run("{\"command\":\"cat /proc/self/uid_map; grep Cap /proc/self/status; id -u\"}");
        String out = job.path("stdout").asString();
        System.out.println(out);
        long host = out.lines()
                .map(line -> line.strip().split("\\s+", -1))
                .filter(words -> words.length == 3 && words[0].equals("1000"))
                .mapToLong(words -> Long.parseLong(words[1]))
                .findFirst()
                .orElseThrow();
        String range = Files.readAllLines(Path.of("/etc/subuid")).stream()
                .filter(line -> line.startsWith("cordon:"))
                .findFirst()
                .orElseThrow();
        long first = Long.parseLong(range.split(":", -1)[1]);
        assertThat(host).isBetween(first, first + 65_535);
        assertThat(out)
                .contains("CapEff:\t0000000000000000")
                .contains("CapBnd:\t0000000000000000")
                .endsWith("1000\n");
        assertThat(run("{\"language\":\"python\",\"code\":\"print(6*7)\"}")
                        .path("stdout")
                        .asString())
                .isEqualTo("42\n");
    }

    @Test
    @Order(4)
    void limitsAreThoseOfUnifiedCgroups() throws Exception {
        String id = start("{\"command\":\"exec sleep 31415\",\"limits\":{\"memory_mb\":77,\"pids\":9,\"cpus\":0.5}}");
        await().atMost(PATIENCE).until(() -> cgroupValues("memory.max").contains(Long.toString(77L << 20)));
        assertThat(cgroupValues("pids.max")).containsAnyOf("9", "10"); // init is one more
        assertThat(cgroupValues("cpu.max")).contains("50000 100000");
        assertThat(cgroupValues("memory.swap.max")).contains("0");
        cancel(id);
        JsonNode large = run("{\"language\":\"python\",\"code\":\"x = bytearray(300 << 20)\","
                + "\"limits\":{\"memory_mb\":64,\"timeout_ms\":120000}}");
        assertThat(large.path("outcome").asString()).as(large.toString()).isEqualTo("out_of_memory");
        JsonNode slow = run("{\"command\":\"exec sleep 31415\",\"limits\":{\"timeout_ms\":1000}}");
        assertThat(slow.path("outcome").asString()).isEqualTo("timed_out");
        System.out.println("memory: " + large.path("outcome") + ", time: " + slow.path("outcome"));
    }

    @Test
    @Order(5)
    void theCommandLineWorks() throws Exception {
        assertThat(done("cordon", "run", "--", "echo", "from the command line")).isEqualTo("from the command line");
        // This machine leaves manual pages out of what it installs.
        assertThat(done("dpkg-deb", "--contents", "cordon.deb")).contains("/usr/share/man/man1/cordon-run.1.gz");
        assertThat(Path.of("/usr/share/bash-completion/completions/cordon")).isNotEmptyFile();
    }

    /** X-01, under systemd. */
    @Test
    @Order(6)
    void aServiceThatIsKilledComesBackAndItsJobsHaveOneEnd() throws Exception {
        List<String> jobs = startSleepers(5);
        String before = mainPid();
        done("kill", "-KILL", before);
        long begin = System.nanoTime();
        await().atMost(PATIENCE).until(() -> sleepers() == 0);
        System.out.printf(
                "no survivor after %d ms%n",
                Duration.ofNanos(System.nanoTime() - begin).toMillis());
        await().atMost(PATIENCE).until(InstalledPackageTest::answers);
        System.out.printf(
                "up again after %d ms%n",
                Duration.ofNanos(System.nanoTime() - begin).toMillis());
        assertThat(mainPid()).isNotEqualTo(before);
        for (String id : jobs) {
            JsonNode job = SERVICE.get("/v1/jobs/" + id).json();
            assertThat(job.path("state").asString()).as(job.toString()).isEqualTo("finished");
            assertThat(job.path("outcome").asString()).isEqualTo("lost");
        }
        assertThat(run("{\"command\":\"echo again\"}").path("stdout").asString())
                .isEqualTo("again\n");
    }

    /** a reload of systemd moves nothing, a restart ends jobs and says so. */
    @Test
    @Order(7)
    void reloadAndRestartWhileJobsRun() throws Exception {
        List<String> jobs = startSleepers(3);
        done("systemctl", "daemon-reload");
        assertThat(sleepers()).isEqualTo(3);
        Files.writeString(
                Path.of("/etc/cordon/tokens/ci"), "ci-runner read cordon_ci_" + "0123456789abcdef".repeat(4) + "\n");
        done("systemctl", "restart", "cordon");
        assertThat(done("systemctl", "show", "--property=SuccessExitStatus", "--value", "cordon"))
                .as("a stopped service is not a failed one")
                .contains("143");
        assertThat(sleepers()).isZero();
        for (String id : jobs) {
            assertThat(SERVICE.get("/v1/jobs/" + id).json().path("outcome").asString())
                    .isEqualTo("canceled");
        }
    }

    @Test
    @Order(8)
    void aTokenOfACredentialIsKnown() throws Exception {
        String secret = "cordon_ci_" + "0123456789abcdef".repeat(4);
        assertThat(SERVICE.get("/v1/jobs", "Authorization: Bearer " + secret).status())
                .isEqualTo(200);
        assertThat(SERVICE.get("/v1/jobs", "Authorization: Bearer " + secret + "0")
                        .status())
                .isEqualTo(401);
        UnixHttp.Answer refused = SERVICE.post("/v1/jobs", SLEEP, "Authorization: Bearer " + secret);
        assertThat(refused.status()).as(refused.body()).isEqualTo(403);
    }

    @Test
    @Order(9)
    void aServiceThatHangsIsReplaced() throws Exception {
        await().atMost(PATIENCE).until(InstalledPackageTest::answers);
        String before = mainPid();
        done("kill", "-STOP", before);
        await().atMost(PATIENCE).until(() -> !mainPid().equals(before) && answers());
        assertThat(done("journalctl", "--no-pager", "--unit", "cordon")).contains("Watchdog timeout");
    }

    @Test
    @Order(10)
    void nothingIsLeftAfterPurge() throws Exception {
        startSleepers(2);
        done("dpkg", "--purge", "cordon");
        assertThat(sleepers()).isZero();
        assertThat(UNIT).doesNotExist();
        String left = done(
                "find",
                "/",
                "-xdev",
                "(",
                "-path",
                "/opt",
                "-o",
                "-path",
                "/proc",
                ")",
                "-prune",
                "-o",
                "-iname",
                "*cordon*",
                "-print");
        assertThat(left).isEmpty();
        assertThat(done("sh", "-c", "grep -r cordon /etc/passwd /etc/group /etc/subuid /etc/subgid || true"))
                .isEmpty();
        assertThat(done("find", "/run", "/tmp", "-iname", "*cordon*", "-not", "-path", "/run/systemd/*"))
                .isEmpty();
    }

    private static JsonNode run(String body) throws IOException {
        UnixHttp.Answer answer = SERVICE.post("/v1/jobs", body, "Prefer: wait=30");
        assertThat(answer.status()).as(answer.body()).isIn(200, 202);
        String id = answer.json().path("id").asString();
        await().atMost(PATIENCE).until(() -> job(id).path("state").asString().equals("finished"));
        return job(id);
    }

    private static JsonNode job(String id) throws IOException {
        return SERVICE.get("/v1/jobs/" + id + "?wait_ms=10000").json();
    }

    private static String start(String body) throws IOException {
        UnixHttp.Answer answer = SERVICE.post("/v1/jobs", body, "Prefer: respond-async");
        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        return answer.json().path("id").asString();
    }

    private static List<String> startSleepers(int count) throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(start(SLEEP));
        }
        await().atMost(PATIENCE).until(() -> sleepers() == count);
        return ids;
    }

    private static void cancel(String id) throws IOException {
        SERVICE.post("/v1/jobs/" + id + "/signal", "{\"signal\":\"SIGKILL\"}");
        await().atMost(PATIENCE).until(() -> job(id).path("state").asString().equals("finished"));
    }

    private static boolean answers() {
        try {
            return SERVICE.get("/healthz").status() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static String mainPid() throws Exception {
        return done("systemctl", "show", "--property=MainPID", "--value", "cordon");
    }

    private static long sleepers() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            return entries.filter(entry -> contentOf(entry.resolve("cmdline")).equals("sleep\00031415\000"))
                    .count();
        }
    }

    /** What the files of that name hold in all cgroups below the unit's. */
    private static List<String> cgroupValues(String name) throws IOException {
        try (Stream<Path> tree = Files.walk(UNIT)) {
            return tree.filter(file -> file.getFileName().toString().equals(name))
                    .map(file -> contentOf(file).strip())
                    .toList();
        }
    }

    private static String contentOf(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            return "";
        }
    }

    /** Runs a program to its end, which must be a good one. */
    private static String done(String... command) throws Exception {
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
            String text = Files.readString(output, StandardCharsets.UTF_8).strip();
            assertThat(process.exitValue())
                    .as(String.join(" ", command) + ": " + text)
                    .isZero();
            return text;
        } finally {
            Files.delete(output);
        }
    }
}
