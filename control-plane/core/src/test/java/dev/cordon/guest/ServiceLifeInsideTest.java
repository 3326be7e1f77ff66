package dev.cordon.guest;

import static dev.cordon.guest.PackagedService.PATIENCE;
import static dev.cordon.guest.PackagedService.POLICY;
import static dev.cordon.guest.PackagedService.SERVICE;
import static dev.cordon.guest.PackagedService.UNIT;
import static dev.cordon.guest.PackagedService.auditedEnds;
import static dev.cordon.guest.PackagedService.done;
import static dev.cordon.guest.PackagedService.mainPid;
import static dev.cordon.guest.PackagedService.outcome;
import static dev.cordon.guest.PackagedService.places;
import static dev.cordon.guest.PackagedService.property;
import static dev.cordon.guest.PackagedService.run;
import static dev.cordon.guest.PackagedService.sleepers;
import static dev.cordon.guest.PackagedService.startSleepers;
import static dev.cordon.guest.PackagedService.tried;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The package's service with jobs at work: reloaded, killed, hung, stopped, left to the administrator. Only for a machine of its own. */
@Tag("inside")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ServiceLifeInsideTest {
    private static final Path POSTINST = Path.of("/var/lib/dpkg/info/cordon.postinst");
    private static final String RULE = """
        version = 1
        [[rule]]
        name = "nothing-odd"
        action = "deny"
        reason = "odd jobs are not done here"
        when = { labels = { odd = "*" } }
        """;

    @BeforeAll
    static void install() throws Exception {
        PackagedService.installed();
    }

    @AfterAll
    static void journal() throws Exception {
        PackagedService.keepJournal("life");
    }

    /** neither systemd's own reload nor the service's touches what runs. */
    @Test
    @Order(1)
    void reloadsMoveNothing() throws Exception {
        startSleepers(3);
        Map<String, String> before = places();
        assertThat(before).hasSize(3);
        assertThat(before.values()).allMatch(place -> place.matches("(?s).* [0-9]+\n.*"));
        String service = mainPid();
        done("systemctl", "daemon-reload");
        assertThat(places()).isEqualTo(before);

        Files.writeString(POLICY, RULE);
        done("systemctl", "reload", "cordon");
        assertThat(refusedAsOdd()).isTrue();
        Files.writeString(POLICY, "version = 2\n");
        assertThat(tried("systemctl", "reload", "cordon").code())
                .as("a broken policy")
                .isNotZero();
        assertThat(refusedAsOdd()).as("the last good policy holds").isTrue();
        Files.writeString(POLICY, "version = 1\n");
        done("systemctl", "reload", "cordon");
        assertThat(refusedAsOdd()).isFalse();

        assertThat(places()).isEqualTo(before);
        assertThat(mainPid()).isEqualTo(service);
    }

    private static boolean refusedAsOdd() throws IOException {
        UnixHttp.Answer answer =
                SERVICE.post("/v1/jobs", "{\"command\":\"true\",\"labels\":{\"odd\":\"yes\"}}", "Prefer: wait=30");
        String outcome = answer.status() == 202
                ? outcome(answer.json().path("id").asString())
                : answer.json().path("outcome").asString("");
        assertThat(answer.body().contains("odd jobs are not done here")).isEqualTo(!outcome.equals("ok"));
        return !outcome.equals("ok");
    }

    /** X-01, under systemd; the sleepers are those of the test before. */
    @Test
    @Order(2)
    void aServiceThatIsKilledComesBackAndItsJobsHaveOneEnd() throws Exception {
        startSleepersUpTo(5);
        List<String> jobs = running();
        assertThat(jobs).hasSize(5);
        String before = mainPid();
        done("kill", "-KILL", before);
        long begin = System.nanoTime();
        await().atMost(PATIENCE).until(() -> sleepers().isEmpty());
        System.out.printf("no survivor after %d ms%n", millisSince(begin));
        await().atMost(PATIENCE).until(PackagedService::answers);
        System.out.printf("up again after %d ms%n", millisSince(begin));
        assertThat(mainPid()).isNotEqualTo(before);
        haveOneEnd(jobs, "lost");
        nothingIsLeftOf(jobs);
        assertThat(run("{\"command\":\"echo again\"}").path("stdout").asString())
                .isEqualTo("again\n");
    }

    @Test
    @Order(3)
    void aServiceThatHangsIsReplacedAndItsJobsAreLostOnce() throws Exception {
        List<String> jobs = startSleepers(2);
        String before = mainPid();
        done("kill", "-STOP", before);
        await().atMost(PATIENCE).until(() -> !mainPid().equals(before) && PackagedService.answers());
        assertThat(done("journalctl", "--no-pager", "--unit", "cordon")).contains("Watchdog timeout");
        assertThat(sleepers()).isEmpty();
        haveOneEnd(jobs, "lost");
        nothingIsLeftOf(jobs);
    }

    /** While it is down, a package that is configured again leaves to the administrator what is the administrator's. */
    @Test
    @Order(4)
    void aServiceThatIsStoppedLeavesNothingAndStaysStopped() throws Exception {
        List<String> jobs = startSleepers(3);
        done("systemctl", "stop", "cordon");
        assertThat(sleepers()).isEmpty();
        assertThat(UNIT).doesNotExist();
        assertThat(property("Result")).isEqualTo("success");
        assertThat(property("ActiveState")).isEqualTo("inactive");

        configureAgain();
        assertThat(property("ActiveState")).as("it was stopped").isEqualTo("inactive");
        assertThat(property("UnitFileState")).isEqualTo("enabled");
        done("systemctl", "disable", "--quiet", "cordon");
        configureAgain();
        assertThat(property("UnitFileState")).as("it was disabled").isEqualTo("disabled");
        done("systemctl", "mask", "--quiet", "cordon");
        configureAgain();
        assertThat(property("UnitFileState")).as("it was masked").isEqualTo("masked");
        assertThat(property("ActiveState")).isEqualTo("inactive");
        done("systemctl", "unmask", "--quiet", "cordon");
        done("systemctl", "enable", "--quiet", "cordon");

        done("systemctl", "start", "cordon");
        haveOneEnd(jobs, "canceled");
        nothingIsLeftOf(jobs);
    }

    /** As dpkg does at an upgrade, the files apart. */
    private static void configureAgain() throws Exception {
        done("/var/lib/dpkg/info/cordon.prerm", "upgrade", "9");
        done(POSTINST.toString(), "configure", "0.1.0");
    }

    /** Settings that are refused are not tried again and again; a crash is. */
    @Test
    @Order(5)
    void refusedSettingsKeepItDownUntilTheyAreMended() throws Exception {
        Path broken = Path.of("/etc/cordon/conf.d/broken.toml");
        Files.createDirectories(broken.getParent());
        Files.writeString(broken, "[limits]\nmemry = \"1G\"\n");
        assertThat(tried("systemctl", "restart", "cordon").code()).isNotZero();
        await().atMost(PATIENCE).until(() -> property("ActiveState").equals("failed"));
        assertThat(property("ExecMainStatus")).isEqualTo("78");
        assertThat(done("journalctl", "--no-pager", "--unit", "cordon")).contains("limits.memry");
        Files.delete(broken);
        Files.delete(broken.getParent());
        done("systemctl", "start", "cordon");
        assertThat(property("StartLimitIntervalUSec")).isEqualTo("0");
    }

    private static void startSleepersUpTo(int count) throws Exception {
        for (int there = sleepers().size(); there < count; there++) {
            PackagedService.start(PackagedService.SLEEP);
        }
        await().atMost(PATIENCE).until(() -> sleepers().size() == count);
    }

    /** The ids of the jobs that run. */
    private static List<String> running() throws IOException {
        return SERVICE.get("/v1/jobs?state=running&limit=100").json().findValues("id").stream()
                .map(id -> id.asString())
                .toList();
    }

    private static void haveOneEnd(List<String> jobs, String outcome) throws IOException {
        for (String id : jobs) {
            assertThat(outcome(id)).as(id).isEqualTo(outcome);
            assertThat(auditedEnds(id)).as("ends of %s in the audit log", id).isEqualTo(1);
        }
    }

    /** Neither cgroups nor directories of these jobs, once the first jail of the new service has swept. */
    private static void nothingIsLeftOf(List<String> jobs) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Stream.of(UNIT, Path.of("/run/cordon/service"))
                                .flatMap(ServiceLifeInsideTest::directories))
                        .noneMatch(directory -> jobs.stream().anyMatch(directory::contains)));
    }

    private static Stream<String> directories(Path root) {
        try (Stream<Path> tree = Files.walk(root)) {
            return tree.filter(Files::isDirectory).map(Path::toString).toList().stream();
        } catch (IOException | UncheckedIOException moved) {
            throw new AssertionError("a directory went away below " + root, moved);
        }
    }

    private static long millisSince(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin).toMillis();
    }
}
