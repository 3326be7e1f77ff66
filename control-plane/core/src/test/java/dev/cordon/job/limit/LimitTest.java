package dev.cordon.job.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Job;
import dev.cordon.job.JobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** THREATS.md D-12: no spelling of a limit means "unlimited". */
class LimitTest {
    private static final List<String> ABSURD = List.of(
            "0",
            "-1",
            "NaN",
            "Infinity",
            "1e308",
            "1e3",
            "9223372036854775808",
            "18446744073709551615",
            "",
            " ",
            "null",
            "unlimited",
            "max",
            "0s",
            "0M",
            "-1s",
            "-1M",
            "00",
            "0.0",
            "1" + "0".repeat(400));

    static Stream<Arguments> everyLimitWithEveryAbsurdity() {
        return Stream.of(Limit.values()).flatMap(limit -> ABSURD.stream().map(text -> Arguments.of(limit, text)));
    }

    @ParameterizedTest
    @MethodSource("everyLimitWithEveryAbsurdity")
    void everyAbsurdAmountIsAnErrorThatNamesTheField(Limit limit, String text) {
        Job job = Job.argv("true").limit(limit, text);
        assertThatThrownBy(job::validate)
                .isInstanceOfSatisfying(
                        InvalidJob.class,
                        invalid -> assertThat(invalid.errors()).singleElement().satisfies(error -> {
                            assertThat(error.pointer()).isEqualTo("/limits/" + limit.key());
                            assertThat(error.rule()).isNotBlank();
                            assertThat(error.remedy()).contains(limit.show(limit.most()));
                        }));
    }

    static Stream<Arguments> typedAbsurdities() {
        return Stream.<Map.Entry<Limit, UnaryOperator<Job>>>of(
                        Map.entry(Limit.TIMEOUT, job -> job.timeout(Duration.ZERO)),
                        Map.entry(Limit.TIMEOUT, job -> job.timeout(Duration.ofSeconds(-1))),
                        Map.entry(Limit.TIMEOUT, job -> job.timeout(Duration.ofSeconds(Long.MAX_VALUE))),
                        Map.entry(Limit.TIMEOUT, job -> job.timeout(Duration.ofSeconds(Long.MIN_VALUE + 1))),
                        Map.entry(Limit.CPU_TIME, job -> job.cpuTime(Duration.ZERO)),
                        Map.entry(Limit.CPU_TIME, job -> job.cpuTime(Duration.ofNanos(1))),
                        Map.entry(Limit.MEMORY, job -> job.memory(ByteSize.bytes(0))),
                        Map.entry(Limit.MEMORY, job -> job.memory(ByteSize.bytes(Long.MAX_VALUE))),
                        Map.entry(Limit.CPUS, job -> job.cpus(0)),
                        Map.entry(Limit.CPUS, job -> job.cpus(-1)),
                        Map.entry(Limit.CPUS, job -> job.cpus(Double.NaN)),
                        Map.entry(Limit.CPUS, job -> job.cpus(Double.POSITIVE_INFINITY)),
                        Map.entry(Limit.CPUS, job -> job.cpus(1e308)),
                        Map.entry(Limit.CPUS, job -> job.cpus(Double.MIN_VALUE)),
                        Map.entry(Limit.PIDS, job -> job.pids(0)),
                        Map.entry(Limit.PIDS, job -> job.pids(-1)),
                        Map.entry(Limit.PIDS, job -> job.pids(Long.MAX_VALUE)),
                        Map.entry(Limit.DISK, job -> job.disk(ByteSize.bytes(0))),
                        Map.entry(Limit.FILES, job -> job.files(0)),
                        Map.entry(Limit.FILES, job -> job.files(Long.MIN_VALUE)),
                        Map.entry(Limit.FILE_SIZE, job -> job.fileSize(ByteSize.bytes(0))),
                        Map.entry(Limit.OPEN_FILES, job -> job.openFiles(0)),
                        Map.entry(Limit.OPEN_FILES, job -> job.openFiles(-1)),
                        Map.entry(Limit.OUTPUT, job -> job.output(ByteSize.bytes(0))),
                        Map.entry(Limit.ADDRESS_SPACE, job -> job.addressSpace(ByteSize.bytes(0))),
                        Map.entry(Limit.READ_RATE, job -> job.readRate(ByteSize.bytes(0))),
                        Map.entry(Limit.WRITE_RATE, job -> job.writeRate(ByteSize.bytes(1))),
                        Map.entry(Limit.READ_OPERATIONS, job -> job.readOperations(0)),
                        Map.entry(Limit.WRITE_OPERATIONS, job -> job.writeOperations(-1)))
                .map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }

