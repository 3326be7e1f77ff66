package dev.cordon.plan.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.config.HostShown;
import dev.cordon.config.IdRange;
import dev.cordon.job.Job;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostSurveyTest {
    private static final IdRange SLOTS = new IdRange(5000, 10);

    @TempDir
    private Path folder;

    private Path root;

    @BeforeEach
    void host() throws IOException {
        root = Files.createDirectory(folder.resolve("host"));
        write("proc/self/status", status(1001, "0", "1001 "));
        write("proc/self/mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n");
        Files.createDirectories(root.resolve("usr/bin"));
        Files.createSymbolicLink(root.resolve("bin"), Path.of("usr/bin"));
        write("etc/ld.so.cache", "");
        Files.createDirectories(root.resolve("etc/java-17-openjdk"));
        Files.createDirectories(root.resolve("etc/ssl/certs"));
        Files.createDirectories(root.resolve("etc/ssl/private"));
        write("etc/shadow", "secret");
    }

    private static String status(int uid, String noNewPrivs, String groups) {
        return "Name:\tjava\nUid:\t99\t" + uid + "\t99\t99\nGid:\t98\t" + uid + "\t98\t98\nGroups:\t" + groups
                + "\nNoNewPrivs:\t" + noNewPrivs + "\n";
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private HostFacts facts(Job job) throws IOException {
        return new HostSurvey(root, SLOTS, Path.of("/run/x"), HostShown.STANDARD, Optional.empty())
                .facts(job.validate());
    }

    private HostFacts facts() throws IOException {
        return facts(Job.argv("true"));
    }

    @Test
    void whatABindWouldShowOfTheKernelIsFound() throws IOException {
        Files.createDirectories(folder.resolve("data/jail/proc/1"));
        Path tree = folder.resolve("data").toRealPath();
        Path data = tree.resolve("jail/proc");
        write("proc/self/mountinfo", """
            1 0 8:1 / / rw - ext4 /dev/sda1 rw
            2 1 0:5 / %s/jail/proc rw shared:1 - proc proc rw
            3 1 0:6 / /srv/a\\040b rw - sysfs sysfs rw
            4 1 0:7 / %s/jail/proc/1/data rw - ext4 /dev/sdb1 rw
            """.formatted(tree, tree));
        assertThat(kernelMount(tree)).isEqualTo(tree + "/jail/proc");
        assertThat(kernelMount(data)).isEqualTo(tree + "/jail/proc");
        assertThat(kernelMount(data.resolve("1"))).isEqualTo(tree + "/jail/proc");
        assertThat(kernelMount(Files.createDirectories(data.resolve("1/data")))).isNull();
        assertThat(kernelMount(Files.createDirectories(tree.resolve("jail/process"))))
                .isNull();
        assertThat(HostMounts.of(Files.readAllLines(root.resolve("proc/self/mountinfo")))
                        .kernelShownBy(Path.of("/srv")))
                .isEqualTo("/srv/a b");
    }

    private @Nullable String kernelMount(Path source) throws IOException {
        return facts(Job.argv("true").readOnly(source, "/in")).source(source).kernelMount();
    }

    /** What is mounted over another mount is not there to be shown. */
    @Test
    void directoriesAndFilesOnWhichDataIsMountedAreFound() throws IOException {
        Files.createDirectories(root.resolve("usr/local"));
        Files.createDirectories(root.resolve("usr/share/proc"));
        write("usr/file", "");
        write("proc/self/mountinfo", """
            1 0 8:1 / / rw - ext4 /dev/sda1 rw
            2 1 8:2 / /usr/local rw - ext4 /dev/sda2 rw
            3 1 8:3 / /usr/gone rw - ext4 /dev/sda3 rw
            4 1 8:4 /f /usr/file rw - ext4 /dev/sda4 rw
            5 1 0:5 / /usr/share/proc rw - proc proc rw
            6 1 8:6 / /srv rw - ext4 /dev/sda6 rw
            """);
        assertThat(facts().mountPoints()).containsExactly("/usr/local");
        assertThat(facts().mountedFiles()).containsExactly("/usr/file");
    }

    @Test
    void whatIsTheSitesOwnIsHidden() throws IOException {
        for (String name : new String[] {"bin", "etc", "secrets", "share"}) {
            Files.createDirectories(root.resolve("usr/local/" + name));
        }
        Files.createSymbolicLink(root.resolve("usr/local/man"), Path.of("share/man"));
        Files.createSymbolicLink(root.resolve("usr/local/link"), Path.of("secrets"));
        write("usr/local/notes", "");
        assertThat(facts().hidden())
                .containsExactly(
                        "/usr/etc",
                        "/usr/home",
                        "/usr/local/etc",
                        "/usr/local/notes",
                        "/usr/local/secrets",
                        "/usr/src");
    }

    @Test
    void whatComesToUsrLocalLaterIsHiddenToo() throws IOException {
        Files.createDirectories(root.resolve("usr/local/bin"));
        HostSurvey survey = new HostSurvey(root, SLOTS, Path.of("/run/x"), HostShown.STANDARD, Optional.empty());
        assertThat(survey.facts().hidden()).doesNotContain("/usr/local/etc");
        FileTime before = Files.getLastModifiedTime(root.resolve("usr/local"));
        Files.createDirectories(root.resolve("usr/local/etc"));
        Files.setLastModifiedTime(root.resolve("usr/local"), before); // as who unpacks an archive may do
        assertThat(survey.facts().hidden()).contains("/usr/local/etc");
    }

    /** Nothing can be mounted on a link, and what it leads to is not shown, or is hidden by itself. */
    @Test
    void linksAreNotHidden() throws IOException {
        Files.createSymbolicLink(root.resolve("usr/local"), Path.of("../var/usrlocal"));
        Files.createSymbolicLink(root.resolve("usr/src"), Path.of("../var/src"));
        assertThat(facts().hidden()).containsExactly("/usr/etc", "/usr/home");
    }

    @Test
    void theOperatorSaysWhatOfUsrLocalIsShown() throws IOException {
        Files.createDirectories(root.resolve("usr/local/bin"));
        Files.createDirectories(root.resolve("usr/local/etc"));
        assertThat(hidden(Set.of())).contains("/usr/local/bin", "/usr/local/etc");
        assertThat(hidden(Set.of("etc"))).contains("/usr/local/bin").doesNotContain("/usr/local/etc");
        assertThat(hidden(Set.of("*"))).containsExactlyElementsOf(SiteTrees.HIDDEN);
    }

    private SortedSet<String> hidden(Set<String> shown) throws IOException {
        return new HostSurvey(
                        root,
                        SLOTS,
                        Path.of("/run/x"),
                        new HostShown(shown, HostShown.STANDARD.files()),
                        Optional.empty())
                .facts()
                .hidden();
    }

    @Test
    void theImageIsWhatIsThereWithLinksAsLinks() throws IOException {
        assertThat(facts().image())
                .containsOnlyKeys("/usr", "/bin", "/etc/ld.so.cache", "/etc/java-17-openjdk", "/etc/ssl/certs")
                .containsEntry("/bin", new HostEntry.Link("usr/bin"))
                .containsEntry("/etc/ld.so.cache", new HostEntry.RegularFile())
                .containsEntry("/usr", new HostEntry.Directory());
    }

    /** Whose administrator writes a directory of another name there may not mean it for everybody. */
    @Test
    void ofJavaTheVersionsAreShownUnlessTheOperatorTakesThemOut() throws IOException {
        for (String name : List.of("java-8-openjdk", "java-site", "java-", "java-x-17")) {
            Files.createDirectories(root.resolve("etc/" + name));
        }
        assertThat(facts().image().keySet())
                .filteredOn(path -> path.startsWith("/etc/java"))
                .containsExactly("/etc/java-17-openjdk", "/etc/java-8-openjdk");
        HostShown nothing = new HostShown(Set.of(), new TreeSet<>());
        assertThat(new HostSurvey(root, SLOTS, Path.of("/run/x"), nothing, Optional.empty())
                        .facts()
                        .image())
                .containsOnlyKeys("/usr", "/bin");
    }

    @Test
    void passwordsOfJavaAreWithheld() throws IOException {
        write("etc/java-17-openjdk/management/jmxremote.password", "secret");
        write("etc/java-17-openjdk/management/jmxremote.access", "");
        write("etc/java-17-openjdk/security/x.password", "");
        write("etc/java/java-21/java-21.0.1/conf/management/jmxremote.password", "secret");
        assertThat(facts().hidden())
                .filteredOn(path -> path.startsWith("/etc"))
                .containsExactly(
                        "/etc/java-17-openjdk/management/jmxremote.password",
                        "/etc/java/java-21/java-21.0.1/conf/management/jmxremote.password");
    }

    @Test
    void certificatesThatNameTheHostOrAreNotForEverybodyAreWithheld() throws IOException {
        for (String name : List.of("ssl-cert-snakeoil.pem", "ca-certificates.crt", "closed.pem")) {
            write("etc/ssl/certs/" + name, "");
            Files.setPosixFilePermissions(
                    root.resolve("etc/ssl/certs/" + name),
                    PosixFilePermissions.fromString(name.startsWith("closed") ? "rw-r-----" : "rw-r--r--"));
        }
        Files.createSymbolicLink(root.resolve("etc/ssl/certs/0.0"), Path.of("ssl-cert-snakeoil.pem"));
        write("etc/pki/tls/certs/localhost.crt", "");
        assertThat(facts().hidden())
                .filteredOn(path -> path.startsWith("/etc"))
                .containsExactly(
                        "/etc/pki/tls/certs/localhost.crt",
                        "/etc/ssl/certs/closed.pem",
                        "/etc/ssl/certs/ssl-cert-snakeoil.pem");
        write("proc/self/status", status(0, "0", ""));
        assertThat(facts().hidden())
                .as("with an id of its own no job reads what is not for everybody")
                .filteredOn(path -> path.startsWith("/etc"))
                .containsExactly("/etc/pki/tls/certs/localhost.crt", "/etc/ssl/certs/ssl-cert-snakeoil.pem");
        HostShown other = new HostShown(Set.of(), new TreeSet<>(Set.of("/etc/fonts")));
        assertThat(new HostSurvey(root, SLOTS, Path.of("/run/x"), other, Optional.empty())
                        .facts()
                        .hidden())
                .noneMatch(path -> path.startsWith("/etc"));
    }

    @Test
    void theOperatorSaysWhatOfEtcAndVarIsShown() throws IOException {
        write("etc/site/settings", "");
        write("etc/fonts/fonts.conf", "");
        write("var/lib/texmf/ls-R", "");
        assertThat(facts().image()).containsKeys("/etc/fonts", "/var/lib/texmf").doesNotContainKey("/etc/site");
        HostShown shown = new HostShown(Set.of(), new TreeSet<>(Set.of("/etc/site")));
        assertThat(new HostSurvey(root, SLOTS, Path.of("/run/x"), shown, Optional.empty())
                        .facts()
                        .image())
                .containsKey("/etc/site")
                .doesNotContainKeys("/etc/fonts", "/var/lib/texmf", "/etc/ssl/certs");
    }

    /** Init follows no link to what it shows. */
    @Test
    void whatIsBehindALinkIsNotShown() throws IOException {
        write("data/lib/texmf/ls-R", "");
        Files.createDirectories(root.resolve("var"));
        Files.createSymbolicLink(root.resolve("var/lib"), root.resolve("data/lib"));
        assertThat(facts().image()).doesNotContainKey("/var/lib/texmf");
    }

    /** Packages are installed and removed while a service runs; what is shown may be a second old. */
    @Test
    void whatIsShownFollowsTheHost() throws IOException {
        write("etc/fonts/fonts.conf", "");
        HostSurvey survey = new HostSurvey(root, SLOTS, Path.of("/run/x"), HostShown.STANDARD, Optional.empty());
        assertThat(survey.facts().image()).containsKey("/etc/fonts");
        Files.delete(root.resolve("etc/fonts/fonts.conf"));
        Files.delete(root.resolve("etc/fonts"));
        while (survey.facts().image().containsKey("/etc/fonts")) {
            Thread.onSpinWait();
        }
    }

    /** Containers and servers mount below /var, and a server may not answer when it is asked about a mount. */
    @Test
    void mountsBelowVarAreLookedAtWhereSomethingIsShown() throws IOException {
        write("var/lib/texmf/ls-R", "");
        Files.createDirectories(root.resolve("var/lib/texmf/more"));
        Files.createDirectories(root.resolve("var/lib/docker/merged"));
        write("proc/self/mountinfo", """
            1 0 8:1 / / rw - ext4 /dev/a rw
            2 1 0:9 / /var/lib/docker/merged rw - overlay none rw
            3 1 0:9 / /var/lib/texmf/more rw - ext4 /dev/b rw
            """);
        assertThat(facts().mountPoints()).containsExactly("/var/lib/texmf/more");
    }

    @Test
    void idsAreTheEffectiveOnesAndTheOwnGroupIsNoExtraOne() throws IOException {
        HostFacts facts = facts();
        assertThat(facts.uid()).isEqualTo(1001);
        assertThat(facts.gid()).isEqualTo(1001);
        assertThat(facts.extraGroups()).isFalse();
        write("proc/self/status", status(1001, "0", "1001 27 "));
        assertThat(facts().extraGroups()).isTrue();
        write("proc/self/status", status(1001, "0", ""));
        assertThat(facts().extraGroups()).isFalse();
    }

    private void helpers() throws IOException {
        for (String name : new String[] {"newuidmap", "newgidmap"}) {
            write("usr/bin/" + name, "");
            Files.setPosixFilePermissions(
                    root.resolve("usr/bin/" + name), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void subordinateIdsNeedTheProgramsTheRangesAndPrivilegesToGain() throws IOException {
        assertThat(facts().subordinate()).isEmpty();
        write("etc/subuid", "other:1:1\nnonsense\n1001:0:5\n1001:100000:65536\n");
        write("etc/subgid", "1001:200000:65536\n");
        assertThat(facts().subordinate()).isEmpty();
        helpers();
        assertThat(facts().subordinate())
                .contains(new HostIds.Subordinate(new IdRange(100_000, 65_536), new IdRange(200_000, 65_536)));
        write("proc/self/status", status(1001, "1", ""));
        assertThat(facts().subordinate()).isEmpty();
    }

    @Test
    void rootNeedsNone() throws IOException {
        write("proc/self/status", status(0, "0", ""));
        write("etc/subuid", "0:100000:65536\n");
        write("etc/subgid", "0:100000:65536\n");
        helpers();
        assertThat(facts().subordinate()).isEmpty();
    }

    @Test
    void sourcesAreFollowedAndMeasured() throws IOException {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        Path data = Files.createDirectory(closed.resolve("data"));
        Path file = Files.writeString(data.resolve("a.txt"), "12345");
        Path link = Files.createSymbolicLink(folder.resolve("link"), data);
        Path absent = folder.resolve("absent");
        HostFacts facts = facts(Job.argv("true")
                .readOnly(link, "/a")
                .readOnly(file, "/b")
                .readOnly(absent, "/c")
                .readOnly(Path.of("/dev/null"), "/d"));
        assertThat(facts.source(link).kind()).isEqualTo(HostSource.Kind.DIRECTORY);
        assertThat(facts.source(link).realPath()).isEqualTo(data.toRealPath());
        assertThat(facts.source(link).privateAbove()).isTrue();
        assertThat(facts.source(file).kind()).isEqualTo(HostSource.Kind.FILE);
        assertThat(facts.source(file).bytes()).isEqualTo(5);
        assertThat(facts.source(absent)).isEqualTo(HostSource.missing(absent));
        assertThat(facts.source(Path.of("/dev/null")).kind()).isEqualTo(HostSource.Kind.OTHER);
    }

    @Test
    void aClosedDirectoryDoesNotCountAsBeingBelowOne() throws IOException {
        // Every temporary folder may itself lie below a closed one, so the comparison is with its neighbour.
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path self = Files.createDirectory(open.resolve("self"));
        Files.setPosixFilePermissions(self, PosixFilePermissions.fromString("rwx------"));
        HostFacts facts = facts(Job.argv("true").readWrite(self, "/a").readWrite(open, "/b"));
        assertThat(facts.source(self).privateAbove())
                .isEqualTo(facts.source(open).privateAbove());
    }

    @Test
    void thisHostCanBeSurveyed() throws IOException {
        HostFacts facts =
                new HostSurvey(SLOTS, Path.of("/run/x")).facts(Job.argv("true").validate());
        assertThat(facts.image()).containsKey("/usr");
    }
}
