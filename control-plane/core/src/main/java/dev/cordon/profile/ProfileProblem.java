package dev.cordon.profile;

/**
 * One thing that is wrong with a profile.
 *
 * @param pointer where, as a JSON pointer into the file: {@code /syscalls/3/args/0/op}
 * @param message what stands there, and what is accepted
 */
public record ProfileProblem(String pointer, String message) {}
