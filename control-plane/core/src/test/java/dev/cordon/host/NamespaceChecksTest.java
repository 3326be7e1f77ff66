package dev.cordon.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamespaceChecksTest {

    private static final Trial REFUSED = new Trial.Failed("clone", "stage clone, EPERM", "ask the administrator");
    private static final Trial NOT_MADE = new Trial.NotMade("no library", "build it");

    @TempDir
    private Path folder;

    private FakeHost host;

    @BeforeEach
    void start() {
        host = new FakeHost(folder);
    }

    @Test
    void aJailThatWorkedIsTheProof() throws IOException {
        host.file("/proc/sys/user/max_user_namespaces", "0\n");
        assertThat(user(new Trial.Worked(true, true, List.of()), false).status())
                .isEqualTo(Check.Status.PASS);
    }

    @Test
    void aJailThatFailedLaterProvesThemToo() {
        Check check = user(new Trial.Failed("filter", "stage filter, EINVAL", "update libseccomp"), false);
        assertThat(check.status()).isEqualTo(Check.Status.PASS);
        assertThat(check.found()).contains("failed later, at filter");
    }

    @Test
    void aJailThatFailedBeforeProvesNothing() {
        Check check = user(new Trial.Failed("sources", "stage sources, ENOENT", "check the path"), false);
        assertThat(check.status()).isEqualTo(Check.Status.WARN);
        assertThat(check.remedy()).isEqualTo("check the path");
    }

    @Test
    void theSettingThatForbidsThemGivesTheRemedy() throws IOException {
        host.file("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n");
        assertThat(user(REFUSED, false).remedy())
                .startsWith("sysctl -w kernel.apparmor_restrict_unprivileged_userns=0");
        assertThat(user(REFUSED, true).remedy()).isEqualTo("ask the administrator");

        host.file("/usr/share/cordon/apparmor/cordon", "");
        assertThat(user(REFUSED, false).remedy())
                .as("the package is installed")
                .startsWith("install -m 0644 /usr/share/cordon/apparmor/cordon /etc/apparmor.d/cordon"
                        + " && apparmor_parser --replace /etc/apparmor.d/cordon");
        assertThat(user(NOT_MADE, false).remedy()).startsWith("install -m 0644 /usr/share/cordon/apparmor/cordon");

        host.file("/proc/sys/user/max_user_namespaces", "0\n");
        assertThat(user(REFUSED, true).remedy()).isEqualTo("sysctl -w user.max_user_namespaces=15000");
    }

    @Test
    void withoutATrialTheSettingsDecide() throws IOException {
        assertThat(user(NOT_MADE, false).status()).isEqualTo(Check.Status.WARN);
        host.file("/proc/sys/kernel/unprivileged_userns_clone", "0\n");
        assertThat(user(NOT_MADE, false).status()).isEqualTo(Check.Status.FAIL);
        assertThat(user(NOT_MADE, false).found()).isEqualTo("forbidden: kernel.unprivileged_userns_clone is 0");
        assertThat(user(NOT_MADE, true).status()).isEqualTo(Check.Status.WARN);
    }

    @Test
    void whatCoversProcIsNamedUnlessItCoversNothing() throws IOException {
        host.file("/proc/self/mountinfo", """
            22 27 0:21 / /proc rw,relatime - proc proc rw
            31 22 0:28 / /proc/sys/fs/binfmt_misc rw,relatime - autofs systemd-1 rw
            """);
        assertThat(proc(NOT_MADE).status()).isEqualTo(Check.Status.PASS);

        host.file("/proc/self/mountinfo", """
            22 27 0:21 / /proc rw,relatime - proc proc rw
            32 22 0:21 /sys /proc/sys ro,relatime - proc proc rw
            33 22 0:40 / /proc/kcore rw - tmpfs tmpfs rw
            """);
        Check covered = proc(NOT_MADE);
        assertThat(covered.status()).isEqualTo(Check.Status.FAIL);
        assertThat(covered.found()).endsWith("/proc/sys, /proc/kcore");
        assertThat(covered.remedy()).contains("ProtectKernelTunables=");
        assertThat(proc(new Trial.Worked(true, true, List.of())).status()).isEqualTo(Check.Status.PASS);
    }

    private Check user(Trial trial, boolean root) {
        return new NamespaceChecks(host.files(), trial, root).userNamespaces();
    }

    private Check proc(Trial trial) {
        return new NamespaceChecks(host.files(), trial, false).procMount();
    }
}
