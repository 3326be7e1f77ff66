package dev.cordon.plan.planner;

import dev.cordon.job.Command;
import dev.cordon.job.FieldError;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Mount;
import dev.cordon.job.ProfileRef;
import dev.cordon.job.Stdin;
import dev.cordon.plan.HostIds;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The host's side of a job's paths: is it there, may it be shown, may it be written. */
final class SourceCheck {
    private static final List<String> HIDDEN = List.of("/proc", "/sys", "/dev");

    /** A read-only mount does not keep a job from connecting to a socket in it. */
    private static final String SERVICES = "/run";

    private final JobSpec job;
    private final HostFacts facts;
    private final List<FieldError> errors = new ArrayList<>();

    SourceCheck(JobSpec job, HostFacts facts) {
        this.job = job;
        this.facts = facts;
    }

    List<FieldError> errors() {
        return errors;
    }

    void files() {
        if (job.command() instanceof Command.Script script && isFile("/file", script.file())) {
            long size = facts.source(script.file()).bytes();
            if (size > job.limits().disk().bytes()) {
                error(
                        "/file",
                        script.file(),
                        "is larger than the disk limit of " + job.limits().disk(),
                        "raise the limit");
            }
        }
        if (job.io().stdin() instanceof Stdin.FromFile stdin) {
            isFile("/stdin", stdin.file());
        }
        if (job.containment().profile() instanceof ProfileRef.FromFile profile) {
            isFile("/profile", profile.file());
        }
    }

    private boolean isFile(String pointer, Path path) {
        HostSource source = facts.source(path);
        switch (source.kind()) {
            case FILE -> {
                return true;
            }
            case MISSING -> error(pointer, path, "does not exist or may not be looked at", "name an existing file");
            case DIRECTORY, OTHER -> error(pointer, path, "is not a regular file", "name a regular file");
        }
        return false;
    }

    /** Whether every mount's source may be shown; writable ones are judged by {@link #writable}, too. */
    void mounts(HostIds ids) {
        for (int i = 0; i < job.containment().mounts().size(); i++) {
            Mount mount = job.containment().mounts().get(i);
            String pointer = "/mounts/" + i + "/source";
            HostSource source = facts.source(mount.source());
            if (shown(pointer, mount, source)) {
                if (mount.writable()) {
                    writable(pointer, mount, source);
                } else if (!readable(ids, source)) {
                    error(
                            pointer,
                            mount.source(),
                            "cannot be read by the job, which owns nothing on the host (mode " + octal(source.mode())
                                    + ")",
                            "allow others to read it (chmod o+rX), or pass its content as a file of the job");
                }
            }
        }
    }

    private boolean shown(String pointer, Mount mount, HostSource source) {
        String real = source.realPath().toString();
        if (source.kind() == HostSource.Kind.MISSING) {
            error(
                    pointer,
                    mount.source(),
                    "does not exist or may not be looked at",
                    "name an existing file or directory");
        } else if (source.kind() == HostSource.Kind.OTHER) {
            error(pointer, mount.source(), "is a device, socket or pipe", "mount regular files and directories only");
        } else if (real.equals("/") || HIDDEN.stream().anyMatch(hidden -> RootLayout.isBelow(real, hidden))) {
            error(pointer, mount.source(), "would show the host's own kernel interfaces", "mount a directory of data");
        } else if (RootLayout.isBelow(real, SERVICES)) {
            error(
                    pointer,
                    mount.source(),
                    "would show the sockets of the host's services",
                    "mount a directory of data");
        } else if (source.kernelMount() != null) {
            error(
                    pointer,
                    mount.source(),
                    "would show the host's own kernel interfaces, mounted on " + source.kernelMount(),
                    "unmount that, or mount the directories beside it");
        } else {
            return true;
        }
        return false;
    }

    private static boolean readable(HostIds ids, HostSource source) {
        return switch (ids) {
            case HostIds.Slot ignored -> source.openToOthers();
            case HostIds.Subordinate ignored -> source.openToOthers();
            // The caller's own rights hold, whatever they are; the kernel decides at the time.
            case HostIds.Caller ignored -> true;
            case HostIds.Owner owner -> owner.uid() == source.uid() || source.openToOthers();
        };
    }

    /** Through a live directory a job could leave a setuid file on the host: nobody but its owner may reach it, and never as root. */
    private void writable(String pointer, Mount mount, HostSource source) {
        if (source.kind() != HostSource.Kind.DIRECTORY) {
            error(pointer, mount.source(), "is not a directory", "mount the directory that holds it");
            return;
        }
        if (source.uid() == 0 || source.gid() == 0) {
            error(
                    pointer,
                    mount.source(),
                    "belongs to the host's root (" + source.uid() + ":" + source.gid() + ")",
                    "give it to an ordinary user and group: chown -R USER:GROUP " + source.realPath());
        } else if (!facts.root() && source.uid() != facts.uid()) {
            error(
                    pointer,
                    mount.source(),
                    "belongs to another user (uid " + source.uid() + ")",
                    "use a directory of your own");
        }
        if (!source.privateAbove()) {
            error(
                    pointer,
                    mount.source(),
                    "is not below a directory of mode 0700, so other users could run what the job leaves there",
                    "chmod 0700 the directory above it, or move it below one");
        }
    }

    private void error(String pointer, Path path, String rule, String remedy) {
        errors.add(new FieldError(pointer, path.toString(), rule, remedy));
    }

    void error(String pointer, String value, String rule, String remedy) {
        errors.add(new FieldError(pointer, value, rule, remedy));
    }

    private static String octal(int mode) {
        return "0" + Integer.toOctalString(mode);
    }
}
