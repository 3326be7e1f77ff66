/*
 * roles.c - what a harness needs beside a probe. Each says "ready" on stdout and ends with its stdin, or when it is
 * killed.
 *
 *   hold NAME NUMBER    plants everything of places.c and keeps it
 *   serve NAME          listens on the abstract sockets NAME and NAME-datagram
 *   lock FILE           holds locks of both kinds on FILE
 *   open FILE           opens FILE and /dev/zero and reads of them, again and again
 *   wait [TEXT...]      only waits: a process with arguments, an environment and a pid
 *   litter DIRECTORY    leaves a directory full of what a reader of a job's output can stumble over
 */
#include "places.h"
#include "probe.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int wait_for_end(void)
{
    char byte;
    printf("ready\n");
    fflush(stdout);
    while (read(0, &byte, 1) > 0) {
    }
    return 0;
}

static int hold(int argc, char **argv)
{
    if (argc < 2) return EXIT_USAGE;
    key_t key = (key_t)strtol(argv[1], NULL, 10);
    for (unsigned i = 0; i < PLACE_COUNT; i++)
        if (PLACES[i].use(argv[0], key, 1) < 0) fprintf(stderr, "%s: %s\n", PLACES[i].name, errno_name(errno));
    int status = wait_for_end();
    places_clean(argv[0], key);
    return status;
}

static int serve(int argc, char **argv)
{
    char datagram[128];
    if (argc < 1) return EXIT_USAGE;
    snprintf(datagram, sizeof datagram, "%s-datagram", argv[0]);
    if (abstract_listen(argv[0], SOCK_STREAM) < 0 || abstract_listen(datagram, SOCK_DGRAM) < 0) return EXIT_UNTRIED;
    return wait_for_end();
}

static int lock(int argc, char **argv)
{
    struct flock range = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    int fd = argc < 1 ? -1 : open(argv[0], O_RDONLY | O_CLOEXEC);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 || fcntl(fd, F_SETLK, &range) < 0) return EXIT_UNTRIED;
    return wait_for_end();
}

static void open_and_read(const char *path)
{
    char byte;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    ssize_t ignored = read(fd, &byte, 1);
    (void)ignored;
    close(fd);
}

static int open_often(int argc, char **argv)
{
    if (argc < 1) return EXIT_USAGE;
    printf("ready\n");
    fflush(stdout);
    for (struct pollfd input = {.fd = 0, .events = POLLIN}; poll(&input, 1, 5) == 0;) {
        open_and_read(argv[0]);
        open_and_read("/dev/zero");
    }
    return 0;
}

static int only_wait(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return wait_for_end();
}

/* ---- litter ---- */

#define DEPTH 400

static int put(const char *name, const char *text)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return -1;
    ssize_t written = write(fd, text, strlen(text));
    close(fd);
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

static int dig(void)
{
    for (int i = 0; i < DEPTH; i++)
        if (mkdir("d", 0755) < 0 || chdir("d") < 0) return -1;
    return put("bottom", "bottom");
}

static int litter(int argc, char **argv)
{
    char longest[256];
    memset(longest, 'l', 255);
    longest[255] = 0;
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    if (argc < 1 || chdir(argv[0]) < 0) return EXIT_USAGE;
    int failed = put("regular", "regular\n") < 0;
    failed |= symlink("/etc/passwd", "link-to-host") < 0;
    failed |= symlink("/proc/self/environ", "link-to-proc") < 0;
    failed |= symlink("/", "link-to-root") < 0;
    failed |= link("regular", "hard") < 0;
    failed |= mkfifo("fifo", 0666) < 0;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    failed |= fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0;
    failed |= put("sparse", "s") < 0 || truncate("sparse", 1L << 30) < 0;
    failed |= put("new\nline", "newline") < 0;
    failed |= put("\xff\xfe", "not UTF-8") < 0;
    failed |= put(longest, "longest") < 0;
    failed |= dig() < 0;
    return failed ? EXIT_UNTRIED : EXIT_DENIED;
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} ROLES[] = {{"hold", hold},       {"serve", serve},    {"lock", lock},
             {"open", open_often}, {"wait", only_wait}, {"litter", litter}};

int role_run(int argc, char **argv)
{
    for (size_t i = 0; argc > 0 && i < ARRAY_LENGTH(ROLES); i++)
        if (strcmp(argv[0], ROLES[i].name) == 0) return ROLES[i].run(argc - 1, argv + 1);
    fprintf(stderr, "usage: cordon-probes [--control] ID [ARGUMENT...] | list | ROLE [ARGUMENT...]\n");
    return EXIT_USAGE;
}
