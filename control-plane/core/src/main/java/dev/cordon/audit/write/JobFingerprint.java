package dev.cordon.audit.write;

import dev.cordon.audit.RecordSubject;
import dev.cordon.audit.file.Sha256Hex;
import dev.cordon.job.Command;
import dev.cordon.job.JobId;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Mount;
import dev.cordon.job.Stdin;
import dev.cordon.job.WorkspaceFile;
import dev.cordon.json.PlanJson;
import dev.cordon.plan.Plan;
import dev.cordon.plan.SandboxPlan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hashes of a job. Code and files that the job brings are hashed by content. A host file that it names is hashed as it is when the job
 * is taken, up to a bound; a mounted directory and a stream only by name, because their content is not known before the job reads it.
 */
public final class JobFingerprint {
    /** A longer file of standard input is named, not read: reading it would cost more than the job. */
    private static final long MOST_READ = 16 << 20;

    private JobFingerprint() {}

    /**
     * What the records of a job say about it.
     *
     * @param tool the tool that was called; null for none
     */
    public static RecordSubject of(JobId id, JobSpec job, @Nullable String tool) {
        Command command = job.command();
        return new RecordSubject(
                id,
                job.origin().owner(),
                tool,
                job.origin().labels(),
                program(command),
                code(command),
                inputs(job),
                "");
    }

    /** The hash of a plan: of the bytes that {@code --dry-run} prints. */
    public static String of(Plan plan) {
        return Sha256Hex.of(PlanJson.text(plan));
    }

    /** The hash of a sandbox's plan, which runs nothing yet. */
    public static String of(SandboxPlan plan) {
        return Sha256Hex.of(PlanJson.text(plan));
    }

    private static String program(Command command) {
        return switch (command) {
            case Command.None _, Command.OfImage _ -> "";
            case Command.Argv argv -> argv.argv().getFirst();
            case Command.Code code -> code.language().label();
            case Command.Script script -> script.language().label();
        };
    }

    private static String code(Command command) {
        MessageDigest digest = Sha256Hex.digest();
        switch (command) {
            case Command.None _, Command.OfImage _ -> {}
            case Command.Argv argv -> argv.argv().forEach(word -> text(digest, word));
            case Command.Code code -> digest.update(code.code().getBytes(StandardCharsets.UTF_8));
            case Command.Script script -> content(digest, script.file());
        }
        return Sha256Hex.end(digest);
    }

    private static String inputs(JobSpec job) {
        if (job.io().files().isEmpty()
                && job.containment().mounts().isEmpty()
                && job.io().environment().isEmpty()
                && job.io().stdin() instanceof Stdin.Empty) {
            return "";
        }
        MessageDigest digest = Sha256Hex.digest();
        job.io().files().forEach(file -> file(digest, file));
        job.containment().mounts().forEach(mount -> mount(digest, mount));
        job.io().environment().forEach((name, value) -> entry(digest, List.of("variable", name, value)));
        switch (job.io().stdin()) {
            case Stdin.Empty ignored -> text(digest, "no stdin");
            case Stdin.Bytes bytes -> {
                text(digest, "stdin");
                digest.update(bytes.content());
            }
            case Stdin.Stream _, Stdin.Fed _ -> text(digest, "a stream");
            case Stdin.FromFile from -> {
                entry(digest, List.of("stdin", from.file().toString()));
                content(digest, from.file());
            }
        }
        return Sha256Hex.end(digest);
    }

    private static void file(MessageDigest digest, WorkspaceFile file) {
        entry(digest, List.of("file", file.path(), Integer.toOctalString(file.mode()), Sha256Hex.of(file.content())));
    }

    private static void mount(MessageDigest digest, Mount mount) {
        entry(digest, List.of("mount", mount.source().toString(), mount.target(), mount.writable() ? "rw" : "ro"));
    }

    private static void entry(MessageDigest digest, List<String> words) {
        words.forEach(word -> text(digest, word));
    }

    private static void text(MessageDigest digest, String word) {
        digest.update(word.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }

    /** A file that cannot be read does not stop the record: the planner refuses the job and names it. */
    private static void content(MessageDigest digest, Path file) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MOST_READ) {
                text(digest, "not read: " + file);
                return;
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] buffer = new byte[65_536];
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    digest.update(buffer, 0, count);
                }
            }
        } catch (IOException e) {
            text(digest, "unreadable: " + file);
        }
    }
}
