/* landlock.c - the OP_LANDLOCK rules of the plan, at the ABI that this kernel has. */
#include "landlock.h"
#include "sys.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>

/* Debian 12's headers end at ABI 2; the numbers are the kernel's. */
#define ACCESS_TRUNCATE            (1ULL << 14) /* ABI 3 */
#define ACCESS_IOCTL_DEV           (1ULL << 15) /* ABI 5 */
#define SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0)
#define SCOPE_SIGNAL               (1ULL << 1) /* both ABI 6 */

struct ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net; /* ABI 4 */
    uint64_t scoped;             /* ABI 6 */
};

#define ACCESS_READ (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define ACCESS_WRITE                                                                                                 \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |                \
     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |                      \
     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REFER | ACCESS_TRUNCATE |       \
     ACCESS_IOCTL_DEV)
#define ACCESS_OF_FILES                                                                                              \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE | ACCESS_TRUNCATE |   \
     ACCESS_IOCTL_DEV)
#define ACCESS_DEVICES (LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK)

static uint64_t handled(int abi)
{
    uint64_t access = ACCESS_READ | ACCESS_WRITE | ACCESS_DEVICES;
    if (abi < 2) access &= ~(uint64_t)LANDLOCK_ACCESS_FS_REFER;
    if (abi < 3) access &= ~ACCESS_TRUNCATE;
    if (abi < 5) access &= ~ACCESS_IOCTL_DEV;
    return access;
}

static int create(int abi)
{
    struct ruleset ruleset = {.handled_access_fs = handled(abi)};
    size_t size = sizeof ruleset.handled_access_fs;
    if (abi >= 6) {
        ruleset.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
        size = sizeof ruleset;
    }
    return result(syscall(SYS_landlock_create_ruleset, &ruleset, size, 0));
}

static int allow(int ruleset, int abi, const struct operation *operation)
{
    SCOPED_FD path = result(open(operation->path, O_PATH | O_CLOEXEC));
    if (path < 0) return path;
    struct stat status;
    if (fstat(path, &status) < 0) return -errno;
    uint64_t access = 0;
    if (operation->op->flags & LANDLOCK_READ) access |= ACCESS_READ;
    if (operation->op->flags & LANDLOCK_WRITE) access |= ACCESS_WRITE;
    if (!S_ISDIR(status.st_mode)) access &= ACCESS_OF_FILES;
    struct landlock_path_beneath_attr rule = {.allowed_access = access & handled(abi), .parent_fd = path};
    return result(syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0));
}

int landlock_restrict(struct jail *jail)
{
    int abi = result(syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION));
    if (abi == -ENOSYS || abi == -EOPNOTSUPP) return 0; /* the one listed exception: recorded in the result */
    if (abi < 0) return abi;
    SCOPED_FD ruleset = create(abi);
    if (ruleset < 0) return ruleset;
    struct operation operation;
    for (size_t offset = 0; plan_next(&jail->plan, &offset, &operation);) {
        if (operation.op->code != OP_LANDLOCK) continue;
        jail->operation = operation.index;
        jail->detail = operation.path;
        int error = allow(ruleset, abi, &operation);
        if (error < 0) return error;
    }
    int error = result(syscall(SYS_landlock_restrict_self, ruleset, 0));
    if (error >= 0) jail->landlock_abi = (unsigned)abi;
    return error;
}
