/*
 * clone.h - clone3 in the shape of vfork, for callers that share their memory with the child until it execs.
 * glibc and musl wrap neither clone3 nor CLONE_INTO_CGROUP.
 */
#ifndef COMMON_CLONE_H
#define COMMON_CLONE_H

#include <stdint.h>
#include <linux/sched.h>
#include <sys/syscall.h>

#ifndef __x86_64__
#error "Cordon's native part is written for x86_64"
#endif

#ifndef CLONE_INTO_CGROUP
#define CLONE_INTO_CGROUP 0x200000000ULL
#endif
#ifndef CLONE_CLEAR_SIGHAND
#define CLONE_CLEAR_SIGHAND 0x100000000ULL
#endif

/*
 * Runs fn(arg) in a child on args->stack, which must be set and 16-byte aligned at its top; fn's return value is
 * the child's exit code. Returns the pid, or -errno. With CLONE_VFORK the caller sleeps until the child has execed
 * or ended, so fn may write to what arg points at.
 */
static inline long clone_run(struct clone_args *args, int (*fn)(void *), void *arg)
{
    long result;
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xor %%ebp, %%ebp\n\t"
                     "mov %[arg], %%rdi\n\t"
                     "call *%[fn]\n\t"
                     "mov %%eax, %%edi\n\t"
                     "mov %[leave], %%eax\n\t"
                     "syscall\n\t"
                     "hlt\n\t"
                     "1:"
                     : "=a"(result)
                     : "a"((long)SYS_clone3), "D"(args),
                       "S"(sizeof *args), [fn] "r"(fn), [arg] "r"(arg), [leave] "i"(SYS_exit_group)
                     : "rcx", "r11", "memory");
    return result;
}

#endif
