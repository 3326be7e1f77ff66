package dev.cordon.guest;

import static dev.cordon.guest.PackagedService.contentOf;
import static dev.cordon.guest.PackagedService.done;
import static dev.cordon.guest.PackagedService.mainPid;
import static dev.cordon.guest.PackagedService.outcome;
import static dev.cordon.guest.PackagedService.run;
import static dev.cordon.guest.PackagedService.sleepers;
import static dev.cordon.guest.PackagedService.startSleepers;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;

/** The package's service as root, with the drop-in that it ships, and the way back. Only for a machine of its own. */
@Tag("inside")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class RootVariantInsideTest {
    private static final Path SHIPPED = Path.of("/usr/share/cordon/systemd/root.conf");
    private static final Path DROP_IN = PackagedService.DROP_INS.resolve("root.conf");

    private static String earlier = "";

    @BeforeAll
    static void becomeRoot() throws Exception {
        PackagedService.installed();
        earlier = run("{\"command\":\"echo earlier\"}").path("id").asString();
        Files.createDirectories(DROP_IN.getParent());
        Files.copy(SHIPPED, DROP_IN);
        done("systemctl", "daemon-reload");
        done("systemctl", "restart", "cordon");
    }

    @AfterAll
    static void journal() throws Exception {
        PackagedService.keepJournal("root");
    }

    @Test
    @Order(1)
    void everySandboxHasAHostIdOfItsOwn() throws Exception {
        assertThat(uid(Path.of("/proc", mainPid()))).isEqualTo("0");
        List<String> jobs = startSleepers(2);
        Set<String> ids = new TreeSet<>();
        for (Path process : sleepers()) {
            ids.add(uid(process));
        }
        System.out.println("host ids: " + ids);
        assertThat(ids).hasSize(2).doesNotContain("0", done("id", "-u", "cordon"));
        assertThat(PackagedService.places().values()).allMatch(place -> place.matches("(?s).* [0-9]+\n.*"));
        for (String id : jobs) {
            PackagedService.SERVICE.post("/v1/jobs/" + id + "/signal", "{\"signal\":\"SIGKILL\"}");
            assertThat(outcome(id)).isEqualTo("signaled");
        }
        String status = run("{\"command\":\"grep Cap /proc/self/status\"}")
                .path("stdout")
                .asString();
        String none = "0".repeat(16);
        assertThat(status).contains("CapPrm:\t" + none, "CapEff:\t" + none, "CapBnd:\t" + none, "CapAmb:\t" + none);
        assertThat(run("{\"command\":\"cat /sys/fs/cgroup/memory.max\",\"limits\":{\"memory\":\"64M\"}}")
                        .path("stdout")
                        .asString())
                .as("its own limit, made by a service whose mask is 077")
                .isEqualTo("67108864\n");
    }

    /** An answer of the unit's filter would come before the notice to Cordon. */
    @Test
    @Order(2)
    void theTripwiresAreStillHeard() throws Exception {
        String probe = Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of("probes/payload")));
        for (String call : List.of("ptrace", "bpf")) {
            assertThat(violations("{\"argv\":[\"./probe\",\"" + call + "\"],\"files\":[{\"path\":\"probe\","
                            + "\"mode\":\"0755\",\"encoding\":\"base64\",\"content\":\"" + probe + "\"}]}"))
                    .contains(call);
        }
        assertThat(violations("{\"command\":\"unshare --user true\"}")).contains("unshare");
    }

    private static List<String> violations(String body) throws Exception {
        JsonNode job = run(body);
        System.out.println(job.path("outcome") + " " + job.path("violations"));
        return job.path("violations").findValuesAsString("syscall");
    }

    @Test
    @Order(3)
    void theScoreOfSystemdIsWhatTheFilesSay() throws Exception {
        String score = InstalledPackageInsideTest.score("security-root.txt");
        assertThat(Files.readString(SHIPPED)).contains("systemd 252: " + score + " ");
    }

    @Test
    @Order(4)
    void theWayBackKeepsWhatWasRecorded() throws Exception {
        String asRoot = run("{\"command\":\"echo as root\"}").path("id").asString();
        Files.delete(DROP_IN);
        Files.delete(DROP_IN.getParent());
        done("systemctl", "daemon-reload");
        done("systemctl", "restart", "cordon");
        assertThat(uid(Path.of("/proc", mainPid()))).isEqualTo(done("id", "-u", "cordon"));
        assertThat(PackagedService.ended(earlier).path("stdout").asString()).isEqualTo("earlier\n");
        assertThat(PackagedService.ended(asRoot).path("stdout").asString()).isEqualTo("as root\n");
        assertThat(run("{\"command\":\"echo back\"}").path("stdout").asString()).isEqualTo("back\n");
        assertThat(done("find", "/var/lib/cordon/service", "-not", "-user", "cordon"))
                .isEmpty();
    }

    private static String uid(Path process) {
        return contentOf(process.resolve("status"))
                .lines()
                .filter(line -> line.startsWith("Uid:"))
                .map(line -> line.split("\t", -1)[2])
                .findFirst()
                .orElseThrow();
    }
}
