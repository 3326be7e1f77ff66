package dev.cordon.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.job.ContainmentRequest;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Language;
import dev.cordon.job.OnOutputLimit;
import dev.cordon.job.OnViolation;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.Trust;
import dev.cordon.job.limit.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What one side writes is what the other reads. */
class JobRequestTest {
    private static ObjectNode written(JobSpec job) {
        ObjectNode body = new JsonMapper().createObjectNode();
        JobRequest.write(body, job);
        return body;
    }

    private static JobSpec read(ObjectNode body) {
        return JobRequest.read(new RequestFields(body), Language::parse, _ -> {})
                .job()
                .validate();
    }

    private static <T extends ContainmentRequest<T>> T contained(T job) {
        return job.env("A", "1")
                .label("agent", "a1")
                .isolation(Isolation.JAIL)
                .isolationAtMost(Isolation.VM)
                .image("base")
                .profile("strict")
                .strict(true)
                .onViolation(OnViolation.KILL);
    }

    @Test
    void everyFieldArrives() {
        Job whole = contained(Job.argv("echo", "a b", ""))
                .artifacts(List.of("*.csv", "out/**"))
                .workdir("/tmp")
                .onOutputLimit(OnOutputLimit.KILL)
                .trust(Trust.UNTRUSTED)
                .escalate(false);
        for (Job job : List.of(whole, Job.argv("true"), Job.python("print(1)"), Job.java("class A {}"))) {
            JobSpec spec = job.validate();
            assertThat(read(written(spec))).isEqualTo(spec);
        }
    }

    @Test
    void whatNobodyAskedForIsNotWritten() {
        assertThat(written(Job.java("class A {}").validate()).propertyNames()).containsExactly("language", "code");
    }

    @Test
    void everyLimitArrivesInItsUnit() {
        for (Limit limit : Limit.values()) {
            for (long amount : new long[] {limit.least(), limit.most()}) {
                JobSpec spec = Job.argv("true").limit(limit, limit.show(amount)).validate();
                assertThat(read(written(spec))).isEqualTo(spec);
            }
        }
    }

    @Test
    void everyFieldOfASandboxArrives() {
        JobSpec spec =
                contained(SandboxSpec.create()).limit(Limit.MEMORY, "64M").validate(Map.of());
        ObjectNode body = new JsonMapper().createObjectNode();
        SandboxRequest.write(body, spec, Duration.ofSeconds(60));
        SandboxSpec read = SandboxRequest.read(new RequestFields(body));
        assertThat(read.idleTimeout()).contains(Duration.ofSeconds(60));
        assertThat(read.validate(Map.of())).isEqualTo(spec);
    }

    @Test
    void aSandboxIsNeverRunAgainWhateverItsSpecSays() {
        JobSpec spec = SandboxSpec.create().escalate(false).validate(Map.of());
        ObjectNode body = new JsonMapper().createObjectNode();
        SandboxRequest.write(body, spec, Duration.ofSeconds(60));
        assertThat(SandboxRequest.read(new RequestFields(body)).idleTimeout()).contains(Duration.ofSeconds(60));
    }

    @Test
    void timesAreTextWithAUnitInARange() {
        Map<String, String> rules = Map.of(
                "\"0s\"", "is not above zero and at most 365d",
                "\"366d\"", "is not above zero and at most 365d",
                "600", "is not a time with its unit",
                "\"soon\"", "is not a time with its unit",
                "[]", "is not an amount");
        rules.forEach((value, rule) -> {
            JsonNode body = new JsonMapper().readTree("{\"ttl\":" + value + "}");
            assertThatThrownBy(() -> SandboxRequest.read(new RequestFields(body)))
                    .as(value)
                    .isInstanceOfSatisfying(
                            InvalidRequest.class,
                            e -> assertThat(e.errors()).singleElement().satisfies(error -> {
                                assertThat(error.pointer()).isEqualTo("/ttl");
                                assertThat(error.rule()).isEqualTo(rule);
                            }));
        });
        JsonNode body = new JsonMapper().readTree("{\"ttl\":\"365d\",\"idle_timeout\":\"1.5m\"}");
        SandboxSpec read = SandboxRequest.read(new RequestFields(body));
        assertThat(read.ttl()).contains(Duration.ofDays(365));
        assertThat(read.idleTimeout()).contains(Duration.ofSeconds(90));
    }

    @Test
    void whatIsTheHostsIsNotWritten() {
        for (Job job : List.of(
                Job.argv("true").readOnly(Path.of("/srv"), "/in"),
                Job.argv("true").macLabel("label"),
                Job.argv("true").profile(Path.of("/profile.json")))) {
            assertThatIllegalArgumentException().isThrownBy(() -> written(job.validate()));
        }
    }

    @Test
    void codeKeepsTheNameOfItsFile() {
        JobSpec spec = Job.code(Language.PYTHON, "print(1)", "mine.py").validate();
        assertThat(read(written(spec))).isEqualTo(spec);
    }
}
