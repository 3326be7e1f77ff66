package dev.cordon.server.route;

import dev.cordon.Cordon;
import dev.cordon.config.Config;
import dev.cordon.config.InvalidConfig;
import dev.cordon.config.setting.SettingValue;
import dev.cordon.policy.file.InvalidPolicy;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import dev.cordon.tool.InvalidTool;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the operator's files again. The policy, the tools and the files with tokens are replaced, each as a whole or not at all; what else
 * has changed in the settings is only named, because jobs that run were judged and limited by what held at the start.
 */
public record FilesReload(Cordon cordon, Config held, Supplier<Config> again, FilesReload.TokenFiles tokens) {
    /** Reads the operator's tokens again. */
    @FunctionalInterface
    public interface TokenFiles {
        void read() throws IOException;
    }

    /**
     * How it went.
     *
     * @param tools         how many there are now
     * @param restartNeeded the keys that are set otherwise than at the start
     */
    record Outcome(int tools, List<String> restartNeeded) {}

    /** @throws RequestProblem when something is invalid: it stays as it was */
    Outcome now() {
        try {
            tokens.read(); // first: who takes a token away is not to fail by another file
            Config fresh = again.get();
            cordon.reloadPolicy();
            cordon.reloadTools();
            Set<String> changed = changed(held.settings(), fresh.settings());
            if (!Objects.equals(held.policyFile(), fresh.policyFile())) {
                changed.add("policy.file"); // also when nothing is set and the usual file has come or gone
            }
            return new Outcome(cordon.tools().list().size(), List.copyOf(changed));
        } catch (InvalidConfig e) {
            throw RequestProblem.of(
                    ProblemCode.STATE_CONFLICT, "the settings stay as they were: " + String.join("; ", e.errors()));
        } catch (IOException e) {
            throw RequestProblem.of(ProblemCode.STATE_CONFLICT, "the tokens stay as they were: " + e.getMessage());
        } catch (InvalidPolicy e) {
            throw RequestProblem.of(
                    ProblemCode.STATE_CONFLICT, "the policy stays as it was: " + String.join("; ", e.errors()));
        } catch (InvalidTool e) {
            throw RequestProblem.of(
                    ProblemCode.STATE_CONFLICT, "the tools stay as they were: " + String.join("; ", e.errors()));
        }
    }

    private static Set<String> changed(Map<String, SettingValue> before, Map<String, SettingValue> after) {
        Set<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        keys.removeIf(key -> Objects.equals(text(before.get(key)), text(after.get(key))));
        return keys;
    }

    private static @Nullable String text(@Nullable SettingValue value) {
        return value == null ? null : value.text();
    }
}
