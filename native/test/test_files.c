/* test_files.c - C-04, init's half: whatever a job leaves lying about, a request reaches regular files below its root
 * alone. */
#include "files.h"
#include "sys.h"
#include "tap.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#define DEEP 1000

struct asked {
    struct wire_filed answer;
    int fd;
};

static struct asked ask_bytes(enum wire_file_op op, const char *path, const void *content, size_t bytes)
{
    static struct wire_message message;
    struct asked asked;
    struct wire_file request = {
        .size = sizeof request,
        .op = op,
        .mode = 07777,
        .path_bytes = (uint32_t)strlen(path) + 1,
    };
    memcpy(message.body, &request, sizeof request);
    memcpy(message.body + sizeof request, path, request.path_bytes);
    memcpy(message.body + sizeof request + request.path_bytes, content, bytes);
    message.header.length = (uint32_t)(sizeof request + request.path_bytes + bytes);
    files_serve(&message, &asked.answer, &asked.fd);
    return asked;
}

static struct asked ask_with(enum wire_file_op op, const char *path, const char *content)
{
    return ask_bytes(op, path, content, strlen(content));
}

/* The errno of a move. */
static int moved(const char *path, const char *target)
{
    return ask_bytes(FILE_MOVE, path, target, strlen(target) + 1).answer.error;
}

static struct asked ask(enum wire_file_op op, const char *path)
{
    return ask_with(op, path, "");
}

/* The errno of a request; a descriptor that it opened is closed. */
static int refusal(enum wire_file_op op, const char *path)
{
    struct asked asked = ask(op, path);
    if (asked.fd >= 0) close(asked.fd);
    return asked.answer.error;
}

static int reads(const char *path, const char *expected)
{
    char text[64] = "";
    struct asked asked = ask(FILE_READ, path);
    if (asked.fd < 0) return 0;
    ssize_t got = read(asked.fd, text, sizeof text - 1);
    close(asked.fd);
    return got == (ssize_t)strlen(expected) && strcmp(text, expected) == 0;
}

static void put(const char *name, const char *text)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text)) abort();
    close(fd);
}

/* ROOT/outside is a file of the host's; ROOT/job is what the job sees as /. */
static void litter(void)
{
    char root[] = "/tmp/cordon-files-XXXXXX";
    if (mkdtemp(root) == NULL || chdir(root) < 0 || mkdir("job", 0755) < 0 || mkdir("host", 0755) < 0) abort();
    put("outside", "outside");
    put("host/file", "host");
    char absolute[128];
    snprintf(absolute, sizeof absolute, "%s/outside", root);
    if (chdir("job") < 0) abort();
    put("regular", "regular");
    put("new\nline", "newline");
    put("\xff\xfe", "bytes");
    int failed = symlink(absolute, "absolute") | symlink("../outside", "relative") | symlink("../host", "directory") |
                 symlink("/proc/self/root", "magic") | mkfifo("fifo", 0666) | mkdir("below", 0755);
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (failed != 0 || fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0) abort();
    close(fd);
}

static void test_reading(struct tap *tap)
{
    tap_ok(tap, reads("/regular", "regular"), "a regular file is read");
    tap_ok(tap, reads("/new\nline", "newline") && reads("/\xff\xfe", "bytes"), "strange names are names");
    tap_ok(tap, refusal(FILE_READ, "/absolute") == ELOOP, "a link to a file of the host is refused");
    tap_ok(tap, refusal(FILE_READ, "/relative") == ELOOP, "a link upwards is refused");
    tap_ok(tap, refusal(FILE_READ, "/directory/file") == ELOOP, "a link on the way is refused");
    tap_ok(tap, refusal(FILE_READ, "/magic/etc/passwd") == ELOOP, "a link to a magic link is refused");
    tap_ok(tap, refusal(FILE_READ, "/../outside") == ENOENT, "the way up ends at the root");
    tap_ok(tap, refusal(FILE_READ, "/below/../../outside") == ENOENT, "the way up ends at the root from below");
    tap_ok(tap, refusal(FILE_READ, "/fifo") == EINVAL, "a fifo is refused, and nobody waits for it");
    tap_ok(tap, refusal(FILE_READ, "/socket") == ENXIO, "a socket is refused");
    tap_ok(tap, refusal(FILE_READ, "/below") == EINVAL, "a directory is not a file");
    tap_ok(tap, refusal(FILE_DIRECTORY, "/directory") == ENOTDIR, "a link to a directory is not listed");
    tap_ok(tap, refusal(FILE_READ, "relative") == EPROTO, "a path that is not absolute is refused");
}

static int holds(const char *path, const char *text)
{
    char content[64] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, content, sizeof content - 1);
    if (fd >= 0) close(fd);
    return got == (ssize_t)strlen(text) && strcmp(content, text) == 0;
}

static void test_writing(struct tap *tap)
{
    struct stat status;
    tap_ok(tap, refusal(FILE_WRITE, "/absolute") == ELOOP && refusal(FILE_WRITE, "/relative") == ELOOP,
           "links are not written through");
    tap_ok(tap, refusal(FILE_WRITE, "/directory/new") == ELOOP && refusal(FILE_MKDIR, "/directory/new") == ENOTDIR,
           "nothing is made behind a link");
    tap_ok(tap, refusal(FILE_WRITE, "/fifo") != 0, "a fifo is not written to");
    tap_ok(tap, holds("../outside", "outside") && holds("../host/file", "host"), "the host's files are unchanged");
    tap_ok(tap, refusal(FILE_WRITE, "/plain") == 0 && stat("plain", &status) == 0 && (status.st_mode & 07000) == 0,
           "a file is made without special bits");
}

