package dev.cordon.policy.rule;

import dev.cordon.job.Isolation;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Trust;
import dev.cordon.job.limit.Limit;
import dev.cordon.policy.Decision;
import dev.cordon.policy.Risk;
import dev.cordon.policy.RuleEffect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operator's rules.
 *
 * @param ceilings the largest amount of each limit that a job may have; a limit without one may reach {@link Limit#most}
 * @param owners   the known owners; null when nobody is unknown
 * @param rules    the first that matches decides
 * @param risk     how signals are weighed
 * @param lists    what jobs may execute and see of the host
 * @param patterns pieces of text that raise the risk where they appear in code; advisory, because a pattern is not a boundary
 * @param quotas   the first that is an owner's counts
 */
public record Policy(
        Map<Limit, Long> ceilings,
        @Nullable NamePatterns owners,
        List<PolicyRule> rules,
        RiskModel risk,
        AllowLists lists,
        List<String> patterns,
        List<Quota> quotas) {
    private static final String UNTRUSTED_IN_MACHINE =
            "untrusted code gets a virtual machine of its own, because this host has them and no rule decided";

    private static final String UNTRUSTED_IN_JAIL =
            "untrusted code gets the jail, because the job cannot have a virtual"
                    + " machine here: the host is not known to run them, or the job needs something of the host";

    /** Copies the collections and checks the ceilings' range. */
    public Policy {
        ceilings.forEach(Limit::check);
        ceilings = Map.copyOf(ceilings);
        rules = List.copyOf(rules);
        patterns = List.copyOf(patterns);
        quotas = List.copyOf(quotas);
    }

    /** The policy that ships, with these ceilings. */
    public Policy(Map<Limit, Long> ceilings) {
        this(ceilings, null, List.of(), RiskModel.STANDARD, AllowLists.ALL, List.of(), List.of());
    }

    /** The policy that ships; the same as the resource {@code policy.toml}, which people read. */
    public static Policy standard() {
        return new Policy(Map.of());
    }

    /** This policy under further ceilings; of two ceilings for a limit the lower applies. */
    public Policy within(Map<Limit, Long> further) {
        Map<Limit, Long> lowest = new EnumMap<>(Limit.class);
        lowest.putAll(ceilings);
        further.forEach((limit, amount) -> lowest.merge(limit, amount, Math::min));
        return new Policy(lowest, owners, rules, risk, lists, patterns, quotas);
    }

    /** An owner's quota. */
    public Optional<Quota> quota(String owner) {
        return quotas.stream().filter(quota -> quota.owners().match(owner)).findFirst();
    }

    /** Judges a job by what it tells itself. */
    public Decision decide(JobSpec job) {
        return decide(job, JobFacts.of(job));
    }

    /** Judges a job: everything that speaks against it is a reason of the denial. */
    public Decision decide(JobSpec job, JobFacts facts) {
        Risk score = risk.weigh(
                job, facts, owners == null || owners.match(job.origin().owner()), found(facts.code()));
        Optional<PolicyRule> rule =
                rules.stream().filter(each -> each.when().holds(job, facts)).findFirst();
        String name = rule.map(PolicyRule::name).orElse("");
        List<String> refusals = new ArrayList<>(aboveCeilings(job));
        refusals.addAll(lists.refusals(job, facts));
        RuleEffect effect = rule.isPresent() ? rule.get().effect() : RuleEffect.NONE;
        if (effect == null) {
            refusals.addFirst(
                    "rule " + name + ": " + rule.map(PolicyRule::reason).orElse(""));
        } else if (score.tooHigh() && !effect.ignoreRisk()) {
            refusals.add(score.text());
        }
        return refusals.isEmpty() && effect != null
                ? allow(job, score, rule.orElse(null), withinCeiling(job, effect), facts.machine())
                : new Decision.Denied(refusals, score, name, false);
    }

    /**
     * What becomes of an answer when the jobs are others', as those of a service are: the level process, which leaves a job the rights of a
     * user of the host, is for those only whom the deciding rule names together with the level.
     */
    public Decision forOthers(Decision decision) {
        if (!(decision instanceof Decision.Allowed allowed) || allowed.isolation() != Isolation.PROCESS) {
            return decision;
        }
        boolean named = rules.stream()
                .filter(rule -> rule.name().equals(allowed.rule()))
                .map(PolicyRule::when)
                .anyMatch(when -> when.owner() != null && when.isolation().contains(Isolation.PROCESS));
        return named
                ? decision
                : new Decision.Denied(
                        List.of("isolation: process leaves a job the rights of a user of this host, and is for those"
                                + " only whom a rule of the policy names together with it, by when = { owner ="
                                + " NAME, isolation = \"process\" }; ask for jail, or have the operator add such a"
                                + " rule"),
                        allowed.risk(),
                        allowed.rule(),
                        false);
    }

    private List<String> aboveCeilings(JobSpec job) {
        List<String> refusals = new ArrayList<>();
        Map<Limit, Long> amounts = new EnumMap<>(job.limits().amounts());
        amounts.forEach((limit, amount) -> {
            long ceiling = ceilings.getOrDefault(limit, limit.most());
            if (amount > ceiling && !follows(job, limit)) {
                refusals.add(limit.key() + ": " + limit.show(amount) + " is above the operator's ceiling of "
                        + limit.show(ceiling) + "; ask for less, or have ceilings." + limit.key()
                        + " raised in the configuration");
            }
        });
        return refusals;
    }

    /** The CPU time that follows a job's time limit was not asked for: it ends at the ceiling, and at what its owner's budget ever has. */
    private static boolean follows(JobSpec job, Limit limit) {
        return limit == Limit.CPU_TIME
                && job.asked().contains(Limit.TIMEOUT)
                && !job.asked().contains(limit);
    }

    private RuleEffect withinCeiling(JobSpec job, RuleEffect effect) {
        long budget = quota(job.origin().owner())
                .map(Quota::cpuTime)
                .map(Duration::toNanos)
                .orElse(Limit.CPU_TIME.most());
        long ceiling = Math.max(
                Limit.CPU_TIME.least(), Math.min(budget, ceilings.getOrDefault(Limit.CPU_TIME, Limit.CPU_TIME.most())));
        return follows(job, Limit.CPU_TIME) && job.limits().cpuTime().toNanos() > ceiling
                ? effect.atMost(Limit.CPU_TIME, ceiling)
                : effect;
    }

    private List<String> found(String code) {
        if (patterns.isEmpty()) {
            return List.of();
        }
        String text = code.toLowerCase(Locale.ROOT);
        return patterns.stream()
                .filter(pattern -> text.contains(pattern.toLowerCase(Locale.ROOT)))
                .map(pattern -> "'" + pattern + "'")
                .toList();
    }

    private static boolean allows(JobSpec job, Isolation level) {
        Isolation most = job.containment().atMost();
        return most == null || level.compareTo(most) <= 0;
    }

    private static Decision allow(
            JobSpec job, Risk score, @Nullable PolicyRule rule, RuleEffect effect, boolean machine) {
        List<String> reasons = new ArrayList<>();
        Isolation asked = job.containment().isolation();
        Isolation level = asked == null ? Isolation.JAIL : asked;
        reasons.add(asked == null ? "the default level" : "asked for by name");
        if (rule != null) {
            reasons.add("rule " + rule.name() + (rule.reason().isEmpty() ? "" : ": " + rule.reason()));
        }
        if (effect.isolation() != null && effect.isolation().compareTo(level) > 0) {
            level = effect.isolation();
            reasons.add("the rule wants at least " + level.label());
        }
        if (score.wantsVm() && !effect.ignoreRisk() && level != Isolation.VM) {
            level = Isolation.VM;
            reasons.add(score.text());
        }
        if (asked == null
                && rule == null
                && level == Isolation.JAIL
                && job.origin().trust() == Trust.UNTRUSTED) {
            boolean stronger = machine && allows(job, Isolation.VM);
            level = stronger ? Isolation.VM : level;
            reasons.add(stronger ? UNTRUSTED_IN_MACHINE : UNTRUSTED_IN_JAIL);
        }
        String name = rule == null ? "" : rule.name();
        if (!allows(job, level)) {
            reasons.add("isolation: " + level.label() + " is above the highest level that the job allows, "
                    + Objects.requireNonNull(job.containment().atMost()).label() + "; allow a higher one");
            return new Decision.Denied(reasons, score, name, true);
        }
        return new Decision.Allowed(level, reasons, score, name, effect);
    }
}
