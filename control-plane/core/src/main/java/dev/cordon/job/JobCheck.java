package dev.cordon.job;

import dev.cordon.job.limit.InvalidText;
import dev.cordon.job.limit.Limit;
import dev.cordon.job.limit.Limits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns a draft into a {@link JobSpec}, gathering every error on the way. */
final class JobCheck {
    /** The kernel's MAX_ARG_STRLEN, execve(2): one string with its NUL. */
    private static final Pattern IMAGE = Pattern.compile("[a-z0-9][a-z0-9.-]{0,62}");

    private static final int MAX_STRING_BYTES = 131_072;
    /** Of one name in a directory (NAME_MAX). */
    private static final int MAX_NAME_BYTES = 255;

    private static final int MAX_ARTIFACT_GLOBS = 32;
    private static final int MAX_CODE_BYTES = 16 << 20;
    private static final long CPU = Limit.CPUS.parse("1");
    private static final int MAX_LABELS = 64;
    /** They are written into the audit log and the history of jobs, which are not a place for data. */
    private static final int MAX_LABEL_BYTES = 4096;

    private final JobDraft draft;
    private final List<FieldError> errors = new ArrayList<>();

    JobCheck(JobDraft draft) {
        this.draft = draft;
    }

    /** What is wrong with a command line. */
    static List<FieldError> errorsOf(Command.Argv argv) {
        JobCheck check = new JobCheck(new JobDraft(argv));
        check.checkArgv(argv.argv());
        return check.errors;
    }

    /** The job as a command of a sandbox: its containment was decided when that was opened. */
    JobSpec checkIn(JobSpec sandbox) {
        draft.limits.keySet().stream()
                .filter(limit -> !limit.ofCommand())
                .forEach(limit -> sandboxMatter(limit.pointer(), draft.limits.get(limit)));
        sandboxMatter("/mounts", draft.mounts.isEmpty() ? null : draft.mounts.size() + " mounts");
        if (!draft.artifacts.isEmpty()) {
            error(
                    "/artifacts",
                    String.join(" ", draft.artifacts),
                    "is for jobs with a sandbox of their own",
                    "read the files of the sandbox, which stay");
        }
        sandboxMatter("/profile", draft.profile);
        sandboxMatter("/isolation", draft.isolation == null ? null : draft.isolation.label());
        sandboxMatter("/isolation/max", draft.atMost == null ? null : draft.atMost.label());
        sandboxMatter("/image", draft.image);
        sandboxMatter("/strict", draft.strict ? "true" : null);
        sandboxMatter("/mac_label", draft.macLabel);
        if (!draft.owner.equals(new JobDraft(draft.command).owner)
                && !draft.owner.equals(sandbox.origin().owner())) {
            sandboxMatter("/owner", draft.owner);
        }
        checkLanguage(sandbox.containment().profile());
        return check(sandbox.limits().amounts(), !sandbox.asked().contains(Limit.CPU_TIME))
                .in(sandbox);
    }

    private void sandboxMatter(String pointer, @Nullable Object value) {
        if (value != null) {
            error(
                    pointer,
                    value.toString(),
                    "belongs to the sandbox, not to one of its commands",
                    "name it when the sandbox is opened");
        }
    }

    private void checkLanguage(ProfileRef profile) {
        String needed = draft.command.profile();
        if (!needed.equals("default")
                && profile instanceof ProfileRef.Named named
                && named.name().equals("default")) {
            error(
                    "/language",
                    needed,
                    "needs the seccomp profile " + needed + ", and the sandbox has default",
                    "open the sandbox with the profile " + needed);
        }
    }

    JobSpec check(Map<Limit, Long> defaults) {
        return check(defaults, true);
    }

    /**
     * The job.
     *
     * @param follows whether its CPU time follows a longer time limit, unless the job says what it is
     */
    private JobSpec check(Map<Limit, Long> defaults, boolean follows) {
        checkCommand();
        Map<Limit, Long> amounts = new EnumMap<>(Limit.class);
        amounts.putAll(defaults);
        draft.limits.forEach((limit, text) -> checkLimit(limit, text, amounts));
        if (follows) {
            followTimeout(amounts);
        }
        draft.environment.forEach(this::checkVariable);
        checkArtifacts(draft.artifacts);
        checkStringsTogether();
        PathCheck paths = new PathCheck(errors);
        if (draft.workdir != null) {
            paths.workdir(draft.workdir);
        }
        paths.mounts(draft.mounts);
        paths.files(draft.files);
        ProfileRef profile = checkProfile();
        checkNames();
        checkLevels();
        checkImage();
        if (!errors.isEmpty()) {
            throw new InvalidJob(errors);
        }
        return new JobSpec(
                draft.command,
                Limits.of(amounts),
                draft.limits.keySet(),
                new Containment(
                        profile,
                        draft.mounts.stream().map(JobCheck::absolute).toList(),
                        draft.isolation,
                        draft.atMost,
                        draft.image,
                        draft.strict,
                        draft.macLabel),
                new CommandIo(
                        draft.environment,
                        draft.workdir == null ? "" : draft.workdir,
                        draft.stdin,
                        draft.files,
                        draft.terminal,
                        draft.streaming,
                        draft.artifacts),
                new LimitReactions(draft.onOutputLimit, draft.onViolation, draft.escalate),
                new JobOrigin(draft.owner, draft.labels, draft.trust));
    }

