package dev.cordon.doctor;

import dev.cordon.cgroup.DetectionView;
import dev.cordon.vm.HostAcceleration;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks at a host and says what jobs can expect of it. It changes nothing; one jail that runs /bin/true is made on the way
 * and gone afterwards.
 */
public final class Doctor {

    private final HostFiles files;
    private final DetectionView view;
    private final String user;
    private final JobRunner runner;
    private final Optional<HostAcceleration.Verdict> acceleration;
    private final DiskRoom room;

    /**
     * Examines this machine.
     *
     * @param runner makes the trial jail
     * @param state  where Cordon keeps what outlives a restart, such as what it found out of this host
     */
    public static Doctor ofThisHost(JobRunner runner, Path state) {
        return new Doctor(
                new HostFiles(Path.of("/")),
                DetectionView.real(),
                System.getProperty("user.name", "nobody"),
                runner,
                HostAcceleration.known(state.resolve("vm")),
                DiskRoom.of(state));
    }

    Doctor(
            HostFiles files,
            DetectionView view,
            String user,
            JobRunner runner,
            Optional<HostAcceleration.Verdict> acceleration,
            DiskRoom room) {
        this.files = files;
        this.view = view;
        this.user = user;
        this.runner = runner;
        this.acceleration = acceleration;
        this.room = room;
    }

    /** Runs every check. */
    public HostDiagnosis run() {
        TrialJob trial = TrialJob.of(runner);
        IdMapChecks ids = new IdMapChecks(files, user);
        NamespaceChecks namespaces = new NamespaceChecks(files, trial, ids.root());
        List<HostCheck> checks = new ArrayList<>(RuntimeChecks.run());
        checks.addAll(new KernelChecks(files, trial, RuntimeChecks.landlockAbi()).run());
        checks.add(namespaces.userNamespaces());
        checks.add(ids.check());
        checks.add(namespaces.procMount());
        checks.add(jail(trial));
        checks.addAll(new CgroupChecks(files, view, trial).run());
        checks.addAll(VmChecks.run(files, acceleration));
        checks.addAll(new OperationChecks(files, room, Instant.now()).run());
        checks.addAll(HardeningChecks.run(files));
        return new HostDiagnosis(checks);
    }

    private static HostCheck jail(TrialJob trial) {
        CheckSubject subject = new CheckSubject(
                "jail", "the proof of all layers together: a jail that runs /bin/true from start to end");
        return switch (trial) {
            case TrialJob.Worked ignored -> subject.pass("/bin/true ran in a jail");
            case TrialJob.Failed failed -> subject.fail(failed.message(), failed.remedy());
            case TrialJob.Busy busy ->
                subject.warn("not tried, for now: " + busy.reason(), "look again when less is running");
            case TrialJob.NotMade notMade -> subject.fail("not tried: " + notMade.reason(), notMade.remedy());
        };
    }
}
