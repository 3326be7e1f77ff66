package dev.cordon.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathCheckTest {
    private static final Path SOURCE = Path.of("/srv/in");

    private static List<String> errorsOf(Job job) {
        InvalidJob invalid = catchThrowableOfType(InvalidJob.class, job::validate);
        return invalid == null
                ? List.of()
                : invalid.errors().stream().map(FieldError::pointer).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "in",
                "./in",
                "/in/",
                "//in",
                "/a//b",
                "/a/./b",
                "/a/../b",
                "/..",
                "/a\0b",
                "/proc",
                "/proc/1",
                "/dev",
                "/dev/x",
                "/sys",
                "/sys/fs",
                "/usr",
                "/usr/local/x",
                "/bin",
                "/sbin/x",
                "/lib",
                "/lib64/x",
                "/tmp",
                "/etc",
                "/etc/ld.so.preload",
                "/etc/ld.so.cache",
                "/etc/ld.so.conf",
                "/etc/ld.so.conf.d/mine.conf",
                "/etc/ld-musl-x86_64.path",
                "/workspace"
            })
    void aTargetThatCannotBeMountedOnIsRefused(String target) {
        assertThat(errorsOf(Job.argv("true").readOnly(SOURCE, target))).containsOnly("/mounts/0/target");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/in",
                "/workspace/in",
                "/tmp/in",
                "/opt/tool",
                "/etc/app.conf",
                "/processor",
                "/usrlocal",
                "/data/a/b/c",
                "/..."
            })
    void anyOtherTargetIsFine(String target) {
        assertThat(errorsOf(Job.argv("true").readOnly(SOURCE, target))).isEmpty();
    }

    @Test
    void theWorkspaceItselfMayBeALiveDirectory() {
        assertThat(errorsOf(Job.argv("true").readWrite(SOURCE, "/workspace"))).isEmpty();
    }

    @Test
    void mountsDoNotOverlap() {
        assertThat(errorsOf(Job.argv("true").readOnly(SOURCE, "/a").readOnly(SOURCE, "/a")))
                .containsExactly("/mounts/1/target");
        assertThat(errorsOf(Job.argv("true").readOnly(SOURCE, "/a").readOnly(SOURCE, "/a/b")))
                .containsExactly("/mounts/1/target");
        assertThat(errorsOf(Job.argv("true").readOnly(SOURCE, "/a/b").readOnly(SOURCE, "/a")))
                .containsExactly("/mounts/1/target");
        assertThat(errorsOf(Job.argv("true").readWrite(SOURCE, "/workspace").readOnly(SOURCE, "/workspace/in")))
                .containsExactly("/mounts/1/target");
        assertThat(errorsOf(Job.argv("true").readOnly(SOURCE, "/a").readOnly(SOURCE, "/ab")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/abs", "../up", "a/../../b", ".", "a/", "a//b", "a\0"})
    void aWorkspaceFileStaysBelowTheWorkspace(String path) {
        assertThat(errorsOf(Job.argv("true").put(path, new byte[0]))).containsExactly("/files/0/path");
    }

    @Test
    void workspaceFilesAreGivenOnceAndWithoutSpecialBits() {
        assertThat(errorsOf(Job.argv("true").put("a", new byte[0]).put("a", new byte[0])))
                .containsExactly("/files/1/path");
        assertThat(errorsOf(Job.argv("true").put(new WorkspaceFile("a", new byte[0], 04755))))
                .containsExactly("/files/0/mode");
        assertThat(errorsOf(Job.argv("true").put(new WorkspaceFile("a", new byte[0], 0755))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "/a/..", "/a/", "/a\0"})
    void theWorkingDirectoryIsAbsoluteAndNormalised(String directory) {
        assertThat(errorsOf(Job.argv("true").workdir(directory))).containsExactly("/workdir");
    }

    @Test
    void theRootIsAWorkingDirectory() {
        assertThat(errorsOf(Job.argv("true").workdir("/"))).isEmpty();
    }
}
