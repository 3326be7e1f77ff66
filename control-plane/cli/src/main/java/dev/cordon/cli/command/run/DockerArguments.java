package dev.cordon.cli.command.run;

import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.job.ContainmentRequest;
import dev.cordon.job.limit.Limit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a command line says in the words of {@code docker run}.
 *
 * @param arguments the words
 * @param read      reads the others, and takes the errors
 */
record DockerArguments(ParsedArguments arguments, JobArguments read) {
    private static final Pattern COMMA = Pattern.compile(",");

    /** z and Z ask for a label of SELinux, which no file of a job needs. */
    private static final Set<String> VOLUME_CHOICES = Set.of("ro", "rw", "z", "Z");

    /**
     * The job with all of it.
     *
     * @param mounts how many mounts it has already
     */
    <T extends ContainmentRequest<T>> T applied(T given, int mounts) {
        T job = volumes(given, mounts);
        GivenLimits limits = new GivenLimits(arguments);
        for (String limit : arguments.values(DockerOptions.ULIMIT)) {
            job = ulimit(job, limit, limits);
        }
        for (String tmpfs : arguments.values(DockerOptions.TMPFS)) {
            job = tmpfs(job, tmpfs, limits);
        }
        for (String choice : arguments.values(DockerOptions.SECURITY)) {
            job = security(job, choice);
        }
        String network = arguments.value(DockerOptions.NETWORK).orElse("none");
        if (!network.equals("none")) {
            read.error(
                    "/network",
                    network,
                    "is not a network of a job, which has none",
                    "write --network none, or leave it out");
        }
        Optional<String> name = arguments.value(DockerOptions.NAME);
        return name.isPresent() ? job.label("name", name.get()) : job;
    }

    private <T extends ContainmentRequest<T>> T volumes(T job, int firstIndex) {
        T result = job;
        int index = firstIndex;
        for (String volume : arguments.values(DockerOptions.VOLUME)) {
            String pointer = "/mounts/" + index++;
            int target = volume.indexOf(":/");
            int third = volume.indexOf(':', target + 1);
            String mount = third < 0 ? volume : volume.substring(0, third);
            Set<String> choices =
                    third < 0 ? Set.of() : Set.copyOf(List.of(COMMA.split(volume.substring(third + 1), -1)));
            boolean readOnly = choices.contains("ro");
            if (!VOLUME_CHOICES.containsAll(choices) || (readOnly && choices.contains("rw"))) {
                read.error(
                        pointer,
                        volume,
                        "is not SRC:DST, SRC:DST:ro or SRC:DST:rw",
                        "write " + DockerOptions.VOLUME.names().getFirst() + " ./data:/workspace/data:ro");
                continue;
            }
            result = read.mount(result, DockerOptions.VOLUME, mount, !readOnly, pointer);
        }
        return result;
    }

    /** A hard limit behind the soft one is read over: here both are one. */
    private <T extends ContainmentRequest<T>> T ulimit(T job, String text, GivenLimits limits) {
        int equals = text.indexOf('=');
        String name = equals < 0 ? text : text.substring(0, equals);
        String amount = text.substring(equals + 1).replaceFirst(":.*", "");
        if (name.equals("core")) {
            return job; // nobody's core is ever written
        }
        Optional<Limit> limit = DockerOptions.limit(name);
        if (equals < 0 || limit.isEmpty() || !amount.matches("[0-9]{1,18}")) {
            read.error(
                    "/limits",
                    text,
                    "is not a limit that can be set so",
                    "write nofile, nproc, fsize, as or cpu with a number, such as --ulimit nofile=1024");
            return job;
        }
        return limited(
                job,
                limit.get(),
                limit.get() == Limit.CPU_TIME ? amount + "s" : amount,
                DockerOptions.ULIMIT.names().getFirst() + " " + text,
                limits);
    }

    private <T extends ContainmentRequest<T>> T limited(
            T job, Limit limit, String amount, String words, GivenLimits limits) {
        limits.otherThan(limit, words, amount)
                .ifPresent(before -> read.error(
                        limit.pointer(),
                        before + " and " + words,
                        "are two amounts of one limit",
                        "leave one of them out"));
        return job.limit(limit, amount);
    }

    /** What docker mounts there is there anyway, without set-user-id files and devices. */
    private <T extends ContainmentRequest<T>> T tmpfs(T job, String text, GivenLimits limits) {
        int colon = text.indexOf(':');
        String directory = colon < 0 ? text : text.substring(0, colon);
        T result = job;
        boolean known = directory.equals("/tmp") || directory.equals("/workspace");
        for (String choice : COMMA.split(colon < 0 ? "rw" : text.substring(colon + 1), -1)) {
            if (choice.startsWith("size=")) {
                result = limited(
                        result,
                        Limit.DISK,
                        choice.substring("size=".length()),
                        DockerOptions.TMPFS.names().getFirst() + " " + text,
                        limits);
            } else {
                known &= choice.equals("rw") || choice.equals("nosuid") || choice.equals("nodev");
            }
        }
        if (!known) {
            read.error(
                    "/limits/disk",
                    text,
                    "is not a file system in memory that a job can have",
                    "write --tmpfs /tmp:size=64M, or the same for /workspace; both have one size");
        }
        return result;
    }

    private <T extends ContainmentRequest<T>> T security(T job, String text) {
        int equals = text.indexOf('=') < 0 ? text.indexOf(':') : text.indexOf('=');
        String name = equals < 0 ? text : text.substring(0, equals);
        String value = equals < 0 ? "" : text.substring(equals + 1);
        if (name.equals("no-new-privileges") && !value.equals("false")) {
            return job;
        }
        if (name.equals("seccomp") && !value.isEmpty() && !value.equals("unconfined")) {
            return job.profile(read.path("/profile", value));
        }
        if (name.equals("apparmor") && !value.isEmpty() && !value.equals("unconfined")) {
            return job.macLabel(value);
        }
        read.error(
                "/security",
                text,
                "would leave the job with less containment, or is not known",
                "write seccomp=FILE, apparmor=LABEL or no-new-privileges, or leave it out");
        return job;
    }
}
