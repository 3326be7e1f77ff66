package dev.cordon.policy.rule;

import dev.cordon.job.Command;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Language;
import dev.cordon.job.Mount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What jobs may execute and see of the host. Null allows everything.
 *
 * @param commands programs, by name or by path. A name without a slash allows a program that was found through the jail's PATH under it;
 *                 a path allows the program that is there on the host after all links, none of an image. What an allowed program starts itself is not looked at.
 * @param read     directories of the host whose files may be shown to jobs, after all links
 * @param write    directories of the host that jobs may change, after all links; they may be read, too
 */
public record AllowLists(
        @Nullable List<String> commands,
        @Nullable List<Path> read,
        @Nullable List<Path> write) {
    /** No lists. */
    public static final AllowLists ALL = new AllowLists(null, null, null);

    /** Copies the lists. */
    public AllowLists {
        commands = commands == null ? null : List.copyOf(commands);
        read = read == null ? null : List.copyOf(read);
        write = write == null ? null : List.copyOf(write);
    }

    List<String> refusals(JobSpec job, JobFacts facts) {
        List<String> refusals = new ArrayList<>();
        if (commands != null) {
            searchPath(job, refusals);
            switch (job.command()) {
                case Command.None _ -> {}
                case Command.OfImage _ -> refusals.add("command: nobody has looked up the image's own command");
                case Command.Argv argv -> command(argv.argv().getFirst(), facts.program(), commands, refusals);
                case Command.Code code -> interpreter(code.language(), commands, refusals);
                case Command.Script script -> interpreter(script.language(), commands, refusals);
            }
            shadows(job, facts.program(), refusals);
        }
        for (Mount mount : job.containment().mounts()) {
            file(mount, facts.mounts().getOrDefault(mount.source(), mount.source()), refusals);
        }
        return refusals;
    }

    private static void interpreter(Language language, List<String> allowed, List<String> refusals) {
        String program = language.interpreter().getFirst();
        if (!allowed.contains(program)) {
            refusals.add("command: " + program + " runs this language and is not in commands.allow");
        }
    }

    /** A program of the job's own could have the name of one that is allowed, or be loaded into it. */
    private static void searchPath(JobSpec job, List<String> refusals) {
        job.io().environment().keySet().stream()
                .filter(name -> name.equals("PATH") || name.startsWith("LD_") || name.equals("GCONV_PATH"))
                .forEach(name -> refusals.add("env: " + name
                        + " may change which program runs, and commands.allow lists those that may; leave it out"));
    }

    /** Not all of the host is shown: where the program is, as it was typed or after all links, there may be room for another. */
    private static void shadows(JobSpec job, @Nullable Path program, List<String> refusals) {
        if (program == null || !(job.command() instanceof Command.Argv argv)) {
            return;
        }
        Path typed = Path.of(argv.argv().getFirst());
        for (Mount mount : job.containment().mounts()) {
            boolean itself = mount.source().toString().equals(mount.target());
            if (!itself && (program.startsWith(mount.target()) || typed.startsWith(mount.target()))) {
                refusals.add("mount: " + mount.target() + " would take the place of " + program
                        + ", and commands.allow lists the programs that may run; use a path such as /workspace/in");
            }
        }
    }

    private static void command(String typed, @Nullable Path program, List<String> allowed, List<String> refusals) {
        boolean byName = typed.indexOf('/') < 0 && allowed.contains(typed);
        boolean byPath = program != null && allowed.contains(program.toString());
        if (!byName && !byPath) {
            refusals.add("command: " + typed + (program == null ? "" : " (" + program + ")")
                    + " is not in commands.allow; use one of " + String.join(", ", allowed));
        }
    }

    private void file(Mount mount, Path real, List<String> refusals) {
        boolean listed =
                mount.writable() ? below(real, write) : below(real, read) || (write != null && below(real, write));
        if (!listed) {
            String list = mount.writable() ? "files.write" : "files.read";
            refusals.add("mount: " + mount.source() + (real.equals(mount.source()) ? "" : " (" + real + ")")
                    + " is below none of the directories of " + list);
        }
    }

    private static boolean below(Path real, @Nullable List<Path> directories) {
        return directories == null || directories.stream().anyMatch(real::startsWith);
    }
}
