/* tree.c - the processes of one command among those of the sandbox. */
#include "tree.h"
#include "sys.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PROCESSES 4096
#define MOST_ROUNDS    16 /* processes that fork while they are looked for are looked for again */

struct process {
    pid_t pid;
    pid_t parent;
    pid_t session;
    int found;
};

/* "pid (name) state ppid pgrp session ...": the name may hold anything, so it is skipped from the right. */
static int read_process(const char *name, struct process *process)
{
    char path[64];
    char text[512];
    snprintf(path, sizeof path, "/proc/%.20s/stat", name);
    SCOPED_FD file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t got = read(file, text, sizeof text - 1);
    if (got <= 0) return 0;
    text[got] = 0;
    const char *after = strrchr(text, ')');
    char state;
    int parent, session;
    if (after == NULL || sscanf(after + 1, " %c %d %*d %d", &state, &parent, &session) != 3) return 0;
    *process = (struct process){.pid = (pid_t)strtol(name, NULL, 10), .parent = parent, .session = session};
    return state != 'Z' && state != 'X' && process->pid > 1;
}

static size_t list_processes(struct process *processes)
{
    DIR *proc = opendir("/proc");
    if (proc == NULL) return 0;
    size_t count = 0;
    for (struct dirent *entry = readdir(proc); entry != NULL && count < MOST_PROCESSES; entry = readdir(proc))
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            count += read_process(entry->d_name, &processes[count]);
    closedir(proc);
    return count;
}

static int is_child_of_found(const struct process *processes, size_t count, pid_t parent)
{
    for (size_t i = 0; i < count; i++)
        if (processes[i].found && processes[i].pid == parent) return 1;
    return 0;
}

/* Marks the command's own, then their children, until no more are found. */
static void mark(struct process *processes, size_t count, pid_t command)
{
    for (size_t i = 0; i < count; i++)
        processes[i].found = processes[i].session == command || processes[i].pid == command;
    for (int more = 1; more;) {
        more = 0;
        for (size_t i = 0; i < count; i++) {
            if (processes[i].found || !is_child_of_found(processes, count, processes[i].parent)) continue;
            processes[i].found = more = 1;
        }
    }
}

void tree_signal(pid_t command, int signal)
{
    struct process *processes = calloc(MOST_PROCESSES, sizeof *processes);
    int rounds = signal == SIGKILL ? MOST_ROUNDS : 1;
    if (signal == SIGKILL) kill(-command, SIGSTOP); /* a shell is not to go on when its child dies before it */
    for (int found = 1; processes != NULL && found && rounds > 0; rounds--) {
        size_t count = list_processes(processes);
        mark(processes, count, command);
        found = 0;
        for (size_t i = 0; i < count; i++)
            if (processes[i].found && processes[i].pid != command && kill(processes[i].pid, signal) == 0) found = 1;
    }
    free(processes);
    kill(-command, signal); /* last: its death gives its children to init, and who they were is lost */
}
