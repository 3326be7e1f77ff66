/* a_secrets.c - the caller's secrets, terminal and keys. */
#include "probe.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#ifndef TIOCLINUX
#define TIOCLINUX 0x541C
#endif
#define BIT_32 (1UL << 32)

/* ---- a canary in the control plane's environment, arguments and files ---- */

extern char **environ;

struct search {
    struct trial *trial;
    char canary[128];
    char found[256];
};

/* The canary comes backwards, so that our own arguments do not hold it. */
static int prepare_search(struct search *search)
{
    const char *backwards = argument(search->trial, 0, "");
    size_t length = strlen(backwards);
    if (length < 8 || length >= sizeof search->canary) return -1;
    for (size_t i = 0; i < length; i++)
        search->canary[i] = backwards[length - 1 - i];
    return 0;
}

static int holds(const struct search *search, const char *path)
{
    static char text[256 * 1024];
    ssize_t length = read_text(path, text, sizeof text);
    return length > 0 && memmem(text, (size_t)length, search->canary, strlen(search->canary)) != NULL;
}

static void note(struct search *search, const char *where)
{
    if (search->found[0] == 0) snprintf(search->found, sizeof search->found, "%s", where);
}

static void conclude(struct search *search, const char *attempt)
{
    if (search->found[0] != 0)
        tell_escaped(search->trial, attempt, "found in %s", search->found);
    else
        tell_denied_as(search->trial, attempt, "not found");
    search->found[0] = 0;
}

static int visit_process(void *context, const char *path, const char *name, unsigned char type)
{
    struct search *search = context;
    char file[4200];
    if (type != DT_DIR || !isdigit((unsigned char)name[0])) return 1;
    static const char *const FILES[] = {"environ", "cmdline"};
    for (size_t i = 0; i < ARRAY_LENGTH(FILES); i++) {
        snprintf(file, sizeof file, "%s/%s", path, FILES[i]);
        if (holds(search, file)) note(search, file);
    }
    return 1;
}

/* The programs of the host image are not searched: what is there, everybody has. */
static int visit_file(void *context, const char *path, const char *name, unsigned char type)
{
    static const char *const SKIPPED[] = {"/usr", "/proc", "/sys", "/dev", "/bin", "/sbin", "/lib", "/lib64"};
    struct search *search = context;
    for (size_t i = 0; i < ARRAY_LENGTH(SKIPPED); i++)
        if (strcmp(path, SKIPPED[i]) == 0) return 1;
    if (strstr(name, search->canary) != NULL || (type == DT_REG && holds(search, path))) note(search, path);
    return 0;
}

static void search_secrets(struct trial *trial)
{
    struct search search = {.trial = trial};
    if (prepare_search(&search) < 0) {
        tell_untried(trial, "secrets", "no canary was given");
        return;
    }
    for (char **entry = environ; *entry != NULL; entry++)
        if (strstr(*entry, search.canary) != NULL) note(&search, "the environment");
    conclude(&search, "environment");
    walk("/proc", 0, visit_process, &search);
    conclude(&search, "other processes");
    for (int i = 1; i < trial->argc; i++)
        walk(trial->argv[i], 16, visit_file, &search);
    conclude(&search, "files");
}

/* ---- typing into the caller's terminal ---- */

static int open_terminal(void)
{
    int master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0) return -1;
    char name[64];
    if (ptsname_r(master, name, sizeof name) != 0) return -1;
    if (setsid() < 0) return -1;
    int terminal = open(name, O_RDWR | O_CLOEXEC);
    if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) < 0) return -1;
    struct termios raw;
    if (tcgetattr(terminal, &raw) == 0) {
        cfmakeraw(&raw);
        tcsetattr(terminal, TCSANOW, &raw);
    }
    return terminal;
}

/* Raw, because libc takes the command as an int and the upper half is the point. */
static void type_into(struct trial *trial, const char *what, int fd, unsigned long upper)
{
    char letter = 'x', attempt[96];
    char shift_state = 6; /* TIOCL_GETSHIFTSTATE: asks, changes nothing */
    snprintf(attempt, sizeof attempt, "TIOCSTI%s on %s", upper ? " | 1<<32" : "", what);
    long typed = syscall(SYS_ioctl, fd, TIOCSTI | upper, &letter);
    if (typed < 0 && errno == EIO && trial->control)
        tell_untried(trial, attempt, "dev.tty.legacy_tiocsti is 0 on this host");
    else
        tell_call(trial, attempt, typed);
    snprintf(attempt, sizeof attempt, "TIOCLINUX%s on %s", upper ? " | 1<<32" : "", what);
    tell_answer(trial, attempt, syscall(SYS_ioctl, fd, TIOCLINUX | upper, &shift_state));
}

/* A terminal of our own shows whether the calls go through; in a sandbox it is all that there is. */
static void try_terminal(struct trial *trial, const void *unused)
{
    (void)unused;
    int terminal = open_terminal();
    if (terminal < 0) {
        tell_untried(trial, "a terminal of its own", "%s", errno_name(errno));
        return;
    }
    type_into(trial, "its own terminal", terminal, 0);
    type_into(trial, "its own terminal", terminal, BIT_32);
}

/* The job's standard streams are not terminals. The control puts itself on one, as a shell would. */
static void try_standard_streams(struct trial *trial, const void *unused)
{
    static const char *const NAMES[] = {"stdin is a terminal", "stdout is a terminal", "stderr is a terminal"};
    (void)unused;
    int terminal = trial->control ? open_terminal() : -1;
    for (int fd = 0; fd < 3; fd++)
        if (isatty(terminal >= 0 ? terminal : fd))
            tell_escaped(trial, NAMES[fd], "it is");
        else
            tell_denied_as(trial, NAMES[fd], "it is none");
    tell_call(trial, "open /dev/tty", open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY));
}

static void inject(struct trial *trial)
{
    try_in_child(trial, "a terminal of its own", try_terminal, NULL);
    try_in_child(trial, "standard streams", try_standard_streams, NULL);
}

/* ---- keys ---- */

/* The thread's own keyring ends with the thread: the control leaves nothing behind. */
static void try_keys(struct trial *trial, const void *unused)
{
    static const char DESCRIPTION[] = "cordon-probe";
    (void)unused;
    tell_call(trial, "add_key", syscall(SYS_add_key, "user", DESCRIPTION, "canary", 6, KEY_SPEC_THREAD_KEYRING));
    tell_call(trial, "request_key", syscall(SYS_request_key, "user", DESCRIPTION, NULL, 0));
    tell_call(trial, "keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_THREAD_KEYRING, 1));
}

static void use_keys(struct trial *trial)
{
    try_in_child(trial, "keyrings", try_keys, NULL);
}

const struct probe A_SECRETS[] = {
    {"A-07", "the caller's environment, arguments and files", search_secrets},
    {"A-08", "typing into a terminal", inject},
    {"A-09", "keyrings", use_keys},
    {NULL, NULL, NULL},
};
