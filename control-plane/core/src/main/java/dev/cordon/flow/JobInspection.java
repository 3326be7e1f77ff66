package dev.cordon.flow;

import dev.cordon.job.Command;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Mount;
import dev.cordon.policy.rule.JobFacts;
import dev.cordon.policy.rule.NativeCode;
import dev.cordon.policy.rule.Policy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks at the host for what a policy wants to know about a job, and at no more than it asks for. */
public final class JobInspection {
    /** Of a script, for signs in it; the rest is counted. */
    private static final int MOST_CODE = 1 << 20;

    private static final int MOST_MAGIC = 16;
    /** Where a jail looks for programs, in this order. */
    private static final List<Path> PATH = List.of(
            Path.of("/usr/local/sbin"),
            Path.of("/usr/local/bin"),
            Path.of("/usr/sbin"),
            Path.of("/usr/bin"),
            Path.of("/sbin"),
            Path.of("/bin"));

    private JobInspection() {}

    /** The facts of a job. */
    public static JobFacts of(JobSpec job, Policy policy, int recentViolations, boolean machine) {
        JobFacts told = JobFacts.of(job);
        String code = told.code();
        long bytes = told.codeBytes();
        List<String> binaries = new ArrayList<>(told.binaries());
        if (job.command() instanceof Command.Script script) {
            byte[] beginning = beginning(script.file(), MOST_CODE);
            code = new String(beginning, StandardCharsets.UTF_8);
            bytes = size(script.file());
            if (NativeCode.is(beginning)) {
                binaries.add(script.file().toString());
            }
        }
        for (Mount mount : job.containment().mounts()) {
            if (Files.isRegularFile(mount.source()) && NativeCode.is(beginning(mount.source(), MOST_MAGIC))) {
                binaries.add(mount.source().toString());
            }
        }
        boolean lists = policy.lists().read() != null || policy.lists().write() != null;
        return new JobFacts(
                code,
                bytes,
                binaries,
                policy.lists().commands() == null ? null : program(job),
                lists ? mounts(job) : Map.of(),
                told.network(),
                told.image(),
                recentViolations,
                machine);
    }

    private static Map<Path, Path> mounts(JobSpec job) {
        Map<Path, Path> real = new HashMap<>();
        for (Mount mount : job.containment().mounts()) {
            Path found = real(mount.source());
            if (found != null) {
                real.put(mount.source(), found);
            }
        }
        return real;
    }

    /** A program of an image is none of the host's: what is at its path here tells nothing about it. */
    private static @Nullable Path program(JobSpec job) {
        if (!(job.command() instanceof Command.Argv argv) || job.containment().image() != null) {
            return null;
        }
        String typed = argv.argv().getFirst();
        if (typed.startsWith("/")) {
            return real(Path.of(typed));
        }
        if (typed.indexOf('/') >= 0 || typed.indexOf('\0') >= 0) {
            return null;
        }
        return PATH.stream()
                .map(directory -> directory.resolve(typed))
                .filter(Files::isExecutable)
                .findFirst()
                .map(JobInspection::real)
                .orElse(null);
    }

    /** Null when there is nothing: the planner refuses the job and says so. */
    private static @Nullable Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return null;
        }
    }

    private static byte[] beginning(Path file, int most) {
        if (!Files.isRegularFile(file)) {
            return new byte[0];
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(most);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }
}
