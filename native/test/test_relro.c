/* test_relro.c - the supervisor that was built beside this test, once it waits for its plan: it lies at an address
   that the kernel chose, and its relocated tables can not be written. */
#include "tap.h"

#include <elf.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CONTROL_FD = 3, PATIENCE_SECONDS = 60 };

static const char *supervisor(void)
{
    static char path[PATH_MAX];
    static char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) abort();
    const char *directory = dirname(self);
    snprintf(path, sizeof path, "%.4000s/cordon-supervisor", directory);
    if (access(path, X_OK) < 0) snprintf(path, sizeof path, "%.4000s/../cordon-supervisor", directory);
    return path;
}

static pid_t start(int control)
{
    pid_t pid = fork();
    if (pid != 0) return pid;
    alarm(PATIENCE_SECONDS); /* kept over exec */
    if (dup2(control, CONTROL_FD) < 0) _exit(98);
    execl(supervisor(), "cordon-supervisor", NULL);
    _exit(97);
}

/* Whether the process, after its exec, sleeps: it does so for its first message, and not before. */
static int sleeps(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    char name[32] = "";
    char state = 0;
    FILE *file = fopen(path, "re");
    if (file == NULL) return 0;
    int found = fscanf(file, "%*d (%31[^)]) %c", name, &state);
    fclose(file);
    return found == 2 && strcmp(name, "cordon-supervis") == 0 && state == 'S';
}

static Elf64_Phdr relro_of(const char *path)
{
    Elf64_Ehdr header;
    Elf64_Phdr part = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || pread(fd, &header, sizeof header, 0) != sizeof header) abort();
    for (int i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr each;
        off_t at = (off_t)(header.e_phoff + (size_t)i * sizeof each);
        if (pread(fd, &each, sizeof each, at) == sizeof each && each.p_type == PT_GNU_RELRO) part = each;
    }
    close(fd);
    return part;
}

/* Reads the map of the process: where its program begins, and the rights of the part that has the offset. */
static uintptr_t map_of(pid_t pid, uintptr_t offset, char rights[5])
{
    char path[64];
    char line[PATH_MAX + 128];
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    uintptr_t base = 0;
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        unsigned long begin = 0;
        unsigned long end = 0;
        char found[5] = "";
        if (strstr(line, "/cordon-supervisor") == NULL || sscanf(line, "%lx-%lx %4s", &begin, &end, found) != 3)
            continue;
        if (base == 0) base = begin;
        if (begin <= base + offset && base + offset < end) memcpy(rights, found, sizeof found);
    }
    if (file != NULL) fclose(file);
    return base;
}

static uintptr_t look(struct tap *tap)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) abort();
    pid_t pid = start(pair[1]);
    while (!sleeps(pid) && waitpid(pid, NULL, WNOHANG) == 0)
        sched_yield();
    Elf64_Phdr relro = relro_of(supervisor());
    char rights[5] = "none";
    uintptr_t base = map_of(pid, relro.p_vaddr, rights);
    tap_ok(tap, relro.p_memsz > 0 && strcmp(rights, "r--p") == 0, "relocated tables of a waiting supervisor: %s",
           rights);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(pair[0]);
    close(pair[1]);
    return base;
}

int main(void)
{
    struct tap tap = {0};
    uintptr_t first = look(&tap);
    uintptr_t second = look(&tap);
    tap_ok(&tap, first != 0 && first != second, "two supervisors are at two addresses: %#lx and %#lx", first, second);
    return tap_end(&tap);
}
