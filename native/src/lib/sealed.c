/* sealed.c - bytes that neither end can change after they were checked. */
#include "cordon.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

int32_t cordon_abi_version(void)
{
    return CORDON_ABI_VERSION;
}

/* The supervisor's program is such a memfd, so it must be executable; kernels before 6.3 know no MFD_EXEC. */
static int make(const char *name)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);
    if (fd < 0 && errno == EINVAL) fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return fd;
}

static int fill(int fd, const char *bytes, uint64_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, bytes, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return -errno;
        bytes += written;
        length -= (uint64_t)written;
    }
    return 0;
}

int32_t cordon_sealed(const char *name, const void *bytes, uint64_t length)
{
    int fd = make(name);
    if (fd < 0) return -errno;
    int error = fill(fd, bytes, length);
    if (error == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0)
        error = -errno;
    if (error == 0 && lseek(fd, 0, SEEK_SET) < 0) error = -errno;
    if (error == 0) return fd;
    close(fd);
    return error;
}
