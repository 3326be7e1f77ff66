package dev.cordon.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.FakeHost;
import dev.cordon.vm.HostAcceleration;
import dev.cordon.vm.qemu.QemuAccelerator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the machine tier stands on, with a folder for the host and a word for the probe. */
class VmChecksTest {
    @TempDir
    private Path folder;

    private FakeHost host;

    @BeforeEach
    void start() {
        host = new FakeHost(folder);
    }

    @Test
    void withoutTheDeviceMachinesAreEmulated() {
        HostCheck kvm =
                check("kvm", Optional.of(new HostAcceleration.Verdict(QemuAccelerator.TCG, "there is no /dev/kvm")));
        assertThat(kvm.status()).isEqualTo(HostCheck.Status.INFO);
        assertThat(kvm.found()).contains("no /dev/kvm");
    }

    @Test
    void aDeviceThatNobodyHasTriedProvesNothing() throws IOException {
        host.file("/dev/kvm", "");
        HostCheck kvm = check("kvm", Optional.empty());
        assertThat(kvm.status()).isEqualTo(HostCheck.Status.INFO);
        assertThat(kvm.found()).contains("found out by the first machine");
    }

    @Test
    void aProbeThatBootedIsAPass() throws IOException {
        host.file("/dev/kvm", "");
        HostCheck kvm = check(
                "kvm",
                Optional.of(new HostAcceleration.Verdict(QemuAccelerator.KVM, "a probe guest booted under KVM")));
        assertThat(kvm.status()).isEqualTo(HostCheck.Status.PASS);
        assertThat(kvm.found()).isEqualTo("a probe guest booted under KVM");
    }

    /** The device opens, and a guest hangs in it. */
    @Test
    void aProbeThatDidNotBootIsAWarningWithARemedy() throws IOException {
        host.file("/dev/kvm", "");
        HostCheck kvm = check(
                "kvm",
                Optional.of(new HostAcceleration.Verdict(QemuAccelerator.TCG, "KVM does not boot a guest here: late")));
        assertThat(kvm.status()).isEqualTo(HostCheck.Status.WARN);
        assertThat(kvm.found()).contains("emulated", "KVM does not boot a guest here: late");
        assertThat(kvm.remedy()).contains("vm.allow_emulated = true");
    }

    @Test
    void qemuIsNamedWithItsVersionOrWithItsPackage() throws IOException {
        assertThat(check("qemu", Optional.empty()).remedy()).contains("qemu-system-x86");
        assertThat(check("image_tools", Optional.empty()).status()).isEqualTo(HostCheck.Status.WARN);
        host.program("/usr/bin/qemu-system-x86_64")
                .program("/usr/bin/mmdebstrap")
                .program("/usr/bin/mksquashfs");
        assertThat(check("qemu", Optional.empty()).status()).isEqualTo(HostCheck.Status.PASS);
        assertThat(check("qemu", Optional.empty()).found()).startsWith("QEMU emulator version 7.2.22 at ");
        assertThat(check("image_tools", Optional.empty()).status()).isEqualTo(HostCheck.Status.PASS);
    }

    private HostCheck check(String id, Optional<HostAcceleration.Verdict> verdict) {
        return VmChecks.run(new HostFiles(host.root()), verdict).stream()
                .filter(check -> check.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
