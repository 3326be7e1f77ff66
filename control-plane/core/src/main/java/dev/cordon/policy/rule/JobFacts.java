package dev.cordon.policy.rule;

import dev.cordon.job.Command;
import dev.cordon.job.Isolation;
import dev.cordon.job.JobSpec;
import dev.cordon.job.WorkspaceFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a policy has to know about a job beyond its fields. Looked up beforehand, so that a decision is a pure function.
 *
 * @param code             the code, or the arguments joined by spaces; the beginning of it when it is very long
 * @param codeBytes        how many bytes of code there are
 * @param binaries         files of the job that are programs or shared objects
 * @param program          the program's path after all links; null when it is none of the host's
 * @param mounts           the mounts' sources after all links, by the source as given
 * @param network          the network that is asked for: {@code none}, or {@code host} with the level process, which has the host's
 * @param image            the image that is asked for by name; {@code host} when none is
 * @param recentViolations tripped wires of this owner lately
 * @param machine          whether a virtual machine of this host could run it; looked up only for code that its caller calls untrusted
 */
public record JobFacts(
        String code,
        long codeBytes,
        List<String> binaries,
        @Nullable Path program,
        Map<Path, Path> mounts,
        String network,
        String image,
        int recentViolations,
        boolean machine) {
    /** Copies the collections. */
    public JobFacts {
        binaries = List.copyOf(binaries);
        mounts = Map.copyOf(mounts);
    }

    /** What the job itself tells, without a look at the host. */
    public static JobFacts of(JobSpec job) {
        String code = switch (job.command()) {
            case Command.None _, Command.OfImage _, Command.Script _ -> "";
            case Command.Argv argv -> String.join(" ", argv.argv());
            case Command.Code given -> given.code();
        };
        List<String> binaries = job.io().files().stream()
                .filter(file -> NativeCode.is(file.content()))
                .map(WorkspaceFile::path)
                .toList();
        String image = job.containment().image();
        return new JobFacts(
                code,
                code.getBytes(StandardCharsets.UTF_8).length,
                binaries,
                null,
                Map.of(),
                job.containment().isolation() == Isolation.PROCESS ? "host" : "none",
                image == null ? "host" : image,
                0,
                false);
    }
}
