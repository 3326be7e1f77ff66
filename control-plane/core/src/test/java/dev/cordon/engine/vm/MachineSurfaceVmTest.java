package dev.cordon.engine.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.Sandbox;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a machine shows its guest, and what its QEMU shows the host: THREATS H-01, H-03, H-05, H-06, H-08 and H-10, on one machine. */
@Tag("vm")
class MachineSurfaceVmTest {
    private static Cordon cordon;
    private static Sandbox sandbox;
    private static ProcessHandle qemu;

    @BeforeAll
    static void open() throws IOException {
        cordon = Machinery.open(0);
        sandbox =
                cordon.openSandbox(SandboxSpec.create().isolation(Isolation.VM).memory(ByteSize.mib(64)));
        assertThat(Machinery.machines()).hasSize(1);
        qemu = Machinery.machines().getFirst();
    }

    @AfterAll
    static void close() {
        sandbox.close();
        cordon.close();
    }

    private static String inside(String script) {
        Result result = sandbox.run(Job.shell(script));
        assertThat(result.succeeded()).as("%s", result).isTrue();
        return result.stdoutText().strip();
    }

    private static String ofQemu(String file) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(qemu.pid()), file));
    }

    private static List<String> arguments() throws IOException {
        return List.of(ofQemu("cmdline").split("\0"));
    }

    /** H-01: the q35's own host bridge and ISA bridge, and three virtio devices: console (1043), randomness (1044), disk (1042). */
    @Test
    void theGuestHasTheseDevicesAndNoOthers() {
        assertThat(inside("cut -f2 /proc/bus/pci/devices | sort").lines())
                .containsExactly("1af41042", "1af41043", "1af41044", "80862918", "808629c0");
        assertThat(inside("cd /dev; echo *"))
                .isEqualTo("fd full null ptmx pts random shm stderr stdin stdout tty urandom zero");
    }

    /** Neither what the host's is called, nor QEMU's version. */
    @Test
    void theProcessorHasANameOfItsOwn() {
        assertThat(inside("grep '^model name' /proc/cpuinfo | sort -u")).endsWith(": Cordon virtual processor");
    }

    /** H-01, from the other side: what QEMU was told to make. */
    @Test
    void qemuWasToldToMakeNoMore() throws IOException {
        List<String> arguments = arguments();
        assertThat(arguments).contains("-nodefaults", "-no-user-config");
        assertThat(valuesOf(arguments, "-device").map(device -> device.replaceAll(",.*", "")))
                .containsExactly("virtio-serial-pci", "virtserialport", "virtio-rng-pci", "virtio-blk-pci");
        assertThat(valuesOf(arguments, "-nic")).containsExactly("none");
    }

    private static Stream<String> valuesOf(List<String> arguments, String option) {
        return IntStream.range(1, arguments.size())
                .filter(i -> arguments.get(i - 1).equals(option))
                .mapToObj(arguments::get);
    }

    /** H-03: the monitor is one open descriptor; nothing listens, and no socket of QEMU's has a name. */
    @Test
    void theMonitorHasNoAddress() throws IOException {
        assertThat(arguments())
                .doesNotContain("-monitor", "-qmp", "-gdb", "-s")
                .noneMatch(each -> each.matches(".*(tcp:|telnet:|server=on|,path=).*"));
        for (String table : List.of("net/tcp", "net/tcp6", "net/udp", "net/udp6")) {
            assertThat(ofQemu(table).lines().skip(1)).as(table).isEmpty();
        }
        assertThat(ofQemu("net/unix").lines().skip(1)).noneMatch(line -> line.contains("/") || line.contains("@"));
    }

    /** H-05: nothing of vhost, and no vsock to speak to. */
    @Test
    void thereIsNoVhostAndNoVsock() throws IOException {
        assertThat(arguments()).noneMatch(each -> each.contains("vhost") || each.contains("vsock"));
        assertThat(inside("""
            python3 - <<'E'
            import socket
            try:
                socket.socket(40, socket.SOCK_STREAM).connect((2, 1024))
                print("connected")
            except OSError as e:
                print("refused")
            E
            """)).isEqualTo("refused");
    }

    /** H-06: QEMU's cgroup ends it before it takes more than its guest's memory and what it needs itself. */
    @Test
    void qemuIsLimitedToItsGuestsMemoryAndItsOwn() throws IOException {
        long guest = Long.parseLong(
                valuesOf(arguments(), "-m").findFirst().orElseThrow().replace("M", ""));
        assertThat(memoryLimit() >> 20).isBetween(guest + 128, guest + 192);
        assertThat(arguments()).noneMatch(each -> each.contains("balloon"));
    }

    private static long memoryLimit() throws IOException {
        for (String line : ofQemu("cgroup").lines().toList()) {
            String[] parts = line.split(":", 3);
            Path legacy = Path.of("/sys/fs/cgroup/memory" + parts[2], "memory.limit_in_bytes");
            Path unified = Path.of("/sys/fs/cgroup" + parts[2], "memory.max");
            if (parts[1].equals("memory") && Files.exists(legacy)) {
                return Long.parseLong(Files.readString(legacy).strip());
            }
            if (parts[1].isEmpty() && Files.exists(unified)) {
                return Long.parseLong(Files.readString(unified).strip());
            }
        }
        throw new AssertionError("QEMU is in no cgroup that limits memory: " + ofQemu("cgroup"));
    }

    /** H-08: a guest makes no machines of its own. */
    @Test
    void thereIsNoVirtualisationInside() {
        assertThat(inside("test ! -e /dev/kvm && ! grep -qw kvm /proc/devices /proc/misc && echo none"))
                .isEqualTo("none");
    }

    /** H-10: a job reaches no console; what the guest's kernel writes there is kept to a bound (GuestConsoleTest). */
    @Test
    void aJobReachesNoConsole() {
        assertThat(inside("for d in console hvc0 ttyS0 kmsg vport0p1 tty; do"
                        + " ( : > /dev/$d ) 2>/dev/null && echo reached $d; done; echo end"))
                .isEqualTo("end");
    }
}
