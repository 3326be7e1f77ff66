package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.job.ProfileRef;
import dev.cordon.seccomp.PlanRule;
import dev.cordon.seccomp.compile.ProfileCompiler;
import dev.cordon.seccomp.compile.ProfileFilters;
import dev.cordon.seccomp.read.Profiles;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The jar of the library, which this module has on its class path: its filters were compiled when it was built. */
class PackagedFiltersTest {
    private static final List<Set<PlanRule>> RULES =
            List.of(Set.of(), Set.of(PlanRule.HOST_FILES), Set.of(PlanRule.HOST_FILES, PlanRule.NO_TRACING));

    private static ProfileCompiler none() {
        throw new AssertionError("compiled at a start; :control-plane:core:packageFilters has it for the jar");
    }

    @Test
    void noStartCompilesAProfileOfCordons() throws ErrnoException {
        var packaged = new ProfileFilters(PackagedFiltersTest::none);
        var compiler = new ProfileCompiler(NativeParts.load().seccomp()::compile);
        for (String name : Profiles.names()) {
            for (Set<PlanRule> rules : RULES) {
                assertThat(packaged.of(new ProfileRef.Named(name), rules))
                        .as("%s with %s, as the profile and the classes beside it have it", name, rules)
                        .isEqualTo(compiler.compile(Profiles.named(name).with(rules)));
            }
        }
        assertThat(packaged.qemu()).isEqualTo(compiler.compileTrusted(Profiles.qemu()));
    }
}
