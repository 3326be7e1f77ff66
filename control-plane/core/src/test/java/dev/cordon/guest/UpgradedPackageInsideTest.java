package dev.cordon.guest;

import static dev.cordon.guest.PackagedService.SERVICE;
import static dev.cordon.guest.PackagedService.auditedEnds;
import static dev.cordon.guest.PackagedService.contentOf;
import static dev.cordon.guest.PackagedService.done;
import static dev.cordon.guest.PackagedService.mainPid;
import static dev.cordon.guest.PackagedService.outcome;
import static dev.cordon.guest.PackagedService.sleepers;
import static dev.cordon.guest.PackagedService.startSleepers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * the package is upgraded while jobs come and go. AppArmor is not on this machine: a stand-in for its parser notes when it is asked
 * for what. Only for a machine of its own.
 */
@Tag("inside")
final class UpgradedPackageInsideTest {
    private static final Path CONFIG = Path.of("/etc/cordon/config.toml");
    private static final Path PROFILE = Path.of("/etc/apparmor.d/cordon");
    private static final Path SHIPPED_PROFILE = Path.of("/usr/share/cordon/apparmor/cordon");
    private static final Path NOTES = Path.of("/run/notes");
    private static final Path PARSER = Path.of("/usr/sbin/apparmor_parser");
    private static final Path ARCHIVE = Path.of("/usr/lib/cordon/cordon.aot");

    @BeforeAll
    static void install() throws Exception {
        PackagedService.installed();
    }

    @AfterAll
    static void journal() throws Exception {
        PackagedService.keepJournal("upgrade");
        Files.deleteIfExists(PARSER);
        Files.deleteIfExists(NOTES);
    }

    @Test
    void anUpgradeUnderLoadEndsJobsOnceAndKeepsWhatIsTheOperators() throws Exception {
        Files.writeString(CONFIG, contentOf(CONFIG) + "# by hand\n");
        String edited = contentOf(CONFIG);
        List<String> ids = List.of(contentOf(Path.of("/etc/subuid")), contentOf(Path.of("/etc/subgid")));
        String token = done(
                        "runuser",
                        "-u",
                        "cordon",
                        "--",
                        "env",
                        "CORDON_PATHS__STATE=/var/lib/cordon/service",
                        "cordon",
                        "token",
                        "create",
                        "--owner",
                        "robot",
                        "--role",
                        "submit")
                .lines()
                .filter(line -> line.startsWith("cordon_"))
                .findFirst()
                .orElseThrow();
        Files.createDirectories(PROFILE.resolveSibling("abi"));
        Files.writeString(PROFILE.resolveSibling("abi/4.0"), "");
        Files.writeString(ARCHIVE, "of the version before");
        program(PARSER, "echo \"parser $* $(systemctl is-active cordon)\" >>" + NOTES + "\n");
        nextPackage();

        List<String> sleeping = startSleepers(3);
        String before = mainPid();
        ConcurrentLinkedQueue<String> jobs = new ConcurrentLinkedQueue<>(sleeping);
        AtomicBoolean over = new AtomicBoolean();
        Thread load = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                try {
                    UnixHttp.Answer answer = SERVICE.post("/v1/jobs", "{\"command\":\"true\"}", "Prefer: wait=10");
                    if (answer.status() == 200 || answer.status() == 202) {
                        jobs.add(answer.json().path("id").asString());
                    }
                } catch (IOException down) {
                    await().atMost(PackagedService.PATIENCE).until(PackagedService::answers);
                }
            }
        });
        try {
            await().atMost(PackagedService.PATIENCE).until(() -> jobs.size() > 4);
            long begin = System.nanoTime();
            System.out.println(done("dpkg", "--force-confold", "--force-unsafe-io", "--install", "/opt/next.deb"));
            System.out.printf(
                    "upgraded in %d s%n",
                    Duration.ofNanos(System.nanoTime() - begin).toSeconds());
            int sofar = jobs.size();
            await().atMost(PackagedService.PATIENCE).until(() -> jobs.size() > sofar);
        } finally {
            over.set(true);
        }
        load.join();

        assertThat(mainPid()).isNotEqualTo(before).isNotEqualTo("0");
        assertThat(sleepers()).isEmpty();
        assertThat(sleeping).allMatch(id -> outcome(id).equals("canceled"));
        Map<String, Long> outcomes = jobs.stream()
                .map(PackagedService::outcome)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        System.out.println("jobs of the upgrade: " + outcomes);
        assertThat(outcomes.keySet()).isSubsetOf("ok", "canceled", "lost").contains("ok");
        for (String id : jobs) {
            assertThat(auditedEnds(id)).as("ends of %s", id).isEqualTo(1);
        }
        assertThat(contentOf(CONFIG)).isEqualTo(edited);
        assertThat(contentOf(Path.of("/etc/cordon/config.toml.dpkg-dist"))).contains("# of the next version");
        assertThat(List.of(contentOf(Path.of("/etc/subuid")), contentOf(Path.of("/etc/subgid"))))
                .isEqualTo(ids);
        assertThat(SERVICE.get("/v1/jobs", "Authorization: Bearer " + token).status())
                .isEqualTo(200);
        assertThat(Files.readAllLines(NOTES))
                .as("the profile is loaded before the start, and the archive is made after it")
                .containsExactly("parser --replace --skip-cache " + PROFILE + " inactive", "train active");
        assertThat(ARCHIVE).as("training failed").doesNotExist();
        theProfileFollowsUnlessItWasChanged();
    }

    /** This package once more, with another version of AppArmor's profile. */
    private static void theProfileFollowsUnlessItWasChanged() throws Exception {
        Path postinst = Path.of("/var/lib/dpkg/info/cordon.postinst");
        assertThat(PROFILE).hasSameTextualContentAs(SHIPPED_PROFILE);
        Files.writeString(SHIPPED_PROFILE, "# next\n", StandardOpenOption.APPEND);
        done(postinst.toString(), "configure", "9.0.0");
        assertThat(PROFILE).content().endsWith("# next\n");
        Files.writeString(PROFILE, "# mine\n");
        Files.writeString(SHIPPED_PROFILE, "# after next\n", StandardOpenOption.APPEND);
        done(postinst.toString(), "configure", "9.0.0");
        assertThat(PROFILE).hasContent("# mine");
    }

    /** The package with a later version, other settings and a training that fails. */
    private static void nextPackage() throws Exception {
        Path tree = Path.of("/opt/next");
        done("dpkg-deb", "--raw-extract", "cordon.deb", tree.toString());
        Path control = tree.resolve("DEBIAN/control");
        Files.writeString(control, contentOf(control).replaceFirst("Version: .*", "Version: 9.0.0"));
        Files.writeString(tree.resolve("etc/cordon/config.toml"), "# of the next version\n", StandardOpenOption.APPEND);
        program(
                tree.resolve("usr/lib/cordon/train"),
                "rm -f " + ARCHIVE + "\necho \"train $(systemctl is-active cordon)\" >>" + NOTES + "\nexit 1\n");
        done("dpkg-deb", "-Znone", "--build", tree.toString(), "/opt/next.deb");
        done("rm", "-r", tree.toString());
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
