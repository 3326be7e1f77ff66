/* idmap.c - which host ids the jail's ids are. Every write is checked: a short one would map something else. */
#include "idmap.h"
#include "sys.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

static int write_proc(pid_t pid, const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    SCOPED_FD file = result(open(path, O_WRONLY | O_CLOEXEC));
    if (file < 0) return file;
    ssize_t written = write(file, text, strlen(text));
    if (written < 0) return -errno;
    return (size_t)written == strlen(text) ? 0 : -EIO;
}

static int write_single(struct jail *jail, pid_t pid, const char *name, uint32_t inside, uint32_t outside)
{
    char text[64];
    snprintf(text, sizeof text, "%u %u 1\n", inside, outside);
    jail->detail = name;
    return write_proc(pid, name, text);
}

/* newuidmap and newgidmap are setuid helpers that check /etc/subuid and /etc/subgid. */
static int run_helper(struct jail *jail, const char *program, pid_t pid, uint32_t caller, uint32_t inside,
                      uint32_t outside)
{
    char texts[4][16];
    snprintf(texts[0], sizeof texts[0], "%d", pid);
    snprintf(texts[1], sizeof texts[1], "%u", caller);
    snprintf(texts[2], sizeof texts[2], "%u", inside);
    snprintf(texts[3], sizeof texts[3], "%u", outside);
    char *argv[] = {(char *)program, texts[0], "0", texts[1], "1", texts[2], texts[3], "1", NULL};
    char *envp[] = {NULL};
    pid_t helper;
    jail->detail = program;
    int error = posix_spawn(&helper, program, NULL, NULL, argv, envp);
    if (error != 0) return -error;
    int status;
    while (waitpid(helper, &status, 0) < 0)
        if (errno != EINTR) return -errno;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EPERM;
}

int idmap_write(struct jail *jail, pid_t init)
{
    const struct plan_header *header = jail->plan.header;
    int error;
    switch ((enum plan_ids)header->ids) {
    case IDS_SLOT:
        error = write_single(jail, init, "uid_map", header->inside_uid, header->host_uid);
        return error < 0 ? error : write_single(jail, init, "gid_map", header->inside_gid, header->host_gid);
    case IDS_CALLER:
        jail->detail = "a job is never the host's root";
        if (geteuid() == 0 || getegid() == 0) return -EPERM;
        jail->detail = "setgroups";
        error = write_proc(init, "setgroups", "deny");
        if (error >= 0) error = write_single(jail, init, "uid_map", header->inside_uid, geteuid());
        return error < 0 ? error : write_single(jail, init, "gid_map", header->inside_gid, getegid());
    case IDS_SUBID:
        error = run_helper(jail, "/usr/bin/newuidmap", init, geteuid(), header->inside_uid, header->host_uid);
        if (error < 0) return error;
        return run_helper(jail, "/usr/bin/newgidmap", init, getegid(), header->inside_gid, header->host_gid);
    }
    return -EPROTO;
}
