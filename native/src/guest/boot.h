/* boot.h - from the initramfs to the image's root. */
#ifndef GUEST_BOOT_H
#define GUEST_BOOT_H

#define CGROUP_ROOT "/sys/fs/cgroup"

/* Why a step of the boot failed; its message is for the console and the host. */
struct boot_failure {
    const char *step;
    int error;
};

/* Mounts /proc, /sys and /dev and loads the modules that the initramfs lists, so that the host can be spoken to. */
int boot_devices(struct boot_failure *failure);

/* Mounts the image with a layer of memory on top, moves there, and readies the cgroups. */
int boot_root(struct boot_failure *failure);

#endif
