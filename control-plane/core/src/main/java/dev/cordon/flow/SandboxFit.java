package dev.cordon.flow;

import dev.cordon.job.Isolation;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.limit.Limit;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import dev.cordon.policy.Decision;
import dev.cordon.result.Acceleration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether a sandbox that stands gives a command what the policy wants for it. Limits of one command are held for it; what belongs to the
 * whole sandbox (level, filter, memory, ...) has to be at least as strict as the rule wants, or the command is denied.
 */
public final class SandboxFit {
    /** The shipped filters, the most permissive first. */
    private static final List<String> PROFILES = List.of("debug", "jvm", "default", "strict");

    private SandboxFit() {}

    /** The policy's answer as it holds in the sandbox: at its level, with what is held for the command among the reasons. */
    public static Decision of(Decision decision, SandboxPlan sandbox) {
        if (!(decision instanceof Decision.Allowed allowed)) {
            return decision;
        }
        List<String> reasons = new ArrayList<>(allowed.reasons());
        List<String> lacking = lacking(allowed, sandbox);
        if (!lacking.isEmpty()) {
            reasons.addAll(lacking);
            return new Decision.Denied(reasons, allowed.risk(), allowed.rule(), false);
        }
        new TreeMap<>(allowed.effect().limits()).forEach((limit, most) -> {
            if (limit.ofCommand()) {
                reasons.add("the rule holds it to " + limit.key() + " " + limit.show(most));
            }
        });
        if (allowed.escalate() && sandbox.tier().isolation() == Isolation.JAIL) {
            reasons.add(
                    "it is killed at its first tripwire; commands of a sandbox are not run again in a virtual machine");
        }
        return new Decision.Allowed(
                sandbox.tier().isolation(), reasons, allowed.risk(), allowed.rule(), allowed.effect());
    }

    private static List<String> lacking(Decision.Allowed allowed, SandboxPlan sandbox) {
        List<String> lacking = new ArrayList<>();
        Isolation here = sandbox.tier().isolation();
        if (allowed.isolation().compareTo(here) > 0) {
            lacking.add("the job needs isolation " + allowed.isolation() + " and the sandbox has " + here
                    + "; open a sandbox with that level");
        }
        String profile = allowed.effect().profile();
        if (profile != null && !isAtLeast(profile, sandbox.profile())) {
            lacking.add("the rule wants the profile " + profile + " and the sandbox has "
                    + sandbox.profile().shown() + "; open a sandbox with that profile");
        }
        if (allowed.escalate() && sandbox.tier().isolation() == Isolation.JAIL && mayTrace(sandbox.profile())) {
            lacking.add(
                    "the rule wants the job watched, and the sandbox's profile may let it trace; open a sandbox with"
                            + " the profile default");
        }
        if (allowed.requireHardware()
                && allowed.isolation() == Isolation.VM
                && sandbox.tier() instanceof Tier.Machine vm
                && vm.machine().acceleration() == Acceleration.EMULATED) {
            lacking.add(
                    "the rule wants a virtual machine on hardware and the sandbox's is emulated; make /dev/kvm usable"
                            + " and open another sandbox");
        }
        new TreeMap<>(allowed.effect().limits()).forEach((limit, most) -> {
            if (!limit.ofCommand() && isAbove(sandbox.limits().amounts().get(limit), most)) {
                lacking.add(more(limit, most, sandbox));
            }
        });
        return lacking;
    }

    /** A watched plan would have been given a filter without it. */
    private static boolean mayTrace(ProfileRef profile) {
        return profile instanceof ProfileRef.FromFile || profile.equals(new ProfileRef.Named(PROFILES.getFirst()));
    }

    private static boolean isAtLeast(String wanted, ProfileRef has) {
        return has instanceof ProfileRef.Named named
                && PROFILES.contains(named.name())
                && PROFILES.indexOf(named.name()) >= PROFILES.indexOf(wanted)
                && !(wanted.equals("debug") && named.name().equals("jvm")); // neither has all of the other's calls
    }

    /** A limit that was not asked for is none. */
    private static boolean isAbove(@Nullable Long amount, long most) {
        return amount == null || amount > most;
    }

    private static String more(Limit limit, long most, SandboxPlan sandbox) {
        Long amount = sandbox.limits().amounts().get(limit);
        return "the rule allows " + limit.key() + " of at most " + limit.show(most) + " and the sandbox has "
                + (amount == null ? "no such limit" : limit.show(amount)) + "; open a sandbox with less";
    }
}
