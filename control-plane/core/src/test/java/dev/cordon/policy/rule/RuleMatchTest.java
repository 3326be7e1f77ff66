package dev.cordon.policy.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.FakeBackend;
import dev.cordon.PolicedCordon;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.Language;
import dev.cordon.job.Trust;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Each condition of a rule, as text of a policy, against jobs as callers write them: it holds for some and not for others. */
class RuleMatchTest {
    private static final Job PLAIN = Job.argv("true");
    private static final byte[] ELF = {0x7f, 'E', 'L', 'F', 2, 1, 1};

    @TempDir
    private Path folder;

    private record Row(String when, List<Job> matching, List<Job> others) {}

    private static Row row(String when, List<Job> matching, Job... others) {
        return new Row(when, matching, Arrays.asList(others));
    }

    private Stream<Row> rows() throws IOException {
        Path program = Files.write(folder.resolve("program"), ELF);
        Path script = Files.write(folder.resolve("script.py"), ELF);
        Path text = Files.writeString(folder.resolve("text"), "ELF");
        return Stream.of(
                row("owner = ['guest-*', 'bob']", List.of(PLAIN.owner("guest-1"), PLAIN.owner("bob")), PLAIN),
                row(
                        "labels = { agent = 'a*', stage = 'test' }",
                        List.of(PLAIN.label("agent", "a1").label("stage", "test")),
                        PLAIN,
                        PLAIN.label("agent", "a1"),
                        PLAIN.label("agent", "b1").label("stage", "test")),
                row(
                        "language = 'python'",
                        List.of(Job.python("1"), Job.file(text, Language.PYTHON)),
                        Job.node("1"),
                        Job.argv("python", "-c", "1")),
                row("language = 'command'", List.of(PLAIN), Job.shell("true")),
                row(
                        "trust = ['untrusted', 'standard']",
                        List.of(PLAIN, PLAIN.trust(Trust.UNTRUSTED)),
                        PLAIN.trust(Trust.TRUSTED)),
                row(
                        "network = 'none'",
                        List.of(PLAIN, PLAIN.isolation(Isolation.VM)),
                        PLAIN.isolation(Isolation.PROCESS)),
                row("network = 'host'", List.of(PLAIN.isolation(Isolation.PROCESS)), PLAIN),
                row("mounts = 'none'", List.of(PLAIN), PLAIN.readOnly(text, "/in")),
                row(
                        "mounts = 'read'",
                        List.of(PLAIN.readOnly(text, "/in")),
                        PLAIN,
                        PLAIN.readOnly(text, "/in").readWrite(folder, "/out")),
                row(
                        "mounts = 'write'",
                        List.of(PLAIN.readOnly(text, "/in").readWrite(folder, "/out")),
                        PLAIN.readOnly(text, "/in")),
                row(
                        "binaries = true",
                        List.of(
                                PLAIN.put("tool", ELF),
                                PLAIN.readOnly(program, "/tool"),
                                Job.file(script, Language.PYTHON)),
                        PLAIN,
                        PLAIN.put("tool", new byte[] {'E', 'L', 'F'}),
                        PLAIN.readOnly(text, "/tool")),
                row("binaries = false", List.of(PLAIN), PLAIN.put("tool", ELF)),
                row("image = 'python-*'", List.of(PLAIN.image("python-3.12")), PLAIN, PLAIN.image("base")),
                row("image = 'host'", List.of(PLAIN), PLAIN.image("base")),
                row("profile = 'strict'", List.of(PLAIN.profile("strict")), PLAIN, PLAIN.profile(text)),
                row("profile = 'custom'", List.of(PLAIN.profile(text)), PLAIN.profile("strict")),
                row("profile = 'jvm'", List.of(Job.java("class A {}")), PLAIN),
                row("isolation = 'vm'", List.of(PLAIN.isolation(Isolation.VM)), PLAIN, PLAIN.isolation(Isolation.JAIL)),
                row(
                        "owner = 'bob', trust = 'untrusted'",
                        List.of(PLAIN.owner("bob").trust(Trust.UNTRUSTED)),
                        PLAIN.owner("bob"),
                        PLAIN.trust(Trust.UNTRUSTED)));
    }

    @Test
    void eachConditionHoldsForWhatItIsAboutAndForNothingElse() throws IOException {
        for (Row row : rows().toList()) {
            String policy = "version = 1\n[[rule]]\nname = 'it'\nwhen = { " + row.when() + " }\n";
            try (Cordon cordon = PolicedCordon.onFake(folder, policy, new FakeBackend())) {
                for (Job job : row.matching()) {
                    assertThat(cordon.explain(job).rule()).as(row.when()).isEqualTo("it");
                }
                for (Job job : row.others()) {
                    assertThat(cordon.explain(job).rule()).as(row.when()).isEmpty();
                }
            }
        }
    }

    @Test
    void noConditionIsLeftOut() throws IOException {
        List<String> tried = rows().map(
                        row -> row.when().substring(0, row.when().indexOf(' ')))
                .toList();
        try (InputStream schema = getClass().getResourceAsStream("/dev/cordon/policy.schema.json")) {
            assertThat(tried)
                    .containsAll(new JsonMapper()
                            .readTree(Objects.requireNonNull(schema))
                            .at("/$defs/when/properties")
                            .propertyNames());
        }
    }

    @Test
    void theFirstThatMatchesDecides() throws IOException {
        String policy = """
            version = 1
            [[rule]]
            name = "first"
            when = { owner = "bob" }
            [[rule]]
            name = "second"
            action = "deny"
            """;
        try (Cordon cordon = PolicedCordon.onFake(folder, policy, new FakeBackend())) {
            assertThat(cordon.explain(PLAIN.owner("bob")).rule()).isEqualTo("first");
            assertThat(cordon.explain(PLAIN).rule()).isEqualTo("second");
        }
    }
}
