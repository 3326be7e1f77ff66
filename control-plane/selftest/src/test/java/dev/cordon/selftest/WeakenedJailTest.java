package dev.cordon.selftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cordon.Cordon;
import dev.cordon.WeakenedCordon;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.wire.SetupStage;
import dev.cordon.bindings.wire.plan.FaultAction;
import dev.cordon.bindings.wire.plan.InjectedFault;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.plan.RootStep;
import dev.cordon.plan.SandboxPlan;
import dev.cordon.selftest.rig.ProbeVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The suite can fail: a jail that lacks a layer is found out by the probes of that layer, and by those alone that are asked. */
@Tag("jail")
@Tag("asUser")
final class WeakenedJailTest {
    /** Depends on nothing that is taken away here. */
    private static final String WITNESS = "E-02";

    @Test
    void withoutTheFilter(@TempDir Path directory) throws Exception {
        Path profile = everything(directory);
        Set<String> filtered = Set.of(
                "A-08", "A-09", "B-01", "B-02", "B-04", "B-05", "B-06", "B-07", "B-08", "B-09", "B-10", "B-13", "B-14",
                "B-15", "B-16", "E-05");
        assertEscapes(WeakenedCordon.unfiltered(jail(plan -> withProfile(plan, profile))), filtered);
    }

    /** A profile of one's own can give away calls that default refuses, but none of what the other probes of the filter try. */
    @Test
    void withAProfileThatAllowsEverything(@TempDir Path directory) throws Exception {
        Path profile = everything(directory);
        assertEscapes(
                WeakenedCordon.changing(jail(plan -> withProfile(plan, profile))),
                Set.of("B-01", "B-02", "B-07", "B-08", "B-09", "B-10", "B-13"),
                Set.of("A-08", "A-09", "B-03", "B-04", "B-05", "B-06", "B-12", "B-14", "B-15", "E-05"));
    }

    private static Path everything(Path directory) throws IOException {
        return Files.writeString(
                directory.resolve("everything.json"),
                "{\"defaultAction\": \"SCMP_ACT_ALLOW\", \"architectures\": [\"SCMP_ARCH_X86_64\"], \"syscalls\": []}");
    }

    @Test
    void withCapabilitiesKept() throws Exception {
        assertEscapes(WeakenedCordon.without(skipped(SetupStage.CAPABILITIES)), Set.of("A-06"));
    }

    @Test
    void withProcUnmasked() throws Exception {
        UnaryOperator<SandboxPlan> unmasked = jail(plan -> withOperations(
                plan,
                plan.operations().stream()
                        .filter(op -> !(op instanceof RootStep.Mask || op instanceof RootStep.ReadOnly))));
        assertEscapes(WeakenedCordon.changing(unmasked), Set.of("A-11", "C-01", "E-04", "E-09"));
    }

    /** The hierarchies of the host, which other jobs have their groups in. */
    @Test
    void withTheHostsControlGroups() throws Exception {
        UnaryOperator<SandboxPlan> whole = jail(plan -> withOperations(
                plan,
                plan.operations().stream()
                        .map(op ->
                                op instanceof RootStep.Cgroups ? new RootStep.Bind(op.path(), op.path(), false) : op)));
        assertEscapes(WeakenedCordon.changing(whole), Set.of("C-13"));
    }

    /** All of /sys instead of the copies that are made for jobs. */
    @Test
    void withTheHostsSys() throws Exception {
        UnaryOperator<SandboxPlan> whole = jail(plan -> withOperations(
                plan,
                plan.operations().stream()
                        .filter(op -> !(op instanceof RootStep.Cgroups))
                        .map(op -> op.path().equals("/sys") && op instanceof RootStep.Bind
                                ? new RootStep.Bind("/sys", "/sys", false)
                                : op)));
        assertEscapes(WeakenedCordon.changing(whole), Set.of("E-10"));
    }

    /** A plan that binds what it shows: everybody who opens or locks the files of the host is met. */
    @Test
    void withTheHostsInodes() throws Exception {
        UnaryOperator<SandboxPlan> bound = jail(plan -> withOperations(
                plan,
                plan.operations().stream()
                        .map(op -> op instanceof RootStep.Bind bind
                                ? new RootStep.Bind(bind.path(), bind.source(), bind.writable())
                                : op)));
        assertEscapes(WeakenedCordon.changing(bound), Set.of("E-03", "E-07", "E-09", "E-10"));
    }

