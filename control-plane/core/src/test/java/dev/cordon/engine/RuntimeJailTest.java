package dev.cordon.engine;

import static dev.cordon.engine.Sandboxes.payload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.fixture.OpenCordon;
import dev.cordon.job.Job;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The languages and tools that people run, under the profiles that ship and under one of their own. */
@Tag("jail")
@Tag("asUser")
final class RuntimeJailTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @OpenCordon
    private static Cordon cordon;

    private static void expect(Job job, String stdout) {
        Result result = cordon.run(job);
        assertThat(result.outcome()).as(result.stderrText()).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdoutText()).isEqualTo(stdout);
        assertThat(result.violations()).isEmpty();
    }

    private static Job roomy(Job job) {
        return job.timeout(LONG).cpuTime(LONG).memory(ByteSize.gib(1)).pids(512).disk(ByteSize.mib(512));
    }

    @Test
    void python() {
        String code = """
            import json, sqlite3, subprocess, threading
            print(json.dumps({'a': 1}), subprocess.run(['echo', 'x'], capture_output=True).stdout)
            """;
        expect(Job.python(code), "{\"a\": 1} b'x\\n'\n");
    }

    @Test
    void node() {
        String code = """
            const {execSync} = require('child_process');
            setTimeout(() => console.log([1, 2].map(x => x * 2), execSync('echo hi').toString().trim()), 1);
            """;
        expect(roomy(Job.node(code)), "[ 2, 4 ] hi\n");
    }

    @Test
    void bash() {
        expect(Job.shell("for i in 1 2; do echo $((i * 2)) | cat; done"), "2\n4\n");
    }

    @Test
    void java() {
        String code = """
            import java.util.concurrent.*;
            class Main {
                public static void main(String[] args) throws Exception {
                    ExecutorService pool = Executors.newFixedThreadPool(4);
                    System.out.println(pool.submit(() -> 6 * 7).get());
                    pool.shutdown();
                }
            }
            """;
        expect(roomy(Job.java(code)).profile("jvm"), "42\n");
        expect(roomy(Job.java(code)), "42\n");
    }

    @Test
    void mavenBuildsAProject(@TempDir Path directory) throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path project = Files.createDirectories(directory.resolve("project"));
        Files.writeString(project.resolve("pom.xml"), """
            <project><modelVersion>4.0.0</modelVersion><groupId>t</groupId><artifactId>t</artifactId><version>1</version>
            <properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties></project>
            """);
        Path source = Files.createDirectories(project.resolve("src/main/java"));
        Files.writeString(source.resolve("T.java"), "class T { int answer() { return 42; } }\n");
        Path repository = directory.resolve("repository");
        // The control: the same build outside fetches what it needs; inside there is no network.
        Process outside = new ProcessBuilder(
                        "mvn", "-q", "-B", "-Dmaven.repo.local=" + repository, "-Duser.home=" + directory, "package")
                .directory(project.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(outside.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(outside.waitFor()).as(said).isZero();
        String script = "cp -r /opt/project/pom.xml /opt/project/src . && cp -r /opt/repository /tmp/r &&"
                + " mvn -q -B -o -Dmaven.repo.local=/tmp/r package >&2 && ls target/t-1.jar";
        expect(
                roomy(Job.argv("sh", "-c", script))
                        .profile("jvm")
                        .readOnly(project, "/opt/project")
                        .readOnly(repository, "/opt/repository"),
                "target/t-1.jar\n");
    }

    @Test
    void strictComputes() {
        expect(Job.argv("python3", "-c", "print(2**100)").profile("strict"), "1267650600228229401496703205376\n");
    }

    @Test
    void strictHasNoSockets() {
        Result result = cordon.run(payload("socket", "2").profile("strict"));
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(6));
        assertThat(result.stdoutText()).startsWith("socket ").doesNotContain("done");
    }

    @Test
    void aProfileInDockersFormat(@TempDir Path directory) throws IOException {
        Path profile = directory.resolve("profile.json");
        Files.writeString(profile, """
            {"defaultAction": "SCMP_ACT_ALLOW", "archMap": [{"architecture": "SCMP_ARCH_X86_64", "subArchitectures": ["SCMP_ARCH_X86"]}],
             "syscalls": [
               {"names": ["mkdir", "mkdirat"], "action": "SCMP_ACT_ERRNO", "errnoRet": 13, "comment": "no directories"},
               {"name": "socket", "action": "SCMP_ACT_ERRNO", "args": [{"index": 0, "value": 2, "op": "SCMP_CMP_EQ"}]},
               {"names": ["sync"], "action": "SCMP_ACT_ALLOW", "includes": {"caps": ["CAP_SYS_ADMIN"], "minKernel": "4.8"}}]}
            """);
        assertThat(cordon.run(Job.argv("mkdir", "x").profile(profile)).stderrText())
                .contains("Permission denied");
        assertThat(cordon.run(payload("socket", "2").profile(profile)).outcome())
                .isEqualTo(new Outcome.Exited(6));
        assertThat(cordon.run(payload("socket", "1").profile(profile)).outcome())
                .isEqualTo(new Outcome.Exited(0));
        // Whatever a profile allows, the tripwires of the default profile stay when it refuses them.
        assertThat(cordon.run(Job.argv("echo", "hi").profile(profile)).stdoutText())
                .isEqualTo("hi\n");
    }

    @Test
    void aProfileThatIsNone(@TempDir Path directory) throws IOException {
        Path profile = directory.resolve("profile.json");
        Files.writeString(
                profile,
                "{\"defaultAction\": \"SCMP_ACT_ALLOW\", \"syscalls\": [{\"names\": [\"nosuchcall\"], \"action\":"
                        + " \"SCMP_ACT_ALLOW\"}]}");
        Outcome outcome = cordon.run(Job.argv("true").profile(profile)).outcome();
        assertThat(outcome.exitCode()).isEqualTo(121);
        assertThat(outcome.toString()).contains("nosuchcall");
    }
}
