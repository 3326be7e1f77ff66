package dev.cordon.seccomp.read;

import static dev.cordon.seccomp.TestFilters.KILL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.filter.ArgumentComparison;
import dev.cordon.bindings.filter.ComparisonOperator;
import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.filter.FilterRule;
import dev.cordon.bindings.filter.FilterSpec;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.seccomp.ArgumentCube;
import dev.cordon.seccomp.ArgumentSamples;
import dev.cordon.seccomp.BpfInterpreter;
import dev.cordon.seccomp.CallPolicy;
import dev.cordon.seccomp.CompiledProfile;
import dev.cordon.seccomp.Profile;
import dev.cordon.seccomp.SystemCalls;
import dev.cordon.seccomp.TestFilters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * B-01 and B-02: the compiled filters of every shipped profile, over every system call and the arguments that its rules look at, against the
 * policy as it is written.
 */
class FilterMatrixTest {
    private static final int ABOVE_ALL = 600;

    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "jvm", "debug"})
    void filtersDoWhatIsWritten(String name) throws IOException {
        Profile profile = Profiles.named(name);
        WrittenPolicy written = new WrittenPolicy(TestFilters.shipped(name));
        CompiledProfile compiled = TestFilters.compiler().compile(profile);
        for (Map.Entry<String, Integer> call : SystemCalls.all().entrySet()) {
            int number = call.getValue();
            for (long[] sample : ArgumentSamples.of(profile.policy(number), number)) {
                assertThat(TestFilters.verdict(compiled, number, sample))
                        .as("%s%s", call.getKey(), Arrays.toString(sample))
                        .isEqualTo(written.verdict(call.getKey(), sample));
            }
        }
        for (int number = 0; number < ABOVE_ALL; number++) {
            if (SystemCalls.name(number).isEmpty()) {
                assertThat(TestFilters.verdict(compiled, number))
                        .as("number %d", number)
                        .isEqualTo(TestFilters.ENOSYS);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "jvm", "debug"})
    void rubbishAboveAnArgumentChangesNothing(String name) throws IOException {
        Profile profile = Profiles.named(name);
        CompiledProfile compiled = TestFilters.compiler().compile(profile);
        for (int number : SystemCalls.all().values()) {
            CallPolicy policy = profile.policy(number);
            if (policy.cases().isEmpty()) {
                continue;
            }
            for (long[] sample : ArgumentSamples.of(policy, number)) {
                FilterAction verdict = TestFilters.verdict(compiled, number, sample);
                for (int index = 0; index < ArgumentCube.ARGUMENTS; index++) {
                    int bits = ArgumentWidths.bits(number, index);
                    for (long rubbish :
                            bits == 64 ? new long[0] : new long[] {1L << bits, 1L << 32, 1L << 63, -1L << bits}) {
                        long[] widened = sample.clone();
                        widened[index] ^= rubbish;
                        assertThat(TestFilters.verdict(compiled, number, widened))
                                .as("%s%s", SystemCalls.name(number).orElseThrow(), Arrays.toString(widened))
                                .isEqualTo(verdict);
                    }
                }
            }
        }
    }

    /** B-03. */
    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "jvm", "debug"})
    void otherTablesKill(String name) throws IOException {
        CompiledProfile compiled = TestFilters.compiler().compile(Profiles.named(name));
        BpfInterpreter filter = new BpfInterpreter(compiled.initFilter());
        for (int number = 0; number < ABOVE_ALL; number++) {
            assertThat(filter.verdictOn(BpfInterpreter.I386, number)).isEqualTo(KILL);
            assertThat(filter.verdict(number | 0x40000000)).as("x32").isEqualTo(KILL);
        }
        assertThat(filter.verdictOn(0xc00000b7, 0)).as("aarch64").isEqualTo(KILL);
    }

    /**
     * The files are Docker's format not in name only: rules added to libseccomp one by one, as runc adds them, give the same filter but for
     * the tripwires, which need Cordon's supervisor.
     */
    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "jvm", "debug"})
    void runcWouldReadTheSame(String name) throws IOException {
        WrittenPolicy written = new WrittenPolicy(TestFilters.shipped(name));
        List<FilterRule> rules = new ArrayList<>();
        for (String call : SystemCalls.all().keySet()) {
            for (JsonNode entry : written.entries(call)) {
                rules.addAll(asRuncAdds(entry, SystemCalls.require(call)));
            }
        }
        BpfInterpreter filter = new BpfInterpreter(compile(rules));
        Profile profile = Profiles.named(name);
        for (int number : SystemCalls.all().values()) {
            for (long[] sample : ArgumentSamples.of(profile.policy(number), number)) {
                assertThat(filter.verdict(number, sample))
                        .as("%s%s", SystemCalls.name(number).orElseThrow(), Arrays.toString(sample))
                        .isEqualTo(profile.verdict(number, sample));
            }
        }
    }

    private static byte[] compile(List<FilterRule> rules) throws ErrnoException {
        return TestFilters.seccomp().compile(new FilterSpec(TestFilters.ENOSYS, KILL, rules));
    }

    private static List<FilterRule> asRuncAdds(JsonNode entry, int syscall) {
        FilterAction action = switch (entry.get("action").asString()) {
            case "SCMP_ACT_ALLOW" -> TestFilters.ALLOW;
            case "SCMP_ACT_NOTIFY" -> TestFilters.NOTIFY;
            default -> new FilterAction.Errno(entry.get("errnoRet").asInt());
        };
        List<ArgumentComparison> compares = new ArrayList<>();
        for (JsonNode arg : entry.path("args")) {
            ComparisonOperator operator =
                    ComparisonOperator.valueOf(arg.get("op").asString().substring("SCMP_CMP_".length()));
            compares.add(new ArgumentComparison(
                    arg.get("index").asInt(),
                    operator,
                    WrittenPolicy.number(arg.get("value")),
                    arg.has("valueTwo") ? WrittenPolicy.number(arg.get("valueTwo")) : 0));
        }
        long indexes =
                compares.stream().map(ArgumentComparison::index).distinct().count();
        if (indexes == compares.size()) {
            return List.of(new FilterRule(action, syscall, compares));
        }
        return compares.stream()
                .map(each -> new FilterRule(action, syscall, List.of(each)))
                .toList();
    }
}
