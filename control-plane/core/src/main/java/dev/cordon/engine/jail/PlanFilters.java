package dev.cordon.engine.jail;

import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.NativeUnavailable;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.engine.SandboxException;
import dev.cordon.files.IoFaults;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.plan.Tier;
import dev.cordon.result.Outcome;
import dev.cordon.seccomp.CompiledProfile;
import dev.cordon.seccomp.InvalidProfile;
import dev.cordon.seccomp.PlanRule;
import dev.cordon.seccomp.ProfileProblem;
import dev.cordon.seccomp.compile.ProfileCompiler;
import dev.cordon.seccomp.compile.ProfileFilters;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The system call filters that plans ask for. */
public final class PlanFilters {
    private final ProfileFilters profiles;

    PlanFilters(NativeParts natives) {
        this(new ProfileFilters(compiler(natives)));
    }

    PlanFilters(ProfileFilters profiles) {
        this.profiles = profiles;
    }

    /** One compiler, made when the first profile has to be compiled: most jobs' filters come compiled from the jar. */
    private static Supplier<ProfileCompiler> compiler(NativeParts natives) {
        return new Supplier<>() {
            private @Nullable ProfileCompiler made;

            @Override
            public synchronized ProfileCompiler get() {
                ProfileCompiler compiler = made;
                if (compiler == null) {
                    compiler = new ProfileCompiler(spec -> natives.seccomp().compile(spec));
                    made = compiler;
                }
                return compiler;
            }
        };
    }

    /** Makes a filter. */
    @FunctionalInterface
    private interface Making<T> {
        T make() throws ErrnoException;
    }

    /**
     * What a plan's profile says, held to what the plan needs.
     *
     * @throws InvalidJob when there is no such profile, or it cannot be used
     */
    CompiledProfile of(SandboxPlan plan) throws SandboxException {
        try {
            return made(() -> plan.watched()
                    ? profiles.watched(plan.profile(), rules(plan))
                    : profiles.of(plan.profile(), rules(plan)));
        } catch (InvalidProfile e) {
            throw new InvalidJob(e.problems().stream()
                    .map(problem -> error(e.profile(), problem))
                    .toList());
        }
    }

    /** What lets everything through and tells of it. */
    CompiledProfile observing() throws SandboxException {
        return new CompiledProfile(made(profiles::observing), Optional.empty(), "", List.of(), new TreeMap<>());
    }

    /** What is made for QEMU. */
    CompiledProfile qemu() throws SandboxException {
        return made(profiles::qemu);
    }

    private static <T> T made(Making<T> making) throws SandboxException {
        try {
            return making.make();
        } catch (ErrnoException | NativeUnavailable problem) {
            throw new SandboxException(new Outcome.HostUnsupported(
                    "seccomp filters: " + problem.getMessage(),
                    "install libseccomp 2.5 or later",
                    IoFaults.of(problem)));
        }
    }

    /** What a plan needs of its filter, whoever wrote the profile. */
    static Set<PlanRule> rules(SandboxPlan plan) {
        Set<PlanRule> rules = EnumSet.noneOf(PlanRule.class);
        if (writesToHost(plan)) {
            rules.add(PlanRule.HOST_FILES);
        }
        if (plan.tier() instanceof Tier.PlainProcess || plan.watched()) {
            rules.add(PlanRule.NO_TRACING);
        }
        return rules;
    }

    private static boolean writesToHost(SandboxPlan plan) {
        return plan.operations().stream().anyMatch(op -> op instanceof RootStep.Bind bind && bind.writable())
                || plan.tier() instanceof Tier.PlainProcess;
    }

    /** A problem that tells its remedy needs no other. */
    private static FieldError error(String profile, ProfileProblem problem) {
        String remedy = problem.remedy().isEmpty() ? "correct the profile" : problem.remedy();
        return new FieldError("/profile" + problem.pointer(), profile, problem.rule(), remedy);
    }
}
