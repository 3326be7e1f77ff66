package dev.cordon.plan;

import dev.cordon.job.WorkspaceFile;
import java.nio.file.Path;

/** A file that init writes when the sandbox is ready and before the command starts. Missing parent directories are made. */
public sealed interface StagedFile {
    /** Where, absolute. */
    String path();

    /** Its permission bits. */
    int mode();

    /**
     * A content that the job brought.
     *
     * @param path where
     * @param file the content and its mode
     */
    record Inline(String path, WorkspaceFile file) implements StagedFile {
        @Override
        public int mode() {
            return file.mode();
        }
    }

    /**
     * A copy of a host file.
     *
     * @param path   where
     * @param source the host's file, regular
     * @param mode   permission bits of the copy
     */
    record HostCopy(String path, Path source, int mode) implements StagedFile {}
}
