package dev.cordon.policy.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Trust;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.policy.Decision;
import dev.cordon.policy.RuleEffect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PolicyTest {
    private static final Policy OPEN = new Policy(Map.of());

    @Test
    void aJobThatAsksForNoLevelGetsTheJail() {
        assertThat(OPEN.decide(Job.argv("true").validate())).isInstanceOfSatisfying(Decision.Allowed.class, allowed -> {
            assertThat(allowed.isolation()).isEqualTo(Isolation.JAIL);
            assertThat(allowed.reasons()).containsExactly("the default level");
        });
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void aLevelThatIsAskedForIsNeverChanged(Isolation level) {
        Decision decision = OPEN.decide(Job.argv("true").isolation(level).validate());
        assertThat(decision).isInstanceOfSatisfying(Decision.Allowed.class, allowed -> {
            assertThat(allowed.isolation()).isEqualTo(level);
            assertThat(allowed.reasons()).containsExactly("asked for by name");
        });
    }

    private static Decision.Allowed untrusted(Policy policy, Job job, boolean machine) {
        JobSpec spec = job.trust(Trust.UNTRUSTED).validate();
        JobFacts told = JobFacts.of(spec);
        JobFacts facts = new JobFacts(
                told.code(),
                told.codeBytes(),
                told.binaries(),
                null,
                Map.of(),
                told.network(),
                told.image(),
                0,
                machine);
        return (Decision.Allowed) policy.decide(spec, facts);
    }

    @Test
    void untrustedCodeGetsAMachineWhereTheHostHasThem() {
        Decision.Allowed allowed = untrusted(OPEN, Job.argv("true"), true);
        assertThat(allowed.isolation()).isEqualTo(Isolation.VM);
        assertThat(allowed.reasons()).anyMatch(reason -> reason.contains("virtual machine of its own"));
    }

    @Test
    void untrustedCodeGetsTheJailElsewhereAndIsToldSo() {
        Decision.Allowed allowed = untrusted(OPEN, Job.argv("true"), false);
        assertThat(allowed.isolation()).isEqualTo(Isolation.JAIL);
        assertThat(allowed.reasons()).anyMatch(reason -> reason.contains("not known to run them"));
    }

    @Test
    void whoeverNamesALevelForUntrustedCodeGetsThat() {
        assertThat(untrusted(OPEN, Job.argv("true").isolation(Isolation.JAIL), true)
                        .isolation())
                .isEqualTo(Isolation.JAIL);
        assertThat(untrusted(OPEN, Job.argv("true").isolationAtMost(Isolation.JAIL), true)
                        .isolation())
                .isEqualTo(Isolation.JAIL);
    }

    @Test
    void aRuleForUntrustedCodeDecidesAlone() {
        Policy ruled = new Policy(
                Map.of(),
                null,
                List.of(new PolicyRule("theirs", "", RuleMatch.ALL, RuleEffect.NONE)),
                RiskModel.STANDARD,
                AllowLists.ALL,
                List.of(),
                List.of());
        assertThat(untrusted(ruled, Job.argv("true"), true).isolation()).isEqualTo(Isolation.JAIL);
    }

    @Test
    void cpuTimeThatOnlyFollowsEndsAtTheCeiling() {
        Policy policy = new Policy(Map.of(Limit.CPU_TIME, Limit.CPU_TIME.parse("1m")));
        JobSpec job = Job.argv("true").timeout(Duration.ofMinutes(5)).validate();
        assertThat(policy.decide(job))
                .isInstanceOfSatisfying(
                        Decision.Allowed.class,
                        allowed -> assertThat(allowed.applied(job).limits().cpuTime())
                                .isEqualTo(Duration.ofMinutes(1)));
    }

    @ParameterizedTest
    @EnumSource(Limit.class)
    void everyLimitHasACeiling(Limit limit) {
        long ceiling = limit.least() + 1;
        Policy policy = new Policy(Map.of(limit, ceiling));
        JobSpec within = Job.argv("true").limit(limit, limit.show(ceiling)).validate();
        JobSpec above = Job.argv("true").limit(limit, limit.show(limit.most())).validate();
        assertThat(policy.decide(within)).isInstanceOf(Decision.Allowed.class);
        assertThat(policy.decide(above))
                .isInstanceOfSatisfying(
                        Decision.Denied.class,
                        denied -> assertThat(denied.reasons())
                                .anySatisfy(reason -> assertThat(reason)
                                        .startsWith(limit.key() + ":")
                                        .contains(
                                                limit.show(limit.most()),
                                                limit.show(ceiling),
                                                "ceilings." + limit.key())));
    }

    @Test
    void aDenialNamesLimitRequestAndCeilingOfEveryOne() {
        Policy policy = new Policy(Map.of(
                Limit.MEMORY, 256L << 20, Limit.TIMEOUT, Duration.ofSeconds(10).toNanos()));
        Decision decision = policy.decide(Job.argv("true")
                .memory(ByteSize.gib(8))
                .timeout(Duration.ofMinutes(5))
                .validate());
        assertThat(decision.reasons())
                .containsExactly(
                        "timeout: 5m is above the operator's ceiling of 10s; "
                                + "ask for less, or have ceilings.timeout raised in the configuration",
                        "memory: 8 GiB is above the operator's ceiling of 256 MiB; "
                                + "ask for less, or have ceilings.memory raised in the configuration");
    }

    @Test
    void ceilingsAreAmountsThemselves() {
        assertThatThrownBy(() -> new Policy(Map.of(Limit.PIDS, 0L))).hasMessageContaining("pids");
    }

    @Test
    void everyDecisionHasAReason() {
        assertThatThrownBy(() -> new Decision.Denied(List.of())).hasMessageContaining("reasons");
    }
}
