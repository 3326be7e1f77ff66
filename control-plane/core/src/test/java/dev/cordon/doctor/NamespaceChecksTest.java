package dev.cordon.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.FakeHost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamespaceChecksTest {

    private static final TrialJob REFUSED = new TrialJob.Failed("clone", "stage clone, EPERM", "ask the administrator");
    private static final TrialJob NOT_MADE = new TrialJob.NotMade("no library", "build it");

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
        assertThat(user(new TrialJob.Worked(true, true, List.of()), false).status())
                .isEqualTo(HostCheck.Status.PASS);
    }

    @Test
    void aJailThatFailedLaterProvesThemToo() {
        HostCheck check = user(new TrialJob.Failed("filter", "stage filter, EINVAL", "update libseccomp"), false);
        assertThat(check.status()).isEqualTo(HostCheck.Status.PASS);
        assertThat(check.found()).contains("failed later, at filter");
    }

    @Test
    void aJailThatFailedBeforeProvesNothing() {
        HostCheck check = user(new TrialJob.Failed("sources", "stage sources, ENOENT", "check the path"), false);
        assertThat(check.status()).isEqualTo(HostCheck.Status.WARN);
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
        assertThat(user(NOT_MADE, false).status()).isEqualTo(HostCheck.Status.WARN);
        host.file("/proc/sys/kernel/unprivileged_userns_clone", "0\n");
        assertThat(user(NOT_MADE, false).status()).isEqualTo(HostCheck.Status.FAIL);
        assertThat(user(NOT_MADE, false).found()).isEqualTo("forbidden: kernel.unprivileged_userns_clone is 0");
        assertThat(user(NOT_MADE, true).status()).isEqualTo(HostCheck.Status.WARN);
    }

    @Test
    void whatCoversProcIsNamedUnlessItCoversNothing() throws IOException {
        host.file("/proc/self/mountinfo", """
            22 27 0:21 / /proc rw,relatime - proc proc rw
            31 22 0:28 / /proc/sys/fs/binfmt_misc rw,relatime - autofs systemd-1 rw
            """);
        assertThat(proc(NOT_MADE).status()).isEqualTo(HostCheck.Status.PASS);

        host.file("/proc/self/mountinfo", """
            22 27 0:21 / /proc rw,relatime - proc proc rw
            32 22 0:21 /sys /proc/sys ro,relatime - proc proc rw
            33 22 0:40 / /proc/kcore rw - tmpfs tmpfs rw
            """);
        HostCheck covered = proc(NOT_MADE);
        assertThat(covered.status()).isEqualTo(HostCheck.Status.FAIL);
        assertThat(covered.found()).endsWith("/proc/sys, /proc/kcore");
        assertThat(covered.remedy()).contains("ProtectKernelTunables=");
        assertThat(proc(new TrialJob.Worked(true, true, List.of())).status()).isEqualTo(HostCheck.Status.PASS);
    }

    private HostCheck user(TrialJob trial, boolean root) {
        return new NamespaceChecks(new HostFiles(host.root()), trial, root).userNamespaces();
    }

    private HostCheck proc(TrialJob trial) {
        return new NamespaceChecks(new HostFiles(host.root()), trial, false).procMount();
    }
}
