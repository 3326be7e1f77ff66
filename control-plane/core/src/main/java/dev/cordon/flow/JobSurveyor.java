package dev.cordon.flow;

import dev.cordon.config.ProcessJobs;
import dev.cordon.engine.Backend;
import dev.cordon.engine.SandboxException;
import dev.cordon.job.Command;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Isolation;
import dev.cordon.job.JobSpec;
import dev.cordon.plan.facts.HostUnsupportedException;
import dev.cordon.plan.facts.HostView;
import dev.cordon.plan.host.HostSurvey;
import dev.cordon.plan.host.MachineSurvey;
import java.util.List;

/**
 * Looks at what the host offers to a job: its own files, images, virtual machines. The engine is opened when a job needs the last two.
 *
 * @param host        the host itself
 * @param processJobs who may have the isolation level process
 * @param engine      opens the engine
 */
public record JobSurveyor(HostSurvey host, ProcessJobs processJobs, Engine engine) {
    /** Opens the engine, or gives the one that is open. */
    @FunctionalInterface
    public interface Engine {
        Backend get() throws SandboxException;
    }

    /**
     * For a job with a sandbox of its own. May take minutes, when an image is built or acceleration is tried.
     *
     * @throws HostUnsupportedException when the host cannot give what the job needs
     */
    public HostView survey(JobSpec job, Isolation level) throws HostUnsupportedException {
        return survey(job, level, false);
    }

    /**
     * For a plan that nobody carries out: nothing is built or tried, and what is not there yet is told as it is expected to be.
     *
     * @throws HostUnsupportedException when the host cannot give what the job needs
     */
    public HostView look(JobSpec job, Isolation level) throws HostUnsupportedException {
        return survey(job, level, true);
    }

    private HostView survey(JobSpec job, Isolation level, boolean onlyLooking) throws HostUnsupportedException {
        HostView view = HostView.of(host.facts(job), host.openFiles());
        String image = job.containment().image();
        return switch (level) {
            case JAIL ->
                image == null ? view : view.withRoot(machines(onlyLooking).image(image));
            case VM -> view.withMachines(machines(onlyLooking).facts(job));
            case PROCESS -> {
                refuseOwnUser(view);
                yield view;
            }
        };
    }

    private void refuseOwnUser(HostView view) throws HostUnsupportedException {
        if (!view.host().root() && processJobs == ProcessJobs.BY_RULE) {
            throw new HostUnsupportedException(
                    "isolation process: the job would run as the service's own user and could do whatever the service"
                            + " may",
                    "ask for jail; or run the service as root, where such jobs have a user of their own; or set"
                            + " server.process_jobs_as_service_user = true, which lets them do as the service");
        }
    }

    /**
     * A job with the command that its image asks for, where it brings none. This is known before anybody judges the job: an image whose
     * command is not allowed is refused like that command.
     *
     * @throws InvalidJob               when the image asks for none
     * @throws HostUnsupportedException when nothing can be known of the image
     */
    public JobSpec withCommand(JobSpec job) throws HostUnsupportedException {
        String image = job.containment().image();
        if (!(job.command() instanceof Command.OfImage) || image == null) {
            return job;
        }
        List<String> argv = machines(false).command(image);
        if (argv.isEmpty()) {
            throw new InvalidJob(List.of(new FieldError(
                    "/argv",
                    "",
                    "is missing, and the image " + image + " has no command of its own",
                    "give a command")));
        }
        return job.running(new Command.Argv(argv));
    }

    /** For a command in a sandbox that stands. */
    public HostView surveyCommand(JobSpec command) {
        return HostView.of(host.commandFacts(command), host.openFiles());
    }

    private MachineSurvey machines(boolean onlyLooking) throws HostUnsupportedException {
        try {
            MachineSurvey machines = engine.get().machines();
            return onlyLooking ? machines.looking() : machines;
        } catch (SandboxException e) {
            throw new HostUnsupportedException(
                    "vm isolation: " + e.getMessage(),
                    "run 'cordon doctor'",
                    e.outcome().fault());
        }
    }
}
