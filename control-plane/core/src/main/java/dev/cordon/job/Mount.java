package dev.cordon.job;

import java.nio.file.Path;

/**
 * A host file or directory that the job sees.
 *
 * @param source   where it is on the host
 * @param target   where it appears in the jail, absolute
 * @param writable whether the job may change it on the host; needs a private directory of its own owner, see {@code README.md}
 */
public record Mount(Path source, String target, boolean writable) {}
