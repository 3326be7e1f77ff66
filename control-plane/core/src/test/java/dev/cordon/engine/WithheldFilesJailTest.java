package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.EnginedCordon;
import dev.cordon.config.Config;
import dev.cordon.engine.jail.JailBackend;
import dev.cordon.job.Job;
import dev.cordon.plan.Plan;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A file that is withheld from a directory that is shown. No test writes into this host's /etc, so one of its own files stands for it. */
@Tag("jail")
@Tag("asUser")
final class WithheldFilesJailTest {
    private static final Path DIRECTORY = Path.of("/etc/ld.so.conf.d");

    @Test
    void oneFileOfADirectoryIsCovered() throws IOException {
        Path file;
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            file = files.filter(each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS))
                    .min(Path::compareTo)
                    .orElseThrow();
        }
        Job job = Job.shell("wc -c <" + file + "; ls -A " + DIRECTORY);
        List<String> names = names();
        try (Cordon cordon =
                EnginedCordon.open(Config.load(), (jails, facts, config) -> new Withholding(jails, file.toString()))) {
            Result result = cordon.run(job);
            assertThat(result.stderrText()).isEmpty();
            assertThat(result.stdoutText().lines().findFirst()).contains("0");
            assertThat(result.stdoutText().lines().skip(1)).containsExactlyInAnyOrderElementsOf(names);
        }
    }

    private static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.map(each -> String.valueOf(each.getFileName())).toList();
        }
    }

    /** Plans as if the survey had found such a file. */
    private record Withholding(JailBackend jails, String path) implements Backend {
        @Override
        public Execution start(Plan plan, OutputListener listener) throws SandboxException {
            return jails.start(new Plan(withheld(plan.sandbox()), plan.exec()), listener);
        }

        @Override
        public OpenSandbox open(SandboxPlan plan) throws SandboxException {
            return jails.open(withheld(plan));
        }

        @Override
        public void close() {
            jails.close();
        }

        private SandboxPlan withheld(SandboxPlan plan) {
            List<RootStep> steps = new ArrayList<>(plan.operations());
            int last = steps.indexOf(new RootStep.Mask("/usr/src")); // those of the site are the last that are hidden
            assertThat(last).isNotNegative();
            steps.add(last + 1, new RootStep.Mask(path));
            return new SandboxPlan(
                    plan.id(),
                    plan.tier(),
                    plan.ids(),
                    plan.setup(),
                    steps,
                    plan.profile(),
                    plan.limits(),
                    plan.asked(),
                    plan.rlimitsWithoutCgroup(),
                    plan.strict(),
                    plan.macLabel(),
                    plan.defaults(),
                    plan.remarks());
        }
    }
}
