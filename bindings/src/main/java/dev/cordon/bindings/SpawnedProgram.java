package dev.cordon.bindings;

/**
 * A program that {@link Kernel#spawn} or {@link Kernel#start} started.
 *
 * @param pid its process id
 * @param pidfd its handle, owned by the receiver; readable when the program has ended
 */
public record SpawnedProgram(int pid, Fd pidfd) {}
