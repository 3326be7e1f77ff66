/* boot.c - two columns of steps; the first that fails is named, and the machine goes no further. */
#include "boot.h"
#include "sys.h"

#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

#define MODULES      "/modules/"
#define DISK         "/dev/vda"
#define NEW_ROOT     "/new"
#define MOST_SECONDS 10

struct boot_step {
    const char *name;
    int (*run)(void);
};

static int mount_at(const char *type, const char *path, unsigned long flags, const char *options)
{
    if (mkdir(path, 0755) < 0 && errno != EEXIST) return -errno;
    return result(mount(type, path, type, flags, options));
}

/* ---- devices ---- */

static int mount_kernel_trees(void)
{
    int error = mount_at("proc", "/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    if (error >= 0) error = mount_at("sysfs", "/sys", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
    if (error >= 0) error = mount_at("devtmpfs", "/dev", MS_NOSUID | MS_NOEXEC, "mode=0755");
    return error;
}

/* The kernel gives init no descriptors when it has no console. */
static int open_standard_descriptors(void)
{
    int null = open("/dev/null", O_RDWR);
    if (null < 0) return -errno;
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && dup2(null, fd) < 0) return -errno;
    if (null > 2) close(null);
    return 0;
}

static int load_module(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, MODULES "%s", name);
    SCOPED_FD file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -errno;
    if (syscall(SYS_finit_module, file, "", 0) < 0 && errno != EEXIST) return -errno;
    return 0;
}

static int load_modules(void)
{
    FILE *order = fopen(MODULES "order", "re");
    if (order == NULL) return errno == ENOENT ? 0 : -errno; /* a kernel with everything built in */
    char name[200];
    int error = 0;
    while (error >= 0 && fgets(name, sizeof name, order) != NULL) {
        name[strcspn(name, "\n")] = 0;
        if (name[0] != 0) error = load_module(name);
    }
    fclose(order);
    return error;
}

static const struct boot_step DEVICES[] = {
    {"mount /proc, /sys and /dev", mount_kernel_trees},
    {"open the standard descriptors", open_standard_descriptors},
    {"load the modules", load_modules},
};

/* ---- the root ---- */

/* The disk's driver answers some time after it is loaded. */
static int wait_for_disk(void)
{
    uint64_t deadline = clock_now() + MOST_SECONDS * 1000000000ull;
    while (access(DISK, F_OK) < 0) {
        if (clock_now() > deadline) return -ENODEV;
        struct timespec pause = {.tv_nsec = 2000000};
        nanosleep(&pause, NULL);
    }
    return 0;
}

static int mount_image(void)
{
    if (mkdir("/image", 0755) < 0 && errno != EEXIST) return -errno;
    static const char *const types[] = {"squashfs", "erofs"};
    int error = -ENODEV;
    for (size_t i = 0; i < ARRAY_LENGTH(types) && error < 0; i++)
        error = result(mount(DISK, "/image", types[i], MS_RDONLY | MS_NODEV, NULL));
    return error;
}

static int mount_overlay(void)
{
    int error = mount_at("tmpfs", "/layer", MS_NOSUID | MS_NODEV, "mode=0755,size=16m");
    if (error < 0) return error;
    if (mkdir("/layer/upper", 0755) < 0 || mkdir("/layer/work", 0755) < 0 || mkdir(NEW_ROOT, 0755) < 0) return -errno;
    return result(
        mount("overlay", NEW_ROOT, "overlay", MS_NODEV, "lowerdir=/image,upperdir=/layer/upper,workdir=/layer/work"));
}

static int move_kernel_trees(void)
{
    static const char *const trees[] = {"/proc", "/sys", "/dev"};
    for (size_t i = 0; i < ARRAY_LENGTH(trees); i++) {
        char target[32];
        snprintf(target, sizeof target, NEW_ROOT "%s", trees[i]);
        if (mkdir(target, 0755) < 0 && errno != EEXIST) return -errno;
        if (mount(trees[i], target, NULL, MS_MOVE, NULL) < 0) return -errno;
    }
    return 0;
}

/* The initramfs can not be pivoted away from; the new root is moved over it (switch_root(8)). */
static int switch_root(void)
{
    if (chdir(NEW_ROOT) < 0) return -errno;
    if (mount(".", "/", NULL, MS_MOVE, NULL) < 0) return -errno;
    if (chroot(".") < 0 || chdir("/") < 0) return -errno;
    return 0;
}

static int ready_cgroups(void)
{
    int error = result(mount("cgroup2", CGROUP_ROOT, "cgroup2", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL));
    if (error < 0) return error;
    static const char *const controllers[] = {"+memory", "+pids", "+cpu", "+io"};
    SCOPED_FD control = open(CGROUP_ROOT "/cgroup.subtree_control", O_WRONLY | O_CLOEXEC);
    if (control < 0) return -errno;
    for (size_t i = 0; i < ARRAY_LENGTH(controllers); i++)
        if (write(control, controllers[i], strlen(controllers[i])) < 0 && i < 3) return -errno;
    return 0;
}

static const struct boot_step ROOT[] = {
    {"find the disk " DISK, wait_for_disk},      {"mount the image (squashfs or erofs)", mount_image},
    {"mount the overlay", mount_overlay},        {"move /proc, /sys and /dev", move_kernel_trees},
    {"switch to the image's root", switch_root}, {"ready the cgroups", ready_cgroups},
};

static int run(const struct boot_step *steps, size_t count, struct boot_failure *failure)
{
    for (size_t i = 0; i < count; i++) {
        int error = steps[i].run();
        if (error < 0) {
            *failure = (struct boot_failure){steps[i].name, -error};
            return error;
        }
    }
    return 0;
}

int boot_devices(struct boot_failure *failure)
{
    return run(DEVICES, ARRAY_LENGTH(DEVICES), failure);
}

int boot_root(struct boot_failure *failure)
{
    return run(ROOT, ARRAY_LENGTH(ROOT), failure);
}
