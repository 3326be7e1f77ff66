#ifndef JAIL_TREE_H
#define JAIL_TREE_H

#include <sys/types.h>

/*
 * Sends a signal to a command: its process group, its session and whatever descends from it. A process that left the
 * session and lost its parent is nobody's any more, and one that hides from /proc is reached through its group alone.
 */
void tree_signal(pid_t command, int signal);

#endif
