package dev.cordon.seccomp;

import java.util.List;
import java.util.stream.Collectors;

/** A seccomp profile that cannot be used. Carries every problem at once; nothing has been compiled. */
public final class InvalidProfile extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String profile;

    @SuppressWarnings("serial") // a record of strings; the exception is never serialised by Cordon itself
    private final List<ProfileProblem> problems;

    /** An invalid profile with at least one problem. */
    public InvalidProfile(String profile, List<ProfileProblem> problems) {
        super(problems.stream()
                .map(problem -> profile + "#" + problem.pointer() + ": " + problem.message())
                .collect(Collectors.joining("\n")));
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("an invalid profile has at least one problem");
        }
        this.profile = profile;
        this.problems = List.copyOf(problems);
    }

    /** The file or the name of the profile. */
    public String profile() {
        return profile;
    }

    /** What is wrong, in the order of the file. */
    public List<ProfileProblem> problems() {
        return problems;
    }
}
