package dev.cordon;

import dev.cordon.config.AuditSettings;
import dev.cordon.config.Config;
import dev.cordon.config.IdRange;
import dev.cordon.engine.Backend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Opens a Cordon under a policy that a test writes. The caller closes it. */
public final class PolicedCordon {
    private PolicedCordon() {}

    /** Its audit log is below the folder, in {@code audit}. */
    public static Cordon onFake(Path folder, String policy, Backend backend) throws IOException {
        Config config = new Config(Map.of(), Map.of(), new IdRange(5000, 10), folder, folder, new TreeMap<>())
                .withAudit(new AuditSettings(true, folder.resolve("audit"), AuditSettings.ROTATE, false))
                .withPolicy(written(folder, policy));
        return EnginedCordon.unsurveyed(config, () -> backend);
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
                        here.settings())
                .withAudit(here.audit())
                .withVm(here.vm())
                .withPool(here.pool())
                .withPolicy(written(folder, policy))
                .withTools(here.tools())
                .withProcessJobs(here.processJobs());
    }

    private static Path written(Path folder, String policy) throws IOException {
        return Files.writeString(folder.resolve("policy.toml"), policy);
    }
}
