package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the package's files say, where no other test can have them read: a parser of AppArmor 4 is not in the distribution that the tests
 * run on. packaging/README.md tells how the profile is given to one.
 */
class PackagingFilesTest {
    private static final Path FILES = Path.of(System.getProperty("cordon.root"), "packaging");
    private static final Pattern OPTION = Pattern.compile("^#   ([A-Z][A-Za-z]+(?:, [A-Z][A-Za-z]+)*)(?: |$)");

    private static List<String> lines(String name) throws IOException {
        return Files.readAllLines(FILES.resolve(name));
    }

    private static List<String> rules(String name) throws IOException {
        return lines(name).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    /** Nothing but the right to make user namespaces, for the program that the launcher starts. */
    @Test
    void theProfileOfAppArmorGrantsUserNamespacesToThePackagesJava() throws IOException {
        assertThat(rules("cordon.apparmor"))
                .containsExactly(
                        "abi <abi/4.0>,",
                        "include <tunables/global>",
                        "profile cordon /usr/lib/cordon/runtime/bin/java flags=(unconfined) {",
                        "userns,",
                        "include if exists <local/cordon>",
                        "}");
        assertThat(rules("cordon")).contains("home=/usr/lib/cordon");
        assertThat(Files.readString(FILES.resolve("cordon"))).contains("exec \"$home/runtime/bin/java\"");
        assertThat(Files.readString(FILES.resolve("debian/postinst")))
                .contains("[ -e /etc/apparmor.d/abi/4.0 ]", "/usr/share/cordon/apparmor/cordon");
    }

    /** What the unit's comment says of options is true of the options. */
    @Test
    void whatTheUnitSaysItDoesNotSetItDoesNotSet() throws IOException {
        Set<String> unset = new TreeSet<>();
        for (String line : lines("cordon.service")) {
            var named = OPTION.matcher(line);
            if (named.find()) {
                unset.addAll(Arrays.asList(named.group(1).split(", ", -1)));
            }
        }
        assertThat(unset).contains("NoNewPrivileges", "ProtectProc", "RestrictNamespaces", "PrivateUsers");
        Set<String> set = new TreeSet<>(rules("cordon.service").stream()
                .map(line -> line.replaceFirst("=.*", ""))
                .toList());
        assertThat(set)
                .contains("Delegate", "ExecReload", "SuccessExitStatus", "ProtectSystem", "PrivateIPC", "IPAddressDeny")
                .doesNotContainAnyElementsOf(unset);
    }

    /** What systemd says in the guest is compared with the unit's file there; this is the README's. */
    @Test
    void rootsScoreIsTheSameInTheReadme() throws IOException {
        String score = lines("root.conf").stream()
                .filter(line -> line.contains("systemd 252: "))
                .map(line -> line.replaceFirst(".*systemd 252: ([0-9.]+) .*", "$1"))
                .findFirst()
                .orElseThrow();
        assertThat(Files.readString(FILES.resolve("README.md"))).contains("is " + score + ",");
    }

    /** The socket's directory belongs to the unit's group: another one would shut its members out. */
    @Test
    void rootsVariantKeepsTheGroup() throws IOException {
        assertThat(rules("root.conf"))
                .contains("User=root", "NoNewPrivileges=yes", "CapabilityBoundingSet=")
                .noneMatch(line -> line.startsWith("Group="))
                .noneMatch(line -> line.contains("CAP_SYS_PTRACE") || line.contains("CAP_SYS_MODULE"));
    }

    /** The service and root's own commands must lock host ids in one place, which ProtectSystem=strict would close. */
    @Test
    void rootsVariantLocksIdsWhereRootDoes() throws IOException {
        assertThat(rules("root.conf")).contains("ReadWritePaths=-/run/cordon/slots");
        assertThat(rules("cordon.tmpfiles")).contains("d /run/cordon/slots 0700 root root");
        assertThat(rules("debian/postinst")).contains("install -d -o root -g root -m 0700 /run/cordon/slots");
    }

    /** AppArmor's profile before whatever needs user namespaces; the training, which takes long, when the service is back. */
    @Test
    void theInstallationDoesThingsInTheirOrder() throws IOException {
        List<String> steps = rules("debian/postinst");
        int configure = steps.indexOf("configure)");
        assertThat(steps.subList(configure, steps.size()).stream()
                        .map(step ->
                                step.replaceFirst("^if .*(start again).*", "$1").replaceFirst(" .*", ""))
                        .filter(
                                List.of("systemd-sysusers", "subordinate", "profile", "start", "/usr/lib/cordon/train")
                                        ::contains))
                .containsExactly(
                        "systemd-sysusers",
                        "subordinate",
                        "subordinate",
                        "profile",
                        "start",
                        "/usr/lib/cordon/train",
                        "start");
        assertThat(Files.readString(FILES.resolve("debian/prerm")))
                .contains("rm -f /usr/lib/cordon/cordon.aot /usr/lib/cordon/runtime/lib/server/classes.jsa");
        assertThat(rules("train").subList(0, 4)).anyMatch(step -> step.startsWith("rm -f \"$home/cordon.aot\""));
    }

    /** A crash is tried again for ever, settings that were refused are not; 78 is what StartTest sees. */
    @Test
    void theUnitComesBackUnlessItsSettingsAreRefused() throws IOException {
        assertThat(rules("cordon.service"))
                .contains("Restart=always", "StartLimitIntervalSec=0", "RestartPreventExitStatus=78", "LimitCORE=1")
                .anyMatch(line -> line.startsWith("After=") && line.contains("network.target"));
    }

    /** X-16: jobs are part of the unit; a score that the user's variant sets could be chosen by a job for itself. */
    @Test
    void theUnitKeepsMemoryAndTasksForTheHost() throws IOException {
        assertThat(rules("cordon.service"))
                .contains("MemoryMax=95%", "TasksMax=80%", "OOMPolicy=continue")
                .noneMatch(line -> line.startsWith("OOMScoreAdjust="));
        assertThat(rules("root.conf"))
                .contains("OOMScoreAdjust=-500")
                .anyMatch(line -> line.startsWith("CapabilityBoundingSet=") && line.contains("CAP_SYS_RESOURCE"));
    }

    /** What Cordon hears of jobs by its own filter must not be answered by the unit's, which jobs inherit. */
    @Test
    void rootsVariantFiltersNoTripwire() throws IOException {
        Set<String> heard = new TreeSet<>();
        JsonNode profile = new JsonMapper().readTree(FILES.resolveSibling("seccomp-profiles/default.json"));
        for (JsonNode entry : profile.path("syscalls")) {
            if (entry.path("action").asString().equals("SCMP_ACT_NOTIFY")) {
                entry.path("names").forEach(name -> heard.add(name.asString()));
            }
        }
        assertThat(heard).contains("ptrace", "bpf", "unshare");
        String filter = rules("root.conf").stream()
                .filter(line -> line.startsWith("SystemCallFilter="))
                .findFirst()
                .orElseThrow();
        List<String> named = List.of(filter.replace("SystemCallFilter=~", "").split(" ", -1));
        assertThat(named).doesNotContainAnyElementsOf(heard);
        assertThat(named.stream().filter(name -> name.startsWith("@")))
                .as("groups without one")
                .containsExactly("@clock", "@cpu-emulation", "@obsolete");
        assertThat(rules("root.conf"))
                .contains("SystemCallErrorNumber=EPERM", "ProtectClock=yes")
                .noneMatch(line -> line.startsWith("ProtectKernelModules") || line.startsWith("RestrictNamespaces"));
    }
}
