package dev.cordon;

import dev.cordon.config.AuditSettings;
import dev.cordon.config.Config;
import dev.cordon.config.IdRange;
import dev.cordon.config.PoolSettings;
import dev.cordon.config.ProcessJobs;
import dev.cordon.config.VmSettings;
import dev.cordon.engine.Backend;
import dev.cordon.plan.HostSurvey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Opens a Cordon under a policy that a test writes. The caller closes it. */
final class PolicedCordon {
    private PolicedCordon() {}

    /** Its audit log is below the folder, in {@code audit}. */
    static Cordon onFake(Path folder, String policy, Backend backend) throws IOException {
        Config config = new Config(
                Map.of(),
                Map.of(),
                new IdRange(5000, 10),
                folder,
                folder,
                new AuditSettings(true, folder.resolve("audit"), AuditSettings.ROTATE, false),
                VmSettings.standard(folder),
                PoolSettings.NONE,
                written(folder, policy),
                folder.resolve("tools"),
                ProcessJobs.ANYBODY,
                new TreeMap<>());
        return new Cordon(config, new HostSurvey(config.ids(), config.runDirectory()), ignored -> backend);
    }

    /** The settings of this host, under the policy, with a state directory of its own. */
    static Config here(Path folder, String policy) throws IOException {
        Config here = Config.load();
        return new Config(
                here.defaults(),
                here.ceilings(),
                here.ids(),
                folder.resolve("state"),
                here.runDirectory(),
                here.audit(),
                here.vm(),
                here.pool(),
                written(folder, policy),
                here.tools(),
                here.processJobs(),
                here.settings());
    }

    private static Path written(Path folder, String policy) throws IOException {
        return Files.writeString(folder.resolve("policy.toml"), policy);
    }
}
