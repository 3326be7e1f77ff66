package dev.cordon.policy.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.job.Job;
import dev.cordon.job.JobSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllowListsTest {
    private static final AllowLists LISTS = new AllowLists(List.of("browser", "/opt/browser/run"), null, null);

    private static List<String> refusals(Job job) {
        JobSpec spec = job.validate();
        JobFacts told = JobFacts.of(spec);
        return LISTS.refusals(
                spec,
                new JobFacts(
                        told.code(), 0, List.of(), Path.of("/opt/browser/run"), Map.of(), "none", "host", 0, false));
    }

    /** /usr/bin/browser is a link to a place that jails are not shown. */
    @ParameterizedTest
    @CsvSource({
        "browser,          /opt/browser",
        "browser,          /opt",
        "browser,          /opt/browser/run",
        "/opt/browser/run, /opt/browser",
        "/opt/link/run,    /opt/link"
    })
    void aMountDoesNotTakeThePlaceOfAnAllowedProgram(String typed, String target) {
        assertThat(refusals(Job.argv(typed).readOnly(Path.of("/srv/mine"), target)))
                .singleElement()
                .asString()
                .startsWith("mount: " + target + " would take the place of /opt/browser/run, and commands.allow");
    }

    @Test
    void aMountThatShowsTheProgramWhereItIsIsFine() {
        assertThat(refusals(Job.argv("browser").readOnly(Path.of("/opt/browser"), "/opt/browser")))
                .isEmpty();
        assertThat(refusals(Job.argv("browser").readOnly(Path.of("/srv/mine"), "/opt/browsers")))
                .isEmpty();
    }
}
