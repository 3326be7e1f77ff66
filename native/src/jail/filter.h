#ifndef JAIL_FILTER_H
#define JAIL_FILTER_H

#include "jail.h"

#include <linux/filter.h>

#define FILTER_MAX 4096 /* the kernel's BPF_MAXINSNS */

/* Reads a BPF program out of a sealed memfd. 0, or -errno. */
int filter_read(int fd, struct sock_filter *instructions, struct sock_fprog *program);

/* The step: loads jail->filter for good and keeps its notification descriptor in jail->listener, unless it learns. */
int filter_load(struct jail *jail);

/* Loads a filter in the calling process and returns its notification descriptor; async-signal-safe. Or -errno. */
int filter_listen(const struct sock_fprog *program);

/* Stacks the job's own filter in the calling process; it is async-signal-safe. 0, or -errno. */
int filter_stack(const struct sock_fprog *program);

#endif
