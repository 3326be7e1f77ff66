package dev.cordon.seccomp.read;

import static dev.cordon.seccomp.TestFilters.ALLOW;
import static dev.cordon.seccomp.TestFilters.ENOSYS;
import static dev.cordon.seccomp.TestFilters.EPERM;
import static dev.cordon.seccomp.TestFilters.KILL;
import static dev.cordon.seccomp.TestFilters.parse;
import static dev.cordon.seccomp.TestFilters.problems;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.seccomp.InvalidProfile;
import dev.cordon.seccomp.Profile;
import dev.cordon.seccomp.SystemCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The format of Docker and OCI: what is read, and how what is wrong is said. */
class ProfileReaderTest {
    /** A profile of ours with every feature that published profiles use. */
    private static final String FEATURES = """
        {
          "comment": "everything at once",
          "defaultAction": "SCMP_ACT_ERRNO",
          "defaultErrnoRet": 1,
          "archMap": [
            {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": ["SCMP_ARCH_X86", "SCMP_ARCH_X32"]},
            {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": ["SCMP_ARCH_ARM"]},
            {"architecture": "SCMP_ARCH_RISCV64", "subArchitectures": null}
          ],
          "flags": ["SECCOMP_FILTER_FLAG_LOG"],
          "listenerPath": "/run/agent.sock",
          "syscalls": [
            {"names": ["read", "write", "chown32", "execve"], "action": "SCMP_ACT_ALLOW", "args": null, "includes": {}, "excludes": {}},
            {"name": "close", "action": "SCMP_ACT_ALLOW", "args": []},
            {"names": ["ptrace"], "action": "SCMP_ACT_ALLOW", "includes": {"minKernel": "4.8"}},
            {"names": ["bpf"], "action": "SCMP_ACT_ALLOW", "includes": {"minKernel": "99.1"}},
            {"names": ["kcmp"], "action": "SCMP_ACT_ALLOW", "excludes": {"minKernel": "4.8"}},
            {"names": ["acct"], "action": "SCMP_ACT_ALLOW", "excludes": {"minKernel": "99.1"}},
            {"names": ["mount", "clone"], "action": "SCMP_ACT_ALLOW", "includes": {"caps": ["CAP_SYS_ADMIN"]}},
            {"names": ["clone"], "action": "SCMP_ACT_ALLOW", "comment": "no namespaces",
             "args": [{"index": 0, "value": 2114060288, "op": "SCMP_CMP_MASKED_EQ"}],
             "excludes": {"caps": ["CAP_SYS_ADMIN"], "arches": ["s390", "s390x"]}},
            {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38, "excludes": {"caps": ["CAP_SYS_ADMIN"]}},
            {"names": ["arch_prctl"], "action": "SCMP_ACT_ALLOW", "includes": {"arches": ["amd64", "x32"]}},
            {"names": ["sync_file_range2", "sync_file_range"], "action": "SCMP_ACT_ALLOW", "includes": {"arches": ["ppc64le"]}},
            {"names": ["modify_ldt"], "action": "SCMP_ACT_ALLOW", "excludes": {"arches": ["amd64"]}},
            {"names": ["socket"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 38, "valueTwo": 0, "op": "SCMP_CMP_LT"}]},
            {"names": ["socket"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 39, "op": "SCMP_CMP_EQ"}]},
            {"names": ["socket"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 40, "op": "SCMP_CMP_GT"}]},
            {"names": ["personality"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 4294967295, "op": "SCMP_CMP_EQ"}]},
            {"names": ["mmap"], "action": "SCMP_ACT_ALLOW", "args": [
              {"index": 2, "value": 4, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"},
              {"index": 3, "value": 18446744073709551615, "op": "SCMP_CMP_NE"}]},
            {"names": ["ioctl"], "action": "SCMP_ACT_ALLOW", "args": [
              {"index": 1, "value": 21505, "op": "SCMP_CMP_EQ"},
              {"index": 1, "value": 21523, "op": "SCMP_CMP_EQ"}]},
            {"names": ["reboot"], "action": "SCMP_ACT_KILL_PROCESS"},
            {"names": ["swapon"], "action": "SCMP_ACT_TRACE", "errnoRet": 5},
            {"names": ["chroot"], "action": "SCMP_ACT_ERRNO", "errno": "ENOTDIR"}
          ]
        }
        """;

