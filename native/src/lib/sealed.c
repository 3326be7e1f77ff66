/* sealed.c - bytes that neither end can change after they were checked. */
#include "cordon.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif
#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

int32_t cordon_abi_version(void)
{
    return CORDON_ABI_VERSION;
}

/* Kernels before 6.3 know neither MFD_EXEC nor MFD_NOEXEC_SEAL. */
static int make(const char *name, unsigned executable)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | executable);
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

static int copy_range(int to, int from, off_t start, off_t end)
{
    if (lseek(to, start, SEEK_SET) < 0) return -errno;
    while (start < end) {
        ssize_t copied = sendfile(to, from, &start, (size_t)(end - start));
        if (copied < 0 && errno == EINTR) continue;
        if (copied < 0) return -errno;
        if (copied == 0) return -EIO; /* it was cut meanwhile */
    }
    return 0;
}

/* Only what is written takes room in the copy: the memory of a machine is mostly holes. */
static int copy_data(int to, int from)
{
    struct stat status;
    if (fstat(from, &status) < 0) return -errno;
    if (!S_ISREG(status.st_mode)) return -EINVAL;
    if (ftruncate(to, status.st_size) < 0) return -errno;
    for (off_t at = 0; at < status.st_size;) {
        off_t data = lseek(from, at, SEEK_DATA);
        if (data < 0) return errno == ENXIO ? 0 : -errno;
        off_t hole = lseek(from, data, SEEK_HOLE);
        if (hole < 0) return -errno;
        if (hole > status.st_size) hole = status.st_size;
        int error = copy_range(to, from, data, hole);
        if (error < 0) return error;
        at = hole;
    }
    return 0;
}

/* Takes over `fd`: returns it sealed, or closes it. */
static int32_t seal(int fd, int error)
{
    if (error == 0 && fcntl(fd, F_ADD_SEALS, SEALS) < 0) error = -errno;
    if (error == 0 && lseek(fd, 0, SEEK_SET) < 0) error = -errno;
    if (error == 0) return fd;
    close(fd);
    return error;
}

int32_t cordon_sealed(const char *name, const void *bytes, uint64_t length)
{
    int fd = make(name, MFD_EXEC); /* the supervisor's program is such a memfd */
    if (fd < 0) return -errno;
    return seal(fd, fill(fd, bytes, length));
}

int32_t cordon_sealed_copy(const char *name, int32_t file)
{
    int fd = make(name, MFD_NOEXEC_SEAL);
    if (fd < 0) return -errno;
    return seal(fd, copy_data(fd, file));
}
