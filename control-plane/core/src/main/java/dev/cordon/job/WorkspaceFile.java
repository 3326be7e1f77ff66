package dev.cordon.job;

import java.util.Arrays;

/**
 * A file that is written into the workspace before the job starts.
 *
 * @param path    below /workspace, relative, without {@code .} and {@code ..}
 * @param content the bytes; copied in and out
 * @param mode    permission bits, at most 0777
 */
@SuppressWarnings("ArrayRecordComponent") // copied, and compared by content
public record WorkspaceFile(String path, byte[] content, int mode) {
    /** Copies the bytes. */
    public WorkspaceFile {
        content = content.clone();
    }

    @Override
    public byte[] content() {
        return content.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WorkspaceFile file
                && path.equals(file.path)
                && mode == file.mode
                && Arrays.equals(content, file.content);
    }

    @Override
    public int hashCode() {
        return 31 * path.hashCode() + Arrays.hashCode(content);
    }

    @Override
    public String toString() {
        return "WorkspaceFile[" + path + ", " + content.length + " bytes]";
    }
}
