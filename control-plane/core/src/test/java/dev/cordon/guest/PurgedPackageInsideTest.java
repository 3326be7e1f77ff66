package dev.cordon.guest;

import static dev.cordon.guest.PackagedService.UNIT;
import static dev.cordon.guest.PackagedService.done;
import static dev.cordon.guest.PackagedService.sleepers;
import static dev.cordon.guest.PackagedService.startSleepers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The package is purged, twice. Only for a machine of its own. */
@Tag("inside")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class PurgedPackageInsideTest {
    @BeforeAll
    static void install() throws Exception {
        PackagedService.installed();
    }

    @Test
    @Order(1)
    void nothingIsLeftWhileJobsAndAProcessOfTheUserRun() throws Exception {
        startSleepers(2);
        Process left = new ProcessBuilder("runuser", "-u", "cordon", "--", "sleep", "27182").start();
        try {
            await().atMost(PackagedService.PATIENCE)
                    .until(() ->
                            !done("sh", "-c", "pgrep -u cordon sleep || true").isEmpty());
            done("dpkg", "--purge", "cordon");
            assertThat(sleepers()).isEmpty();
            assertThat(left.waitFor())
                    .as("runuser says that its program was killed")
                    .isEqualTo(128 + 9);
        } finally {
            left.destroyForcibly();
        }
        assertThat(UNIT).doesNotExist();
        nothingIsLeft("");
    }

    /** A mask is the administrator's: the package is installed beneath it, starts nothing and goes again. */
    @Test
    @Order(2)
    void aMaskedServiceHindersNeitherInstallationNorPurge() throws Exception {
        done("systemctl", "mask", "--quiet", "cordon.service");
        done(
                "dpkg",
                "--force-unsafe-io",
                "--unpack",
                Files.exists(Path.of("/opt/next.deb")) ? "/opt/next.deb" : "cordon.deb");
        PackagedService.withoutTraining();
        done("dpkg", "--configure", "cordon");
        assertThat(PackagedService.property("ActiveState")).isEqualTo("inactive");
        done("dpkg", "--purge", "cordon");
        nothingIsLeft("/etc/systemd/system/cordon.service");
        done("systemctl", "unmask", "--quiet", "cordon.service");
        nothingIsLeft("");
    }

    private static void nothingIsLeft(String but) throws Exception {
        String everywhere = "find / -xdev ( -path /opt -o -path /proc ) -prune -o -iname *cordon* -print";
        assertThat(done(everywhere.split(" ", -1))).isEqualTo(but);
        assertThat(done("sh", "-c", "grep -r cordon /etc/passwd /etc/group /etc/subuid /etc/subgid || true"))
                .isEmpty();
        assertThat(done("find", "/run", "/tmp", "-iname", "*cordon*", "-not", "-path", "/run/systemd/*"))
                .isEmpty();
    }
}
