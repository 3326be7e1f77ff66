package dev.cordon.cgroup;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name under which everything of a job lies on disk: its cgroups and its work directory. It tells the sweep whose
 * it was.
 *
 * @param owner the control plane that made it
 * @param slot the uid slot of the sandbox, or any number that tells the owner's sandboxes apart
 * @param job the job's id
 */
public record JobName(ControlPlaneName owner, int slot, String job) {

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,80}");
    private static final Pattern NAME = Pattern.compile(
            "([0-9a-f]{8})-([0-9]{1,18})-([0-9]{1,18})-([0-9]{1,18})-([0-9]{1,9})-(" + ID.pattern() + ")");

    /** Refuses what would not be one plain file name. */
    public JobName {
        if (slot < 0) {
            throw new IllegalArgumentException("slot: " + slot + " is negative");
        }
        if (!ID.matcher(job).matches()) {
            throw new IllegalArgumentException("job: an id is " + ID.pattern() + ", not " + job);
        }
    }

    /** Reads a name back; empty when it is none of ours. */
    public static Optional<JobName> parse(String name) {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches() || Long.parseLong(parts.group(3)) < 1) {
            return Optional.empty();
        }
        ControlPlaneName owner = new ControlPlaneName(
                parts.group(1),
                Long.parseLong(parts.group(2)),
                Long.parseLong(parts.group(3)),
                Long.parseLong(parts.group(4)));
        return Optional.of(new JobName(owner, Integer.parseInt(parts.group(5)), parts.group(6)));
    }

    /** The file name: boot id, pid namespace, process id and start time of the owner, slot, job. */
    public String fileName() {
        return String.join(
                "-",
                owner.boot(),
                Long.toString(owner.pidNamespace()),
                Long.toString(owner.pid()),
                Long.toString(owner.startTicks()),
                Integer.toString(slot),
                job);
    }
}