    @Test
    void namesAndTheOldName() {
        assertThat(verdict("read")).isEqualTo(ALLOW);
        assertThat(verdict("close")).isEqualTo(ALLOW);
        assertThat(verdict("lseek")).as("not named").isEqualTo(EPERM);
    }

    /** As people write them, and as examples on the web do. */
    @Test
    void commentsAndTheOldNameOfAValue() {
        Profile profile = parse("""
            {
              // nothing but this
              "defaultAction": "SCMP_ACT_ERRNO",
              "syscalls": [
                {"names": ["read"], "action": "SCMP_ACT_ALLOW"}, /* and files for reading */
                {"names": ["open"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 1, "val": 0, "op": "SCMP_CMP_EQ"}]}
              ]
            }
            """);
        int open = SystemCalls.require("open");
        assertThat(profile.verdict(open, 0, 0)).isEqualTo(ALLOW);
        assertThat(profile.verdict(open, 0, 1)).isEqualTo(EPERM);
        assertThat(problems("""
            {"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["open"], "action": "SCMP_ACT_ERRNO",
              "args": [{"index": 1, "val": 0, "value": 1, "op": "SCMP_CMP_EQ"}]}]}
            """)).singleElement().asString().contains("/syscalls/0/args/0/val", "stands beside value");
    }

    @Test
    void entriesForKernels() {
        assertThat(verdict("ptrace")).isEqualTo(ALLOW);
        assertThat(verdict("bpf")).isEqualTo(EPERM);
        assertThat(verdict("kcmp")).isEqualTo(EPERM);
        assertThat(verdict("acct")).isEqualTo(ALLOW);
    }

    @Test
    void entriesForCapabilitiesDoNotApplyToJobs() {
        assertThat(verdict("mount")).isEqualTo(EPERM);
        assertThat(verdict("clone", 17)).isEqualTo(ALLOW);
        assertThat(verdict("clone", 0x10000000 | 17)).isEqualTo(EPERM);
        assertThat(verdict("clone3")).isEqualTo(ENOSYS);
    }

    @Test
    void entriesForArchitectures() {
        assertThat(verdict("arch_prctl")).isEqualTo(ALLOW);
        assertThat(verdict("sync_file_range")).isEqualTo(EPERM);
        assertThat(verdict("modify_ldt")).isEqualTo(EPERM);
    }

    @Test
    void actionsAndErrorNumbers() {
        assertThat(verdict("reboot")).isEqualTo(KILL);
        assertThat(verdict("swapon")).as("traced by nobody").isEqualTo(ENOSYS);
        assertThat(verdict("chroot")).isEqualTo(new FilterAction.Errno(20));
    }

    /** Docker's block of AF_VSOCK, which 0x100000028 passes when the comparison is of 64 bits (fact 3 of the threats). */
    @Test
    void rangesOfIntArgumentsCannotBeWidened() {
        for (long family = 0; family < 100; family++) {
            FilterAction expected = family == 38 || family == 40 ? EPERM : ALLOW;
            for (long rubbish : new long[] {0, 1L << 32, 1L << 63, -1L << 32}) {
                assertThat(verdict("socket", family | rubbish))
                        .as("family %x", family | rubbish)
                        .isEqualTo(expected);
            }
        }
        assertThat(verdict("personality", -1)).as("as an int").isEqualTo(ALLOW);
    }

    @Test
    void comparisonsOfAnEntryMustAllHold() {
        assertThat(verdict("mmap", 0, 0, 3, 2)).isEqualTo(ALLOW);
        assertThat(verdict("mmap", 0, 0, 7, 2)).isEqualTo(EPERM);
        assertThat(verdict("mmap", 0, 0, 3, -1)).isEqualTo(EPERM);
    }

    @Test
    void butOneIsEnoughWhenTheyAreOfOneArgument() {
        assertThat(verdict("ioctl", 0, 21505)).isEqualTo(ALLOW);
        assertThat(verdict("ioctl", 0, 21523)).isEqualTo(ALLOW);
        assertThat(verdict("ioctl", 0, 21506)).isEqualTo(EPERM);
    }

