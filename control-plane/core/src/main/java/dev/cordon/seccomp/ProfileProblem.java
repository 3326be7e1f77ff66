package dev.cordon.seccomp;

/**
 * One thing that is wrong with a profile.
 *
 * @param pointer where, as a JSON pointer into the file: {@code /syscalls/3/args/0/op}
 * @param rule    what stands there, and the rule that it breaks
 * @param remedy  what to write instead; empty where the rule says it
 */
public record ProfileProblem(String pointer, String rule, String remedy) {
    /** One line for people. */
    public String message() {
        return remedy.isEmpty() ? rule : rule + "; " + remedy;
    }
}
