/*
 * payload.c - programs whose end is known beforehand: what the tests of limits and outcomes run in a sandbox.
 * Usage: payload WHAT [NUMBER]. Each reaches its own natural end, and says so on stdout, if nothing stops it.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIB  (1024L * 1024L)
#define PAGE 4096L

static int finish(const char *what)
{
    printf("survived %s\n", what);
    return 0;
}

static void touch(char *bytes, long length)
{
    for (long at = 0; at < length; at += PAGE)
        bytes[at] = 1;
}

static int take_mapping(long mib, int flags, const char *name)
{
    char *bytes = mmap(NULL, (size_t)(mib * MIB), PROT_READ | PROT_WRITE, flags, -1, 0);
    if (bytes == MAP_FAILED) return 3;
    touch(bytes, mib * MIB);
    return finish(name);
}

static int take_anonymous(long mib)
{
    return take_mapping(mib, MAP_PRIVATE | MAP_ANONYMOUS, "anonymous");
}

static int take_shared(long mib)
{
    return take_mapping(mib, MAP_SHARED | MAP_ANONYMOUS, "shared");
}

static int fill_file(const char *path, long mib, const char *name)
{
    static char block[MIB];
    memset(block, 'x', sizeof block);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return 3;
    for (long i = 0; i < mib; i++) {
        ssize_t written = write(file, block, sizeof block);
        if (written != (ssize_t)sizeof block) {
            printf("stopped at %ld MiB: %s\n", i, strerror(written < 0 ? errno : ENOSPC));
            return 4;
        }
    }
    return finish(name);
}

static int take_tmpfs(long mib)
{
    return fill_file("/tmp/fill", mib, "tmpfs");
}

static int fill_disk(long mib)
{
    return fill_file("fill", mib, "disk");
}

/* Space that no name leads to any more counts all the same. */
static int fill_deleted(long mib)
{
    static char block[MIB];
    for (long i = 0; i < mib; i++) {
        int file = open("gone", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0 || unlink("gone") < 0 || write(file, block, sizeof block) != (ssize_t)sizeof block) {
            printf("stopped at %ld MiB: %s\n", i, strerror(errno));
            return 4;
        }
    }
    return finish("deleted");
}

static int fill_inodes(long count)
{
    for (long i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "n%ld", i);
        int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0) {
            printf("stopped at %ld files: %s\n", i, strerror(errno));
            return 4;
        }
        close(file);
    }
    return finish("inodes");
}

/* Reads a file that is larger than the limit again and again: the page cache is charged, and given back. */
static int read_cache(long mib)
{
    static char block[MIB];
    int status = fill_file("cached", mib, "cache");
    if (status != 0) return status;
    for (int round = 0; round < 3; round++) {
        int file = open("cached", O_RDONLY | O_CLOEXEC);
        while (read(file, block, sizeof block) > 0) {
        }
        close(file);
    }
    return 0;
}

static int take_pipes(long count)
{
    static char block[64 * 1024];
    for (long i = 0; i < count; i++) {
        int ends[2];
        if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) < 0) {
            printf("stopped at %ld pipes: %s\n", i, strerror(errno));
            return 4;
        }
        while (write(ends[1], block, sizeof block) > 0) {
        }
    }
    return finish("pipes");
}

/* Forks for `seconds` as fast as it can; the children live on. */
static int bomb_forks(long seconds)
{
    time_t end = time(NULL) + seconds;
    long refused = 0;
    while (time(NULL) < end) {
        pid_t pid = fork();
        if (pid < 0) refused++;
    }
    if (getppid() == 1) printf("refused %s\n", refused > 0 ? "some" : "none");
    return 0;
}

static void *sleep_forever(void *unused)
{
    pause();
    return unused;
}

static int bomb_threads(long count)
{
    for (long i = 0; i < count; i++) {
        pthread_t thread;
        pthread_attr_t small;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, 16384);
        int error = pthread_create(&thread, &small, sleep_forever, NULL);
        if (error != 0) {
            printf("stopped at %ld threads: %s\n", i, strerror(error));
            return 4;
        }
    }
    return finish("threads");
}