    /** Locks still meet; the results say so. Watches are refused. */
    @Test
    void onAKernelThatMakesNoOverlays() throws Exception {
        assertEscapes(
                WeakenedCordon.without(new InjectedFault(SetupStage.MOUNTS, FaultAction.PLAIN)),
                Set.of("E-03", "E-09"),
                Set.of("E-07", "E-10"));
    }

    @Test
    void withADescriptorLeaked() throws Exception {
        assertEscapes(WeakenedCordon.without(skipped(SetupStage.STDIO)), Set.of("A-01"));
    }

    /** As root the change of uids alone makes init unreadable, so that nothing depends on this step. */
    @Test
    void withInitDumpable() throws Exception {
        boolean root = NativeParts.load().kernel().geteuid() == 0;
        assertEscapes(WeakenedCordon.without(skipped(SetupStage.DUMPABLE)), root ? Set.of() : Set.of("A-03", "A-04"));
    }

    @Test
    void withOneDeviceMore() throws Exception {
        UnaryOperator<SandboxPlan> more = jail(plan -> withOperations(
                plan,
                plan.operations().stream()
                        .flatMap(op -> op instanceof RootStep.Device device
                                        && device.path().endsWith("/null")
                                ? Stream.of(op, new RootStep.Device("/dev/kmsg", "/dev/kmsg"))
                                : Stream.of(op))));
        assumeTrue(Files.exists(Path.of("/dev/kmsg")), "this host has no /dev/kmsg");
        assertEscapes(WeakenedCordon.changing(more), Set.of("C-08"));
    }

    @Test
    void withALargerDisk() throws Exception {
        UnaryOperator<SandboxPlan> larger = jail(plan -> withOperations(
                plan,
                plan.operations().stream()
                        .map(op -> op instanceof RootStep.Tmpfs tmpfs
                                ? new RootStep.Tmpfs(tmpfs.path(), tmpfs.mode(), ByteSize.mib(64), 100_000)
                                : op)));
        assertEscapes(WeakenedCordon.changing(larger), Set.of("C-10"));
    }

    private static InjectedFault skipped(SetupStage stage) {
        return new InjectedFault(stage, FaultAction.SKIP);
    }

    /** Every one of these escapes, for a reason; the witness does not, so the jail stands otherwise. */
    private static void assertEscapes(Cordon weakened, Set<String> expected) throws IOException, InterruptedException {
        assertEscapes(weakened, expected, Set.of());
    }

    /** Every one of the expected escapes, and none of those that are held. */
    private static void assertEscapes(Cordon weakened, Set<String> expected, Set<String> held)
            throws IOException, InterruptedException {
        Set<String> asked =
                Stream.of(expected, held, Set.of(WITNESS)).flatMap(Set::stream).collect(Collectors.toSet());
        SelftestReport report;
        try (weakened) {
            report = Selftest.run(weakened, SelftestOptions.only(asked), probe -> {});
        }
        List<ProbeReport> escaped = report.probes().stream()
                .filter(probe -> probe.verdict() == ProbeVerdict.ESCAPED)
                .toList();
        assertThat(escaped.stream().map(ProbeReport::id))
                .as("%s", escaped)
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(escaped).noneMatch(probe -> probe.detail().startsWith("proves nothing"));
    }

    private static UnaryOperator<SandboxPlan> jail(UnaryOperator<SandboxPlan> change) {
        return plan -> plan.jail() ? change.apply(plan) : plan;
    }

    private static SandboxPlan withProfile(SandboxPlan plan, Path profile) {
        return copy(plan, plan.operations(), new ProfileRef.FromFile(profile));
    }

    private static SandboxPlan withOperations(SandboxPlan plan, Stream<RootStep> operations) {
        return copy(plan, operations.toList(), plan.profile());
    }

    private static SandboxPlan copy(SandboxPlan plan, List<RootStep> operations, ProfileRef profile) {
        return new SandboxPlan(
                plan.id(),
                plan.tier(),
                plan.ids(),
                plan.setup(),
                operations,
                profile,
                plan.limits(),
                plan.asked(),
                plan.rlimitsWithoutCgroup(),
                plan.strict(),
                plan.macLabel(),
                plan.defaults(),
                plan.remarks());
    }
}
