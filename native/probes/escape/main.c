/*
 * main.c - cordon-probes: one escape attempt of the threat list for each id.
 *
 *   cordon-probes [--control] ID [ARGUMENT...]   exit 0: every attempt was refused; 10: one came through; 20: could
 * not try cordon-probes list                           ids and titles cordon-probes ROLE [ARGUMENT...]             a
 * process that a harness needs beside a probe: see roles.c
 */
#include "probe.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct probe *const FAMILIES[] = {
    A_HANDLES, A_IDENTITY, A_SECRETS, B_FILTER,    B_CALLS,   B_SURFACE, B_PROFILE, B_NETLINK, B_TRACE,
    C_TREES,   C_ROOT,     C_SPACE,   D_PROCESSES, E_BETWEEN, E_HOST,    F_NETWORK, D_SOCKETS,
};

static const struct probe *find(const char *id)
{
    for (size_t family = 0; family < ARRAY_LENGTH(FAMILIES); family++)
        for (const struct probe *probe = FAMILIES[family]; probe->id != NULL; probe++)
            if (strcmp(probe->id, id) == 0) return probe;
    return NULL;
}

static int list(void)
{
    for (size_t family = 0; family < ARRAY_LENGTH(FAMILIES); family++)
        for (const struct probe *probe = FAMILIES[family]; probe->id != NULL; probe++)
            printf("%s %s\n", probe->id, probe->title);
    return 0;
}

int main(int argc, char **argv)
{
    int control = argc > 1 && strcmp(argv[1], "--control") == 0;
    int at = 1 + control;
    const char *what = at < argc ? argv[at] : "";
    if (strcmp(what, "list") == 0) return list();
    const struct probe *probe = find(what);
    if (probe == NULL) return role_run(argc - at, argv + at);
    struct trial trial = {
        .id = probe->id,
        .control = control,
        .root = geteuid() == 0,
        .argc = argc - at - 1,
        .argv = argv + at + 1,
        .tally = tally_make(),
    };
    probe->run(&trial);
    return tally_exit(trial.tally);
}
