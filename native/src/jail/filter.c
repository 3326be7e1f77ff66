/* filter.c - loading BPF programs that the control plane compiled with libseccomp. */
#include "filter.h"
#include "sys.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>

int filter_read(int fd, struct sock_filter *instructions, struct sock_fprog *program)
{
    struct stat status;
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || !(seals & F_SEAL_WRITE)) return -EPROTO;
    if (fstat(fd, &status) < 0) return -errno;
    size_t bytes = (size_t)status.st_size;
    if (bytes == 0 || bytes % sizeof *instructions != 0 || bytes / sizeof *instructions > FILTER_MAX) return -EPROTO;
    ssize_t got = pread(fd, instructions, bytes, 0);
    if (got < 0) return -errno;
    if ((size_t)got != bytes) return -EPROTO;
    *program = (struct sock_fprog){.len = (unsigned short)(bytes / sizeof *instructions), .filter = instructions};
    return 0;
}

int filter_listen(const struct sock_fprog *program)
{
    /* Without WAIT_KILLABLE_RECV a signal turns a pending notification into EINTR; kernels before 5.19 lack it. */
    unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    int listener = result(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, program));
    if (listener != -EINVAL) return listener;
    return result(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, program));
}

int filter_load(struct jail *jail)
{
    struct sock_filter instructions[FILTER_MAX];
    struct sock_fprog program;
    jail->detail = "reading the program";
    int error = filter_read(jail->filter, instructions, &program);
    if (error < 0) return error;
    jail->detail = "loading the program";
    if (jail->observe >= 0) return filter_stack(&program); /* the listener is that of the command's own filter */
    int listener = filter_listen(&program);
    if (listener < 0) return listener;
    jail->listener = listener;
    return 0;
}

int filter_stack(const struct sock_fprog *program)
{
    return result(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, program));
}
