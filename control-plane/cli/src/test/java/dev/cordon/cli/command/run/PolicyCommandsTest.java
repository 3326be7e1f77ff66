package dev.cordon.cli.command.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cordon.Cordon;
import dev.cordon.cli.TestStdio;
import dev.cordon.config.Config;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.Trust;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.json.DecisionJson;
import dev.cordon.policy.Decision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten jobs, explained by the command line and by the library: the same decision, rule and score. */
class PolicyCommandsTest {

    private static final String POLICY = """
        version = 1
        owners = ["alice", "guest-*"]
        patterns = ["xmrig"]

        [ceilings]
        memory = "1G"

        [risk]
        vm = 60
        deny = 100

        [commands]
        allow = ["python3", "node", "true", "/usr/bin/env"]

        [files]
        read = ["/usr"]

        [[rule]]
        name = "no-binaries-from-guests"
        action = "deny"
        reason = "guests may not bring programs"
        when = { owner = "guest-*", binaries = true }

        [[rule]]
        name = "agents"
        reason = "agents are watched"
        when = { labels = { agent = "*" }, language = "python" }
        profile = "strict"
        limits = { memory = "128M" }
        escalate = true

        [[rule]]
        name = "own-code"
        when = { trust = "trusted" }
        ignore_risk = true

        [[rule]]
        name = "strangers"
        when = { trust = "untrusted" }
        isolation = "vm"
        require_hardware = true
        """;

    @TempDir
    private Path folder;

    private Path policy;

    private record Explained(Job job, List<String> words, boolean allowed, String rule, int score, String because) {}

    @BeforeEach
    void write() throws IOException {
        policy = Files.writeString(folder.resolve("policy.toml"), POLICY);
    }

    private static Explained job(Job job, String line, boolean allowed, String rule, int score, String because) {
        return new Explained(job, List.of(line.split(" ", -1)), allowed, rule, score, because);
    }

    private Stream<Explained> tenJobs() {
        Path tool = folder.resolve("tool");
        String blob = "exec(b64decode('" + "QUJD".repeat(200) + "'))";
        return Stream.of(
                job(Job.argv("true").owner("alice"), "--owner alice -- true", true, "", 5, "the default level"),
                job(Job.argv("true"), "-- true", true, "", 20, "the default level"),
                job(
                        Job.argv("rm", "-rf", "/").owner("alice"),
                        "--owner alice -- rm -rf /",
                        false,
                        "",
                        5,
                        "rm (/usr/bin/rm) is not in commands.allow"),
                job(
                        Job.argv("true").owner("alice").memory(ByteSize.gib(2)),
                        "--owner alice --memory 2G -- true",
                        false,
                        "",
                        5,
                        "above the operator's ceiling"),
                job(
                        Job.python("print(1)").owner("alice").label("agent", "a1"),
                        "--owner alice --label agent=a1 --lang python -c print(1)",
                        true,
                        "agents",
                        5,
                        "agents are watched"),
                job(
                        Job.argv("true").owner("alice").trust(Trust.UNTRUSTED),
                        "--owner alice --trust untrusted -- true",
                        true,
                        "strangers",
                        35,
                        "the rule wants at least vm"),
                job(
                        Job.argv("true").owner("alice").trust(Trust.TRUSTED).isolation(Isolation.PROCESS),
                        "--owner alice --trust trusted --isolation process -- true",
                        true,
                        "own-code",
                        20,
                        "asked for by name"),
                job(
                        Job.argv("true").owner("guest-7").readOnly(tool, "/tool"),
                        "--owner guest-7 --ro " + tool + ":/tool -- true",
                        false,
                        "no-binaries-from-guests",
                        30,
                        "guests may not bring programs"),
                job(
                        Job.argv("true").owner("alice").readOnly(Path.of("/etc"), "/data"),
                        "--owner alice --ro /etc:/data -- true",
                        false,
                        "",
                        5,
                        "mount: /etc is below none of the directories of files.read"),
                job(
                        Job.python(blob + " # xmrig").profile(folder.resolve("p.json")),
                        "--profile " + folder.resolve("p.json") + " --lang python -c "
                                + (blob + " # xmrig").replace(" ", "\u0001"),
                        true,
                        "",
                        85,
                        "risk 85 = 5 unspecified_trust + 15 unknown_owner + 20 obfuscated + 25 system_calls + 20"
                                + " pattern"));
    }