    @Test
    void whatMeansNothingHereIsReported() {
        assertThat(parse(FEATURES).warnings())
                .anySatisfy(warning ->
                        assertThat(warning).contains("/syscalls: ", "chown32").doesNotContain("sync_file_range2"))
                .anySatisfy(warning ->
                        assertThat(warning).contains("/archMap/0/subArchitectures", "SCMP_ARCH_X86, SCMP_ARCH_X32"))
                .anySatisfy(warning -> assertThat(warning).contains("/flags/0"))
                .anySatisfy(warning -> assertThat(warning).contains("/listenerPath"))
                .anySatisfy(warning -> assertThat(warning).contains("/syscalls/19/action", "ENOSYS"))
                .hasSize(5);
    }

    @Test
    void aDenialInsideAnAllowanceHoldsForTheWholeWidth() {
        Profile profile = parse("""
            {"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
              {"names": ["ioctl"], "action": "SCMP_ACT_ERRNO", "args": [{"index": 1, "value": 21522, "op": "SCMP_CMP_EQ"}]},
              {"names": ["fcntl"], "action": "SCMP_ACT_ERRNO", "args": [{"index": 1, "value": 3, "op": "SCMP_CMP_NE"}]},
              {"names": ["ptrace"], "action": "SCMP_ACT_ERRNO", "args": [{"index": 0, "value": 16, "op": "SCMP_CMP_EQ"}]}]}
            """);
        int ioctl = SystemCalls.require("ioctl");
        int fcntl = SystemCalls.require("fcntl");
        int ptrace = SystemCalls.require("ptrace");
        for (long rubbish : new long[] {0, 1L << 32, 1L << 63}) {
            assertThat(profile.verdict(ioctl, 0, 21522 | rubbish)).isEqualTo(EPERM);
            assertThat(profile.verdict(ioctl, 0, 21523 | rubbish)).isEqualTo(ALLOW);
            assertThat(profile.verdict(fcntl, 0, 3 | rubbish)).isEqualTo(ALLOW);
            assertThat(profile.verdict(fcntl, 0, 4 | rubbish)).isEqualTo(EPERM);
        }
        assertThat(profile.verdict(ptrace, 16)).isEqualTo(EPERM);
        assertThat(profile.verdict(ptrace, 16 | 1L << 32))
                .as("ptrace takes a long")
                .isEqualTo(ALLOW);
    }

    @Test
    void anEntryWithoutArgsHoldsForWhatOthersLeave() {
        Profile profile = parse("""
            {"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 38, "syscalls": [
              {"names": ["ioctl"], "action": "SCMP_ACT_ALLOW"},
              {"names": ["ioctl"], "action": "SCMP_ACT_ERRNO", "args": [{"index": 1, "value": 21522, "op": "SCMP_CMP_EQ"}]}]}
            """);
        assertThat(profile.verdict(SystemCalls.require("ioctl"), 0, 21522)).isEqualTo(EPERM);
        assertThat(profile.verdict(SystemCalls.require("ioctl"), 0, 1)).isEqualTo(ALLOW);
        assertThat(profile.warnings()).singleElement().asString().contains("/syscalls/0", "ioctl", "runc");
    }