static void test_storing(struct tap *tap)
{
    struct asked stored = ask_with(FILE_STORE, "/plain", "content");
    tap_ok(tap, stored.answer.error == 0 && stored.fd < 0 && stored.answer.bytes == 7 && holds("plain", "content"),
           "content that comes with its request is stored");
    tap_ok(tap, ask_with(FILE_STORE, "/plain", "").answer.error == 0 && holds("plain", ""),
           "nothing is content, too");
    tap_ok(tap, ask_with(FILE_STORE, "/absolute", "bad").answer.error == ELOOP && holds("../outside", "outside"),
           "it is not stored through links");
    tap_ok(tap, ask_with(FILE_WRITE, "/plain", "bad").answer.error == EPROTO, "no other request brings any");
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) < 0) abort();
    struct rlimit little = {.rlim_cur = 3, .rlim_max = limit.rlim_max};
    if (signal(SIGXFSZ, SIG_IGN) == SIG_ERR || setrlimit(RLIMIT_FSIZE, &little) < 0) abort();
    int error = ask_with(FILE_STORE, "/part", "content").answer.error;
    int again = ask_with(FILE_STORE, "/regular", "content").answer.error;
    if (setrlimit(RLIMIT_FSIZE, &limit) < 0) abort();
    tap_ok(tap, error == EFBIG && refusal(FILE_STAT, "/part") == ENOENT, "no part stays of what has no room");
    tap_ok(tap, again == EFBIG && holds("regular", "regular") && refusal(FILE_STAT, "/.cordon-part") == ENOENT,
           "what it was to replace stays");
    put(".cordon-part", "in the way");
    tap_ok(tap, ask_with(FILE_STORE, "/plain", "content").answer.error == 0 && holds("plain", "content"),
           "a leftover of another is not in the way");
}

static void test_moving(struct tap *tap)
{
    put("one", "one");
    tap_ok(tap, moved("/one", "/two") == 0 && holds("two", "one") && refusal(FILE_STAT, "/one") == ENOENT,
           "a file is moved to where nothing is");
    put("one", "again");
    tap_ok(tap, moved("/one", "/two") == 0 && holds("two", "again"), "and over another file");
    tap_ok(tap, moved("/two", "/absolute") == ELOOP && moved("/two", "/directory/new") == ENOTDIR,
           "not over a link, nor behind one");
    tap_ok(tap, moved("/two", "/below") == EISDIR && moved("/two", "/fifo") == EINVAL, "nor over anything else");
    tap_ok(tap, moved("/two", "/..") == EISDIR, "nor over the root");
    tap_ok(tap,
           moved("/two", "/below/../../outside") == 0 && holds("outside", "again") && moved("/outside", "/two") == 0,
           "the way up ends at the root");
    tap_ok(tap,
           moved("/fifo", "/new") == EINVAL && moved("/below", "/new") == EINVAL &&
               moved("/absolute", "/new") == EINVAL,
           "only regular files are moved");
    tap_ok(tap, moved("/none", "/new") == ENOENT, "none that is not there");
    tap_ok(tap,
           moved("/two", "new") == EPROTO && ask_bytes(FILE_MOVE, "/two", "/new", 4).answer.error == EPROTO &&
               ask_bytes(FILE_MOVE, "/two", "/n\0w", 5).answer.error == EPROTO &&
               ask(FILE_MOVE, "/two").answer.error == EPROTO,
           "a target that is not a path is refused");
    tap_ok(tap, holds("two", "again") && holds("../outside", "outside") && holds("../host/file", "host"),
           "what was refused changed nothing");
}

static void test_removing(struct tap *tap)
{
    char at[4 * DEEP] = "";
    for (int i = 0; i < DEEP; i++)
        strcat(at, i == 0 ? "deep" : "/d");
    char made[4 * DEEP + 1];
    snprintf(made, sizeof made, "/%s", at);
    tap_ok(tap, refusal(FILE_MKDIR, made) == 0 && refusal(FILE_REMOVE, "/deep") == 0, "a deep tree is removed");
    tap_ok(tap, refusal(FILE_REMOVE, "/directory") == 0 && holds("../host/file", "host"),
           "of a link to a directory the link is removed, not what is behind it");
    tap_ok(tap, refusal(FILE_REMOVE, "/absolute") == 0 && holds("../outside", "outside"),
           "of a link to a file the link is removed");
    tap_ok(tap, refusal(FILE_REMOVE, "/fifo") == 0 && refusal(FILE_REMOVE, "/socket") == 0,
           "so are fifos and sockets");
}

static void clean_up(void)
{
    static const char *const NAMES[] = {"/regular", "/new\nline", "/\xff\xfe", "/relative",
                                        "/magic",   "/below",     "/plain",    "/two"};
    char here[256];
    for (size_t i = 0; i < ARRAY_LENGTH(NAMES); i++)
        refusal(FILE_REMOVE, NAMES[i]);
    if (getcwd(here, sizeof here) == NULL || chdir("..") < 0) abort();
    if (unlink("outside") < 0 || unlink("host/file") < 0 || rmdir("host") < 0 || rmdir("job") < 0) abort();
    *strrchr(here, '/') = 0;
    if (chdir("/") < 0 || rmdir(here) < 0) abort();
}

int main(void)
{
    struct tap tap = {0};
    litter(); /* and stay there: for these requests, init's working directory is the root */
    test_reading(&tap);
    test_writing(&tap);
    test_storing(&tap);
    test_moving(&tap);
    test_removing(&tap);
    clean_up();
    return tap_end(&tap);
}
