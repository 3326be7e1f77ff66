/*
 * cordon.h - the C ABI of libcordon.so, which lives inside the JVM.
 *
 * Rules of this ABI: fixed-width integers; structs start with their own size; every function returns a value >= 0
 * or -errno; nothing is kept between calls but what the caller holds a descriptor of; no function raises a signal,
 * writes to a standard stream or ends the process.
 */
#ifndef CORDON_H
#define CORDON_H

#include <stdint.h>

#define CORDON_ABI_VERSION 1

#define CORDON_EXPORT __attribute__((visibility("default")))

/* The supervisor's argv0 when its plan will be a jail's: what every jail needs is made while the plan is. */
#define CORDON_SUPERVISOR_OF_JAIL "cordon-supervisor: jail"

/* What cordon_spawn starts, and what it gives back. */
struct cordon_spawn_args {
    uint32_t size;      /* sizeof(struct cordon_spawn_args) */
    int32_t exec_fd;    /* the program, opened O_PATH or a sealed memfd */
    int32_t control_fd; /* becomes descriptor 3 of the program */
    int32_t stderr_fd;  /* becomes descriptor 2; -1: /dev/null. 0 and 1 are always /dev/null */
    int32_t cgroup_fd;  /* a cgroup v2 directory to be born in; -1: the caller's own */
    int32_t pidfd;      /* out: pidfd of the program */
    const char *argv0;  /* the program's only argument */
};

/* One readiness report of cordon_poll_wait. */
struct cordon_event {
    uint64_t token;  /* as given to cordon_poll_set */
    uint32_t events; /* EPOLLIN and so on */
    uint32_t reserved;
};

/* The version of this ABI that the library was built with. */
CORDON_EXPORT int32_t cordon_abi_version(void);

/*
 * Starts a program in the shape of posix_spawn: clone3(CLONE_VM|CLONE_VFORK|CLONE_PIDFD[|CLONE_INTO_CGROUP]) on a
 * stack of its own, all signals blocked, every descriptor above 3 closed on exec, an empty environment.
 * Returns the pid and sets args->pidfd; a failed exec is reported as its -errno.
 * The program starts with all signals blocked and all dispositions default. It raises no SIGCHLD: cordon_reap it.
 */
CORDON_EXPORT int32_t cordon_spawn(struct cordon_spawn_args *args);

/*
 * Starts a program of the host in the same shape: fds become its descriptors 0, 1, ... and nothing else is open; it
 * leads a session of its own, and its signals are as a shell would leave them. Returns the pid and sets *pidfd.
 */
CORDON_EXPORT int32_t cordon_start(const char *path, char *const *argv, char *const *envp, const int32_t *fds,
                                   uint32_t fd_count, int32_t *pidfd);

/* Reaps an ended program without waiting. Returns its wait status, -EAGAIN while it runs, -ECHILD when unknown. */
CORDON_EXPORT int32_t cordon_reap(int32_t pidfd);

/* Makes a pair of connected SOCK_SEQPACKET sockets, both close-on-exec; the first is non-blocking, for the JVM. */
CORDON_EXPORT int32_t cordon_channel(int32_t *pair);

/* As before, but SOCK_STREAM sockets. */
CORDON_EXPORT int32_t cordon_stream(int32_t *pair);

/* Sends one message with descriptors. Returns its length, or -EAGAIN when the peer's queue is full. */
CORDON_EXPORT int64_t cordon_send(int32_t fd, const void *bytes, uint32_t length, const int32_t *fds,
                                  uint32_t fd_count);

/*
 * Receives one message. *fd_count is the room in fds on entry, the number received on return. Returns the length,
 * 0 at end of file, -EAGAIN when there is none, -EMSGSIZE when the message or its descriptors did not fit (they are
 * closed).
 */
CORDON_EXPORT int64_t cordon_receive(int32_t fd, void *bytes, uint32_t capacity, int32_t *fds, uint32_t *fd_count);

/* Makes a memfd with these bytes that nobody can change any more. Returns the descriptor. */
CORDON_EXPORT int32_t cordon_sealed(const char *name, const void *bytes, uint64_t length);

/* As before, but with a copy of a regular file's content, whose holes stay holes; not executable. */
CORDON_EXPORT int32_t cordon_sealed_copy(const char *name, int32_t file);

/* An epoll set: open, set the interest of a descriptor (events 0 removes it), wait. */
CORDON_EXPORT int32_t cordon_poll_open(void);
CORDON_EXPORT int32_t cordon_poll_set(int32_t poll, int32_t fd, uint32_t events, uint64_t token);
CORDON_EXPORT int32_t cordon_poll_wait(int32_t poll, struct cordon_event *events, uint32_t capacity,
                                       int32_t timeout_ms);

#endif