static int wait_forever(long unused)
{
    (void)unused;
    printf("ready\n");
    fflush(stdout);
    for (;;)
        pause();
    return 0;
}

/* Starts `count` sleeping processes, says so, and waits to be killed. */
static int crowd(long count)
{
    for (long i = 0; i < count; i++) {
        pid_t pid = fork();
        if (pid < 0) {
            printf("stopped at %ld processes: %s\n", i, strerror(errno));
            return 4;
        }
        if (pid == 0) {
            signal(SIGTERM, SIG_IGN);
            for (;;)
                pause();
        }
    }
    printf("ready %ld\n", count);
    return wait_forever(0);
}

static int flood(long mib, int fd, size_t chunk)
{
    static char block[64 * 1024];
    memset(block, 'y', sizeof block);
    for (long left = mib * MIB; left > 0;) {
        ssize_t written = write(fd, block, chunk);
        if (written < 0) return 5;
        left -= written;
    }
    return 0;
}

static int flood_both(long mib)
{
    if (fork() == 0) return flood(mib, 2, 65536);
    int status = flood(mib, 1, 65536);
    wait(NULL);
    return status;
}

static int flood_line(long mib)
{
    return flood(mib, 1, 65536);
}

static int flood_bytes(long kib)
{
    char byte = 'b';
    for (long left = kib * 1024; left > 0; left--)
        if (write(1, &byte, 1) != 1) return 5;
    return 0;
}

/* Uses CPU time until this process has had `milliseconds` of it. */
static int burn(long milliseconds)
{
    struct timespec used;
    volatile unsigned long sink = 0;
    do {
        for (int i = 0; i < 100000; i++)
            sink += (unsigned long)i;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    } while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < milliseconds);
    return finish("burn");
}

static int kill_self(long number)
{
    kill(getpid(), (int)number);
    return finish("kill-self");
}

static int read_input(long unused)
{
    (void)unused;
    char block[4096];
    long total = 0;
    for (ssize_t got; (got = read(0, block, sizeof block)) > 0;)
        total += got;
    printf("read %ld\n", total);
    return 0;
}

static int open_files(long count)
{
    for (long i = 0; i < count; i++) {
        if (open("/dev/null", O_RDONLY) < 0) {
            printf("stopped at %ld files: %s\n", i, strerror(errno));
            return 4;
        }
    }
    return finish("files");
}

/* All that may be open, for so long; 0: until somebody ends it. */
static int hold_files(long seconds)
{
    while (open("/dev/null", O_RDONLY) >= 0) {
    }
    if (errno != EMFILE) return 7;
    do
        sleep(seconds > 0 ? (unsigned)seconds : 60);
    while (seconds == 0);
    return 0;
}

static int hold_twenty(long seconds)
{
    for (int i = 0; i < 20; i++)
        if (open("/dev/null", O_RDONLY) < 0) return 7;
    sleep((unsigned)seconds);
    return 0;
}

static int make_pipe(void)
{
    int pair[2];
    return pipe(pair);
}

static int make_epoll(void)
{
    return epoll_create1(0);
}

static int make_inotify(void)
{
    return inotify_init1(0);
}

static int make_event(void)
{
    return eventfd(0, 0);
}

static int make_clock(void)
{
    return timerfd_create(CLOCK_MONOTONIC, 0);
}

