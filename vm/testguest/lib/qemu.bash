# shellcheck shell=bash
# The machine: q35 because its HPET survives a failed TSC calibration, NVMe and
# ext4 because Debian's cloud kernel has them built in and needs no initramfs.
# One thread for both processors: with one for each, this emulator now and then
# runs code that a guest has just rewritten (a JVM died at the first instruction
# of a method that it had compiled). The machines of Cordon's own have two.

readonly QEMU_MACHINE=(
    -M 'q35,hpet=on' -accel 'tcg,thread=single' -cpu max -smp 2
    -nodefaults -no-user-config -display none -no-reboot -nic none
    -chardev 'stdio,id=console,signal=off' -serial chardev:console
)
readonly KERNEL_ARGUMENTS='root=/dev/nvme0n1 rootfstype=ext4 rw console=ttyS0 panic=-1
    mitigations=off random.trust_cpu=on systemd.unified_cgroup_hierarchy=1 systemd.show_status=false'

# One controller with numbered namespaces: several controllers are probed in
# parallel and would swap their names. Sets the array disks.
qemu_set_disks() {
    disks=(-device 'nvme,id=disks,serial=testguest')
    qemu_add_disk 1 "$rootfs_layer/root.img" snapshot=on
    qemu_add_disk 2 "$work/input.img" readonly=on
    qemu_add_disk 3 "$work/output.img" cache=unsafe
    [[ -z $jdk_layer ]] || qemu_add_disk 4 "$jdk_layer/jdk.img" readonly=on
}

# A comma in a path is written twice for QEMU.
qemu_add_disk() {
    disks+=(
        -drive "if=none,id=disk$1,format=raw,file=${2//,/,,},$3"
        -device "nvme-ns,bus=disks,drive=disk$1,nsid=$1"
    )
}
