package dev.cordon.result;

import dev.cordon.job.limit.ByteSize;

/**
 * A file that a job left and that was collected for its caller.
 *
 * @param path   below the workspace; where the job's name for it is not UTF-8 text, see {@link FileEntry#display}
 * @param size   its content
 * @param sha256 of its content, in lower-case hexadecimal digits
 */
public record Artifact(String path, ByteSize size, String sha256) {}