static int make_sockets(void)
{
    int pair[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
}

static int make_memory(void)
{
    return memfd_create("payload", 0);
}

static int make_timer(void)
{
    timer_t timer;
    struct sigevent silent = {.sigev_notify = SIGEV_NONE};
    return timer_create(CLOCK_MONOTONIC, &silent, &timer);
}

static int make_semaphores(void)
{
    return semget(IPC_PRIVATE, 1, 0600);
}

static int make_segment(void)
{
    return shmget(IPC_PRIVATE, 4096, 0600);
}

static int make_mapping(void)
{
    static int turn; /* neighbours that differ are not merged into one */
    return mmap(NULL, 4096, ++turn % 2 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1
                                                                                                                  : 0;
}

/* D-14: what the kernel holds for a process, each kind in a child until it is refused, at most `count` of each. */
static int take_handles(long count)
{
    static const struct {
        const char *name;
        int (*make)(void);
    } KINDS[] = {
        {"pipes", make_pipe},       {"epolls", make_epoll},     {"inotifies", make_inotify},
        {"eventfds", make_event},   {"timerfds", make_clock},   {"sockets", make_sockets},
        {"memfds", make_memory},    {"timers", make_timer},     {"semaphores", make_semaphores},
        {"segments", make_segment}, {"mappings", make_mapping},
    };
    int unstopped = 0;
    for (size_t kind = 0; kind < sizeof KINDS / sizeof *KINDS; kind++) {
        pid_t pid = fork();
        if (pid == 0) {
            long made = 0;
            while (made < count && KINDS[kind].make() >= 0)
                made++;
            printf("%s %ld %s\n", KINDS[kind].name, made, made < count ? strerror(errno) : "not stopped");
            fflush(stdout);
            _exit(made < count ? 0 : 1);
        }
        int status = -1;
        if (pid < 0 || waitpid(pid, &status, 0) < 0) return 3;
        unstopped += status != 0;
    }
    return unstopped == 0 ? 4 : finish("handles");
}

/* Leaves processes behind: double fork, own session, ignoring what can be ignored. */
static int leave_orphans(long count)
{
    for (long i = 0; i < count; i++) {
        if (fork() != 0) continue;
        if (fork() != 0) _exit(0);
        setsid();
        signal(SIGHUP, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
        for (;;)
            pause();
    }
    return finish("orphans");
}

static int try_ptrace(long unused)
{
    (void)unused;
    long done = syscall(SYS_ptrace, 0 /* PTRACE_TRACEME */, 0, 0, 0);
    printf("ptrace %s\n", done < 0 ? strerror(errno) : "done");
    return done < 0 ? 6 : 0;
}

static int try_bpf(long unused)
{
    (void)unused;
    long done = syscall(SYS_bpf, 0 /* BPF_MAP_CREATE */, NULL, 0);
    printf("bpf %s\n", done < 0 ? strerror(errno) : "done");
    return done < 0 ? 6 : 0;
}

static int try_socket(long family)
{
    int fd = socket((int)family, SOCK_STREAM, 0);
    printf("socket %s\n", fd < 0 ? strerror(errno) : "done");
    return fd < 0 ? 6 : 0;
}

static const struct {
    const char *name;
    int (*run)(long number);
} PAYLOADS[] = {
    {"anonymous", take_anonymous}, {"shared", take_shared},      {"tmpfs", take_tmpfs},  {"disk", fill_disk},
    {"deleted", fill_deleted},     {"inodes", fill_inodes},      {"cache", read_cache},  {"pipes", take_pipes},
    {"forkbomb", bomb_forks},      {"threadbomb", bomb_threads}, {"crowd", crowd},       {"flood-both", flood_both},
    {"flood-line", flood_line},    {"flood-bytes", flood_bytes}, {"burn", burn},         {"kill-self", kill_self},
    {"wait", wait_forever},        {"stdin", read_input},        {"files", open_files},  {"hold-files", hold_files},
    {"hold-twenty", hold_twenty},  {"orphans", leave_orphans},   {"ptrace", try_ptrace}, {"bpf", try_bpf},
    {"socket", try_socket},        {"handles", take_handles},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc >= 2 && i < sizeof PAYLOADS / sizeof *PAYLOADS; i++)
        if (strcmp(argv[1], PAYLOADS[i].name) == 0) return PAYLOADS[i].run(argc > 2 ? strtol(argv[2], NULL, 10) : 0);
    fprintf(stderr, "usage: payload WHAT [NUMBER]\n");
    return 2;
}
