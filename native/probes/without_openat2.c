/*
 * without_openat2.c - runs a program on a kernel that does not know openat2, or so it seems: every call answers
 * ENOSYS, in the program and in all that it starts. What relies on openat2 to stay below a directory has to refuse
 * its work. Usage: without_openat2 PROGRAM [ARGUMENT...]
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof instructions / sizeof *instructions, .filter = instructions};
    if (argc < 2) return 2;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
        perror("seccomp");
        return 2;
    }
    execv(argv[1], argv + 1);
    perror(argv[1]);
    return 2;
}