    @Test
    void tenJobsAreExplainedAlikeByTheLibraryAndTheCommandLine() throws IOException {
        Files.write(folder.resolve("tool"), new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1});
        Config config = Config.load().withPolicy(policy);
        List<Explained> jobs = tenJobs().toList();
        assertThat(jobs).hasSize(10);
        try (Cordon cordon = Cordon.open(config)) {
            for (Explained each : jobs) {
                Decision decision = cordon.explain(each.job());
                assertThat(decision instanceof Decision.Allowed)
                        .as(each.toString())
                        .isEqualTo(each.allowed());
                assertThat(decision.rule()).as(each.toString()).isEqualTo(each.rule());
                assertThat(decision.risk().score()).as(each.toString()).isEqualTo(each.score());
                assertThat(String.join("\n", decision.reasons())).contains(each.because());
                assertThat(commandLine(each, "--json")).isEqualTo(DecisionJson.of(decision) + "\n");
                assertThat(commandLine(each))
                        .startsWith(each.allowed() ? "allowed, isolation " : "denied\n")
                        .contains("risk: " + each.score(), each.because());
            }
        }
    }

    private String commandLine(Explained explained, String... more) {
        List<String> words = new ArrayList<>(List.of("policy", "explain", "--policy", policy.toString()));
        words.addAll(List.of(more));
        explained.words().forEach(word -> words.add(word.replace('\u0001', ' ')));
        TestStdio stdio = new TestStdio();
        int code = stdio.run(words.toArray(String[]::new));
        assertThat(stdio.err()).isEmpty();
        assertThat(code).isEqualTo(explained.allowed() ? 0 : 122);
        return stdio.out();
    }

    @Test
    void aPolicyIsCheckedWithAllItsErrors() throws IOException {
        TestStdio fine = new TestStdio();
        assertThat(fine.run("policy", "check", policy.toString())).isZero();
        assertThat(fine.out()).contains("4 rules, 0 quotas, 1 ceilings: fine");
        Files.writeString(policy, "version = 1\nruls = 1\n[[quota]]\nrunning = 'x'\n");
        TestStdio broken = new TestStdio();
        assertThat(broken.run("policy", "check", policy.toString())).isEqualTo(1);
        assertThat(broken.err()).contains("ruls: is not a key here; did you mean rule?", "quota[0].running");
    }

    @Test
    void thePolicyThatShipsCanBePrinted() {
        TestStdio stdio = new TestStdio();
        assertThat(stdio.run("policy", "default")).isZero();
        assertThat(stdio.out()).contains("version = 1", "[risk.weights]");
    }

    @Test
    void aReloadedPolicyHoldsFromThenOnAndABrokenOneDoesNot() throws IOException {
        Job job = Job.argv("true").owner("alice");
        try (Cordon cordon = Cordon.open(Config.load().withPolicy(policy))) {
            assertThat(cordon.explain(job)).isInstanceOf(Decision.Allowed.class);
            Files.writeString(policy, "version = 1\n[commands]\nallow = ['false']\n");
            cordon.reloadPolicy();
            assertThat(cordon.explain(job)).isInstanceOf(Decision.Denied.class);
            Files.writeString(policy, "version = one");
            assertThat(catchThrowable(cordon::reloadPolicy)).hasMessageContaining("TOML");
            assertThat(cordon.explain(job)).isInstanceOf(Decision.Denied.class);
        }
    }
}
