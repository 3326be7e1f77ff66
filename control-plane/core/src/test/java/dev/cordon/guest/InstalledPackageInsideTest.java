package dev.cordon.guest;

import static dev.cordon.guest.PackagedService.PATIENCE;
import static dev.cordon.guest.PackagedService.SERVICE;
import static dev.cordon.guest.PackagedService.SLEEP;
import static dev.cordon.guest.PackagedService.cgroupValues;
import static dev.cordon.guest.PackagedService.done;
import static dev.cordon.guest.PackagedService.mainPid;
import static dev.cordon.guest.PackagedService.outcome;
import static dev.cordon.guest.PackagedService.run;
import static dev.cordon.guest.PackagedService.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;

/** The Debian package as it is installed on a machine with systemd and cgroup v2. Only for a machine of its own. */
@Tag("inside")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class InstalledPackageInsideTest {
    @BeforeAll
    static void install() throws Exception {
        long begin = System.nanoTime();
        PackagedService.installed();
        System.out.printf(
                "installed in %d s%n",
                Duration.ofNanos(System.nanoTime() - begin).toSeconds());
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
        assertThat(Files.readString(Path.of("/usr/lib/systemd/system/cordon.service")))
                .contains("systemd 252: " + score("security.txt") + " ");
    }

    /** How exposed systemd finds the service; its whole table is among the results. */
    static String score(String file) throws Exception {
        String table = done("systemd-analyze", "--no-pager", "security", "cordon.service");
        Files.writeString(Path.of("/opt/results", file), table);
        String score = table.lines()
                .filter(line -> line.contains("Overall exposure"))
                .findFirst()
                .orElseThrow();
        System.out.println(score.strip());
        return score.replaceAll(".*: *([0-9.]+) .*", "$1");
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
        String id = start("{\"command\":\"exec sleep 31415\",\"limits\":{\"memory\":\"77M\",\"pids\":9,\"cpus\":0.5}}");
        await().atMost(PATIENCE).until(() -> cgroupValues("memory.max").contains(Long.toString(77L << 20)));
        assertThat(cgroupValues("pids.max")).containsAnyOf("9", "10"); // init is one more
        assertThat(cgroupValues("cpu.max")).contains("50000 100000");
        assertThat(cgroupValues("memory.swap.max")).contains("0");
        SERVICE.post("/v1/jobs/" + id + "/signal", "{\"signal\":\"SIGKILL\"}");
        assertThat(outcome(id)).isEqualTo("signaled");
        JsonNode large = run("{\"language\":\"python\",\"code\":\"x = bytearray(300 << 20)\","
                + "\"limits\":{\"memory\":\"64M\",\"timeout\":\"120s\"}}");
        assertThat(large.path("outcome").asString()).as(large.toString()).isEqualTo("out_of_memory");
        JsonNode slow = run("{\"command\":\"exec sleep 31415\",\"limits\":{\"timeout\":\"1s\"}}");
        assertThat(slow.path("outcome").asString()).isEqualTo("timed_out");
        System.out.println("memory: " + large.path("outcome") + ", time: " + slow.path("outcome"));
    }

    @Test
    @Order(5)
    void theCommandLineWorks() throws Exception {
        assertThat(done("cordon", "run", "--", "echo", "from the command line")).isEqualTo("from the command line");
        assertThat(done("cordon", "selftest", "--only", "A-05", "--json")).contains("\"A-05\"", "denied");
        // This machine leaves manual pages out of what it installs.
        assertThat(done("dpkg-deb", "--contents", "cordon.deb")).contains("/usr/share/man/man1/cordon-run.1.gz");
        assertThat(Path.of("/usr/share/bash-completion/completions/cordon")).isNotEmptyFile();
    }

    @Test
    @Order(6)
    void aTokenOfACredentialIsKnown() throws Exception {
        String secret = PackagedService.SECRET;
        assertThat(SERVICE.get("/v1/jobs", "Authorization: Bearer " + secret).status())
                .isEqualTo(200);
        assertThat(SERVICE.get("/v1/jobs", "Authorization: Bearer " + secret + "0")
                        .status())
                .isEqualTo(401);
        UnixHttp.Answer refused = SERVICE.post("/v1/jobs", SLEEP, "Authorization: Bearer " + secret);
        assertThat(refused.status()).as(refused.body()).isEqualTo(403);
    }
}
