package dev.cordon.host;

import dev.cordon.cgroup.HostView;
import dev.cordon.vm.Acceleration;
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
    private final HostView view;
    private final String user;
    private final JobRunner runner;
    private final Optional<Acceleration.Verdict> acceleration;
    private final Room room;

    /**
     * Examines this machine.
     *
     * @param runner makes the trial jail
     * @param state  where Cordon keeps what outlives a restart, such as what it found out of this host
     */
    public static Doctor ofThisHost(JobRunner runner, Path state) {
        return new Doctor(
                new HostFiles(Path.of("/")),
                HostView.real(),
                System.getProperty("user.name", "nobody"),
                runner,
                Acceleration.known(state.resolve("vm")),
                Room.of(state));
    }

    Doctor(
            HostFiles files,
            HostView view,
            String user,
            JobRunner runner,
            Optional<Acceleration.Verdict> acceleration,
            Room room) {
        this.files = files;
        this.view = view;
        this.user = user;
        this.runner = runner;
        this.acceleration = acceleration;
        this.room = room;
    }

    /** Runs every check. */
    public Diagnosis run() {
        Trial trial = Trial.of(runner);
        IdMaps ids = new IdMaps(files, user);
        NamespaceChecks namespaces = new NamespaceChecks(files, trial, ids.root());
        List<Check> checks = new ArrayList<>(RuntimeChecks.run());
        checks.addAll(new KernelChecks(files, trial, RuntimeChecks.landlockAbi()).run());
        checks.add(namespaces.userNamespaces());
        checks.add(ids.check());
        checks.add(namespaces.procMount());
        checks.add(jail(trial));
        checks.addAll(new CgroupChecks(files, view, trial).run());
        checks.addAll(VmChecks.run(files, acceleration));
        checks.addAll(new OperationChecks(files, room, Instant.now()).run());
        checks.addAll(HardeningChecks.run(files));
        return new Diagnosis(checks);
    }

    private static Check jail(Trial trial) {
        String why = "the proof of all layers together: a jail that runs /bin/true from start to end";
        return switch (trial) {
            case Trial.Worked ignored -> Check.pass("jail", "/bin/true ran in a jail", why);
            case Trial.Failed failed -> Check.fail("jail", failed.message(), why, failed.remedy());
            case Trial.Busy busy ->
                Check.warn("jail", "not tried, for now: " + busy.reason(), why, "look again when less is running");
            case Trial.NotMade notMade -> Check.fail("jail", "not tried: " + notMade.reason(), why, notMade.remedy());
        };
    }
}