    private void checkLevels() {
        Isolation least = draft.isolation;
        Isolation most = draft.atMost;
        if (most != null && least != null && most.compareTo(least) < 0) {
            error(
                    "/isolation/max",
                    most.label(),
                    "is below the level that is asked for, " + least.label(),
                    "leave one of them out, or give a range");
        }
    }

    private void checkImage() {
        String image = draft.image;
        if (image == null) {
            return;
        }
        if (!IMAGE.matcher(image).matches()) {
            error(
                    "/image",
                    image,
                    "is not a name of an image",
                    "use up to 63 of a-z, 0-9, '.' and '-', beginning with a letter or digit");
        } else if (draft.isolation == Isolation.PROCESS) {
            error(
                    "/image",
                    image,
                    "needs a root of its own, which a plain process lacks",
                    "ask for the level jail or vm");
        }
    }

    private static Mount absolute(Mount mount) {
        return new Mount(mount.source().toAbsolutePath().normalize(), mount.target(), mount.writable());
    }

    private void checkCommand() {
        switch (draft.command) {
            case Command.None _ -> {}
            case Command.OfImage _ -> checkImageIsNamed();
            case Command.Argv argv -> checkArgv(argv.argv());
            case Command.Code code -> checkCode(code);
            case Command.Script script -> checkScript(script.file());
        }
    }

    private void checkImageIsNamed() {
        if (draft.image == null) {
            error("/argv", "", "is missing", "give a command, or an image that has one");
        }
    }

    private void checkArgv(List<String> argv) {
        if (argv.isEmpty() || argv.getFirst().isEmpty()) {
            error("/argv", String.join(" ", argv), "names no program", "give a program, such as python3");
        }
        for (int i = 0; i < argv.size(); i++) {
            checkString("/argv/" + i, argv.get(i));
        }
    }

    private void checkCode(Command.Code given) {
        String code = given.code();
        String name = given.fileName();
        if (name.startsWith("-")
                || name.indexOf('/') >= 0
                || !PathCheck.isAbsolute("/" + name)
                || bytes(name) > MAX_NAME_BYTES) {
            error(
                    "/file_name",
                    name,
                    "is not a name of a file",
                    "use one such as main.py, without '/', at most 255 bytes, not starting with '-'");
        }
        if (code.isBlank()) {
            error("/code", code, "is empty", "give the code to run");
        } else if (bytes(code) > MAX_CODE_BYTES) {
            error("/code", bytes(code) + " bytes", "is more than 16 MiB", "pass data as files instead of code");
        }
    }

    private void checkArtifacts(List<String> globs) {
        if (globs.size() > MAX_ARTIFACT_GLOBS) {
            error(
                    "/artifacts",
                    globs.size() + " patterns",
                    "is more than " + MAX_ARTIFACT_GLOBS,
                    "name a directory, such as out/**");
        }
        for (int i = 0; i < globs.size(); i++) {
            String glob = globs.get(i);
            if (!PathCheck.isAbsolute("/" + glob) || bytes(glob) > MAX_NAME_BYTES) {
                error(
                        "/artifacts/" + i,
                        glob,
                        "is not a pattern of paths below the workspace",
                        "write it without a '/' at its begin or end, at most 255 bytes, such as out/** or *.csv");
            }
        }
    }

    private void checkScript(Path file) {
        Path name = file.getFileName();
        if (name == null || name.toString().isEmpty() || name.toString().startsWith("-")) {
            error(
                    "/file",
                    file.toString(),
                    "has no usable file name",
                    "name a file whose name does not start with '-'");
        }
    }

    private void checkLimit(Limit limit, String text, Map<Limit, Long> amounts) {
        try {
            amounts.put(limit, limit.parse(text));
        } catch (InvalidText e) {
            errors.add(FieldError.ofAmount(limit, text, e.rule()));
        }
    }