    @ParameterizedTest
    @MethodSource("typedAbsurdities")
    void theTypedBuilderRefusesTheSame(Limit limit, UnaryOperator<Job> change) {
        assertThatThrownBy(() -> change.apply(Job.argv("true")).validate())
                .isInstanceOfSatisfying(
                        InvalidJob.class,
                        invalid -> assertThat(invalid.errors())
                                .extracting(FieldError::pointer)
                                .containsExactly(limit.pointer()));
    }

    @ParameterizedTest
    @EnumSource(Limit.class)
    void theEndsOfTheRangeAreAllowedAndTheirNeighboursAreNot(Limit limit) {
        assertThat(limit.parse(limit.show(limit.least()))).isEqualTo(limit.least());
        assertThat(limit.parse(limit.show(limit.most()))).isEqualTo(limit.most());
        assertThatThrownBy(() -> limit.check(limit.least() - 1)).hasMessageContaining(limit.key());
        assertThatThrownBy(() -> limit.check(limit.most() + 1)).hasMessageContaining(limit.show(limit.most()));
    }

    @Test
    void missingLimitsAreTheDocumentedDefaults() {
        Limits limits = Job.argv("true").validate().limits();
        assertThat(limits)
                .isEqualTo(new Limits(
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(30),
                        ByteSize.mib(512),
                        1,
                        256,
                        ByteSize.mib(160),
                        32_768,
                        ByteSize.mib(160),
                        1024,
                        ByteSize.mib(1),
                        null,
                        IoRates.none()));
        assertThat(limits).isEqualTo(Limits.defaults());
    }

    @Test
    void theLargestFileFollowsTheDiskLimitUnlessItIsAskedFor() {
        assertThat(Job.argv("true").disk(ByteSize.mib(7)).validate().limits().fileSize())
                .isEqualTo(ByteSize.mib(7));
        assertThat(Job.argv("true")
                        .disk(ByteSize.mib(7))
                        .fileSize(ByteSize.mib(1))
                        .validate()
                        .limits()
                        .fileSize())
                .isEqualTo(ByteSize.mib(1));
    }

    @Test
    void theDefaultsOfTheWritableTreesFitIntoTheDefaultMemory() {
        Limits limits = Limits.defaults();
        assertThat(3 * limits.disk().bytes()).isLessThan(limits.memory().bytes());
    }

    @Test
    void operatorsDefaultsStandInForWhatIsNotAskedFor() {
        Map<Limit, Long> defaults = Map.of(Limit.MEMORY, 64L << 20, Limit.CPUS, 500_000L);
        JobSpec spec = Job.argv("true").cpus(2).validate(defaults);
        assertThat(spec.limits().memory()).isEqualTo(ByteSize.mib(64));
        assertThat(spec.limits().cpus()).isEqualTo(2.0);
        assertThat(spec.asked()).containsExactly(Limit.CPUS);
    }

    @Test
    void amountsAndLimitsAreTheSame() {
        Limits limits = Job.argv("true")
                .cpus(0.25)
                .addressSpace(ByteSize.gib(1))
                .readRate(ByteSize.mib(1))
                .writeRate(ByteSize.mib(2))
                .readOperations(3)
                .writeOperations(4)
                .validate()
                .limits();
        assertThat(Limits.of(limits.amounts())).isEqualTo(limits);
    }
}
