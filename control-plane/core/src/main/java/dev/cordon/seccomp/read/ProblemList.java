package dev.cordon.seccomp.read;

import dev.cordon.seccomp.InvalidProfile;
import dev.cordon.seccomp.ProfileProblem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What is found while a profile is read: problems that end it, and warnings that go with it. */
final class ProblemList {
    /** A file that is wrong throughout need not be reported in full. */
    private static final int MAX_PROBLEMS = 50;

    private static final int MAX_SHOWN = 80;

    private final String profile;
    private final List<ProfileProblem> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    ProblemList(String profile) {
        this.profile = profile;
    }

    void add(JsonPlace place, String rule) {
        add(place, rule, "");
    }

    void add(JsonPlace place, String rule, String remedy) {
        add(place.pointer(), rule, remedy);
    }

    void add(String pointer, String rule, String remedy) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(new ProfileProblem(pointer, rule, remedy));
        }
    }

    /** Something that stands where nothing like it is accepted. */
    void unknown(JsonPlace place, String what, String value, Collection<String> accepted) {
        add(
                place,
                "'" + shown(value) + "' is not " + ("aeiou".indexOf(what.charAt(0)) < 0 ? "a " : "an ") + what,
                "accepted: " + String.join(", ", accepted));
    }

    void warn(JsonPlace place, String message) {
        warnings.add(place.pointer() + ": " + message);
    }

    List<String> warnings() {
        return warnings;
    }

    void throwIfAny() {
        if (!problems.isEmpty()) {
            throw new InvalidProfile(profile, problems);
        }
    }

    /** A value that is safe to print: it comes from a file that may be anything. */
    static String shown(String value) {
        String cut = value.length() > MAX_SHOWN ? value.substring(0, MAX_SHOWN) + "..." : value;
        return cut.replaceAll("[^\\x20-\\x7e]", "?");
    }
}