    @Test
    void whereEntriesOverlapTheStricterWins() {
        Profile profile = parse("""
            {"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [
              {"names": ["mmap"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 3, "value": 2, "op": "SCMP_CMP_EQ"}]},
              {"names": ["mmap"], "action": "SCMP_ACT_KILL_PROCESS", "args": [{"index": 2, "value": 6, "valueTwo": 6, "op": "SCMP_CMP_MASKED_EQ"}]}]}
            """);
        int mmap = SystemCalls.require("mmap");
        assertThat(profile.verdict(mmap, 0, 0, 7, 2)).isEqualTo(KILL);
        assertThat(profile.verdict(mmap, 0, 0, 3, 2)).isEqualTo(ALLOW);
        assertThat(profile.verdict(mmap, 0, 0, 3, 1)).isEqualTo(EPERM);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"defaultAction": "SCMP_ACT_ALLOW", "sysCalls": []}                          | /sysCalls                 | sysCalls
        {"syscalls": []}                                                             | /defaultAction            | missing
        {"defaultAction": "SCMP_ACT_PERHAPS"}                                        | /defaultAction            | SCMP_ACT_PERHAPS
        {"defaultAction": 7}                                                         | /defaultAction            | string
        {"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 0}                    | /defaultErrnoRet          | 1 to 4095
        {"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 4096}                 | /defaultErrnoRet          | 1 to 4095
        {"defaultAction": "SCMP_ACT_ERRNO", "defaultErrno": "EVERYTHING"}            | /defaultErrno             | EVERYTHING
        {"defaultAction": "SCMP_ACT_LOG", "architectures": ["SCMP_ARCH_VAX"]}        | /architectures            | SCMP_ARCH_VAX
        {"defaultAction": "SCMP_ACT_LOG", "architectures": ["SCMP_ARCH_ARM"]}        | /architectures            | SCMP_ARCH_X86_64
        {"defaultAction": "SCMP_ACT_LOG", "flags": ["FAST"]}                         | /flags/0                  | FAST
        {"defaultAction": "SCMP_ACT_LOG", "syscalls": {}}                            | /syscalls                 | list
        {"defaultAction": "SCMP_ACT_LOG", "syscalls": [7]}                           | /syscalls/0               | object
        []                                                                           | ''                        | object
        {"defaultAction": "SCMP_ACT_LOG"} {}                                         | ''                        | follows
        {"defaultAction": "SCMP_ACT_LOG", "defaultAction": "SCMP_ACT_ALLOW"}         | /defaultAction            | twice
        {"defaultAction":                                                            | ''                        | line 1
        """)
    void wrongDocuments(String json, String pointer, String mention) {
        assertThat(problems(json)).anySatisfy(problem -> {
            assertThat(problem.pointer()).isEqualTo(pointer);
            assertThat(problem.message()).contains(mention);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"names": ["reed"], "action": "SCMP_ACT_ALLOW"}                                    | /names/0              | reed
        {"action": "SCMP_ACT_ALLOW"}                                                       | /names                | missing
        {"names": ["read"], "name": "read", "action": "SCMP_ACT_ALLOW"}                    | /name                 | names alone
        {"names": [3], "action": "SCMP_ACT_ALLOW"}                                         | /names/0              | string
        {"names": ["read"]}                                                                | /action               | missing
        {"names": ["read"], "action": "SCMP_ACT_ALLOW", "priority": 3}                     | /priority             | priority
        {"names": ["read"], "action": "SCMP_ACT_ALLOW", "includes": {"cap": []}}           | /includes/cap         | caps
        {"names": ["read"], "action": "SCMP_ACT_ALLOW", "includes": {"caps": ["admin"]}}   | /includes/caps/0      | admin
        {"names": ["read"], "action": "SCMP_ACT_ALLOW", "excludes": {"arches": ["vax"]}}   | /excludes/arches/0    | vax
        {"names": ["read"], "action": "SCMP_ACT_ALLOW", "includes": {"minKernel": "new"}}  | /includes/minKernel   | 4.8
        {"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 6, "value": 0, "op": "SCMP_CMP_EQ"}]} | /args/0/index | 0 to 5
        {"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": -1, "op": "SCMP_CMP_EQ"}]} | /args/0/value | -1
        {"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 1.5, "op": "SCMP_CMP_EQ"}]} | /args/0/value | 1.5
        {"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 18446744073709551616, "op": "SCMP_CMP_EQ"}]} | /args/0/value | 18446744073709551615
        {"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 1, "op": "EQ"}]} | /args/0/op | SCMP_CMP_EQ
        {"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "op": "SCMP_CMP_EQ"}]} | /args/0/value | missing
        {"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 1, "valueTwo": 2, "op": "SCMP_CMP_EQ"}]} | /args/0/valueTwo | MASKED_EQ
        {"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0, "value": 4294967296, "op": "SCMP_CMP_EQ"}]} | /args/0 | 32 bits
        {"names": ["chmod"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 1, "value": 65536, "op": "SCMP_CMP_GE"}]} | /args/0 | 16 bits
        """)
    void wrongEntries(String entry, String pointer, String mention) {
        String json = "{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"syscalls\": [" + entry + "]}";
        assertThat(problems(json)).anySatisfy(problem -> {
            assertThat(problem.pointer()).isEqualTo("/syscalls/0" + pointer);
            assertThat(problem.message()).contains(mention);
        });
    }

    @Test
    void contradictionsAreNamed() {
        assertThat(problems("""
            {"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [
              {"names": ["read", "write"], "action": "SCMP_ACT_ALLOW"},
              {"names": ["read"], "action": "SCMP_ACT_ALLOW"},
              {"names": ["write"], "action": "SCMP_ACT_TRAP"}]}
            """)).singleElement().satisfies(problem -> {
            assertThat(problem.pointer()).isEqualTo("/syscalls/2");
            assertThat(problem.message()).contains("write");
        });
    }

    @Test
    void bothKindsOfArchitectureLists() {
        assertThat(problems("{\"defaultAction\": \"SCMP_ACT_LOG\", \"architectures\": [\"SCMP_ARCH_X86_64\"],"
                        + " \"archMap\": [{\"architecture\": \"SCMP_ARCH_X86_64\"}]}"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("archMap"));
    }

    @Test
    void allProblemsComeAtOnceAndNameTheFile() {
        String json =
                "{\"defaultAction\": \"X\", \"flag\": 1, \"syscalls\": [{\"names\": [\"reed\", \"rite\"], \"action\":"
                        + " \"Y\"}]}";
        assertThatExceptionOfType(InvalidProfile.class)
                .isThrownBy(() -> parse(json))
                .satisfies(e -> assertThat(e.problems()).hasSize(5))
                .withMessageContaining("test.json#/syscalls/0/names/1: 'rite' is not a system call")
                .withMessageContaining("test.json#/flag: 'flag' is not a field here; accepted: archMap, ");
    }

    @Test
    void conditionsThatExplodeAreRefused() {
        StringBuilder args = new StringBuilder();
        for (int index = 0; index < 6; index++) {
            args.append(index == 0 ? "" : ", ")
                    .append("{\"index\": ")
                    .append(index)
                    .append(", \"value\": 12345, \"op\": \"SCMP_CMP_NE\"}");
        }
        assertThat(problems("{\"defaultAction\": \"SCMP_ACT_ERRNO\", \"syscalls\": [{\"names\": [\"mmap\"],"
                        + " \"action\": \"SCMP_ACT_ALLOW\", \"args\": [" + args + "]}]}"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("too many conditions"));
    }

    @Test
    void valuesAreShownSafely() {
        assertThat(problems("{\"defaultAction\": \"a\\u001b[31m\\nb" + "x".repeat(500) + "\"}"))
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.message()).contains("a?[31m?b").hasSizeLessThan(400));
    }

    @Test
    void filesAreBounded(@TempDir Path folder) throws IOException {
        Path huge = folder.resolve("huge.json");
        Files.write(huge, new byte[Profiles.MAX_BYTES + 1]);
        assertThatExceptionOfType(InvalidProfile.class)
                .isThrownBy(() -> Profiles.file(huge))
                .withMessageContaining("too large");
        String deep = "[".repeat(1000) + "]".repeat(1000);
        assertThat(problems(deep))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("not JSON"));
    }

    @Test
    void filesAndNamesThatAreNotThere(@TempDir Path folder) {
        assertThatExceptionOfType(InvalidProfile.class)
                .isThrownBy(() -> Profiles.file(folder.resolve("none.json")))
                .withMessageContaining("none.json");
        assertThatExceptionOfType(InvalidProfile.class)
                .isThrownBy(() -> Profiles.file(folder))
                .withMessageContaining("not a file");
        assertThatExceptionOfType(InvalidProfile.class)
                .isThrownBy(() -> Profiles.named("../default"))
                .withMessageContaining("default, strict, jvm, debug");
    }

    @Test
    void aFileIsReadByItsPath(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("mine.json");
        Files.write(file, FEATURES.getBytes(StandardCharsets.UTF_8));
        Profile profile = Profiles.file(file);
        assertThat(profile.name()).isEqualTo(file.toString());
        assertThat(profile.hash()).hasSize(64).isEqualTo(parse(FEATURES).hash());
    }

    private static FilterAction verdict(String call, long... arguments) {
        return parse(FEATURES).verdict(SystemCalls.require(call), arguments);
    }
}