    /** A job that may take longer may also compute longer, unless it says how long. */
    private void followTimeout(Map<Limit, Long> amounts) {
        if (!draft.limits.containsKey(Limit.TIMEOUT) || draft.limits.containsKey(Limit.CPU_TIME)) {
            return;
        }
        long cpus = Math.max(1, Math.ceilDiv(amountOf(Limit.CPUS, amounts), CPU));
        long most = Math.min(Limit.CPU_TIME.most() / cpus, amountOf(Limit.TIMEOUT, amounts)) * cpus;
        amounts.put(Limit.CPU_TIME, Math.max(amountOf(Limit.CPU_TIME, amounts), most));
    }

    private static long amountOf(Limit limit, Map<Limit, Long> amounts) {
        return amounts.getOrDefault(limit, limit.standard().orElseThrow());
    }

    private void checkVariable(String name, String value) {
        String pointer = "/env/" + FieldError.escaped(name);
        if (name.isEmpty() || name.indexOf('=') >= 0) {
            error(pointer, name, "is not a variable name", "use a name without '='");
        }
        checkString(pointer, name);
        checkString(pointer, value);
    }

    private void checkString(String pointer, String text) {
        if (text.indexOf('\0') >= 0) {
            error(pointer, text, "contains a NUL character", "leave it out; no program can receive one");
        } else if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            error(pointer, text, "has a character that UTF-8 cannot carry", "pass such bytes in a file");
        } else if (bytes(text) >= MAX_STRING_BYTES) {
            error(
                    pointer,
                    bytes(text) + " bytes",
                    "is longer than the kernel's 128 KiB for one string",
                    "pass it in a file or on stdin");
        }
    }

    private void checkStringsTogether() {
        List<String> strings = new ArrayList<>();
        if (draft.command instanceof Command.Argv argv) {
            strings.addAll(argv.argv());
        }
        draft.environment.forEach((name, value) -> strings.add(name + "=" + value));
        Command.excess(strings).ifPresent(errors::add);
    }

    private ProfileRef checkProfile() {
        ProfileRef profile = draft.profile;
        if (profile == null) {
            return new ProfileRef.Named(draft.command.profile());
        }
        if (profile instanceof ProfileRef.Named named && !isName(named.name(), "-_", 64)) {
            error(
                    "/profile",
                    named.name(),
                    "is not a profile name",
                    "use default, strict, jvm or debug; a profile of one's own is a file, which the command line and"
                            + " the library take by its path");
        }
        return profile;
    }

    private void checkNames() {
        String macLabel = draft.macLabel;
        if (macLabel != null && !isName(macLabel, "-_.:/,", 63)) {
            error("/mac_label", macLabel, "is not a security label", "use at most 63 letters, digits and -_.:/,");
        }
        if (!isName(draft.owner, "-_.@", 64)) {
            error("/owner", draft.owner, "is not an owner name", "use at most 64 letters, digits and -_.@");
        }
        if (draft.labels.size() > MAX_LABELS) {
            error(
                    "/labels",
                    draft.labels.size() + " labels",
                    "is more than " + MAX_LABELS,
                    "keep the data elsewhere, under the job's id");
        }
        long bytes = draft.labels.entrySet().stream()
                .mapToLong(label -> bytes(label.getKey()) + bytes(label.getValue()))
                .sum();
        if (bytes > MAX_LABEL_BYTES) {
            error(
                    "/labels",
                    bytes + " bytes of names and values",
                    "is more than " + MAX_LABEL_BYTES,
                    "keep the data elsewhere, under the job's id");
        }
        draft.labels.forEach((name, value) -> {
            if (!isName(name, "-_./", 64)) {
                error(
                        "/labels/" + FieldError.escaped(name),
                        name,
                        "is not a label name",
                        "use at most 64 letters, digits and -_./");
            }
            if (value.length() > 256
                    || value.chars().anyMatch(Character::isISOControl)
                    || !StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
                error(
                        "/labels/" + FieldError.escaped(name),
                        value,
                        "is not a label value",
                        "use at most 256 whole characters, none of them control characters");
            }
        });
    }

    private static boolean isName(String text, String punctuation, int maxLength) {
        return !text.isEmpty()
                && text.length() <= maxLength
                && text.chars().allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || punctuation.indexOf(c) >= 0));
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private void error(String pointer, String value, String rule, String remedy) {
        errors.add(new FieldError(pointer, value, rule, remedy));
    }
}
