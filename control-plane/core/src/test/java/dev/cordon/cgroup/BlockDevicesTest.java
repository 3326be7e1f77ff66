package dev.cordon.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BlockDevicesTest {
    @TempDir
    Path host;

    private Path sys;

    @BeforeEach
    void aDiskWithAPartitionAndOneWithout() throws IOException {
        host = host.toRealPath();
        sys = Files.createDirectories(host.resolve("sys"));
        Path disk = Files.createDirectories(host.resolve("devices/sda"));
        Files.writeString(disk.resolve("dev"), "8:0\n");
        Files.writeString(Files.createDirectories(disk.resolve("sda1")).resolve("partition"), "1\n");
        Files.createSymbolicLink(sys.resolve("8:0"), disk);
        Files.createSymbolicLink(sys.resolve("8:1"), disk.resolve("sda1"));
        Files.createSymbolicLink(sys.resolve("254:0"), Files.createDirectories(host.resolve("devices/vda")));
        for (String name : List.of("usr/lib", "data", "memory", "remote", "with space")) {
            Files.createDirectories(host.resolve(name));
        }
    }

    private BlockDevices devices(String... mounts) {
        return new BlockDevices(sys, List.of(mounts));
    }

    private String mount(String device, String point, String type) {
        String where = point.isEmpty() ? "/" : host.resolve(point).toString().replace(" ", "\\040");
        return "27 1 " + device + " / " + where + " rw,relatime shared:1 - " + type + " none rw";
    }

    @Test
    void aPartitionIsItsWholeDisk() throws IOException {
        assertThat(devices(mount("8:1", "", "ext4")).below(List.of(host.resolve("usr"))))
                .containsExactly("8:0");
    }

    @Test
    void theLongestMountPointCountsAndWhatIsBeneathToo() throws IOException {
        BlockDevices devices =
                devices(mount("8:1", "", "ext4"), mount("254:0", "usr/lib", "xfs"), mount("0:40", "memory", "tmpfs"));
        assertThat(devices.below(List.of(host.resolve("usr/lib")))).containsExactly("254:0");
        assertThat(devices.below(List.of(host.resolve("usr")))).containsExactly("254:0", "8:0");
        assertThat(devices.below(List.of(host.resolve("memory")))).isEmpty();
        assertThat(devices.below(List.of(host.resolve("data"), host.resolve("usr/lib"))))
                .containsExactly("254:0", "8:0");
    }

    @Test
    void aLaterMountHidesAnEarlierOneAtTheSamePoint() throws IOException {
        assertThat(devices(mount("8:1", "data", "ext4"), mount("254:0", "data", "ext4"))
                        .below(List.of(host.resolve("data"))))
                .containsExactly("254:0");
    }

    @Test
    void aBlankInAMountPointIsRead() throws IOException {
        assertThat(devices(mount("8:1", "", "ext4"), mount("254:0", "with space", "ext4"))
                        .below(List.of(host.resolve("with space"))))
                .containsExactly("254:0");
    }

    @Test
    void aFileSystemWithoutADiskIsAnErrorThatNamesIt() {
        assertThatThrownBy(() -> devices(mount("8:1", "", "ext4"), mount("0:99", "remote", "nfs4"))
                        .below(List.of(host.resolve("remote"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("remote")
                .hasMessageContaining("nfs4");
    }
}
