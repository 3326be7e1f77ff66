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

    /** The settings of this host, under the policy. */
    static Config here(Path folder, String policy) throws IOException {
        return Config.load().withPolicy(written(folder, policy));
    }

    private static Path written(Path folder, String policy) throws IOException {
        return Files.writeString(folder.resolve("policy.toml"), policy);
    }
}
