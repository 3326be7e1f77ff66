#include "renew.h"
#include "sys.h"

#include <linux/random.h>
#include <string.h>
#include <sys/ioctl.h>

struct entropy {
    struct rand_pool_info info;
    uint8_t seed[GUEST_SEED_BYTES];
};

/* Mixed in and credited, then the generator is made to start from it at once: until then machines of one template
 * draw the same numbers. */
static int reseed(const struct guest_renew *renew)
{
    SCOPED_FD pool = open("/dev/urandom", O_WRONLY | O_CLOEXEC);
    if (pool < 0) return -errno;
    struct entropy entropy = {.info = {.entropy_count = GUEST_SEED_BYTES * 8, .buf_size = GUEST_SEED_BYTES}};
    memcpy(entropy.info.buf, renew->seed, sizeof renew->seed);
    int error = result(ioctl(pool, RNDADDENTROPY, &entropy));
    explicit_bzero(&entropy, sizeof entropy);
    return error < 0 ? error : result(ioctl(pool, RNDRESEEDCRNG));
}

static int set_clock(const struct guest_renew *renew)
{
    struct timespec now = {
        .tv_sec = (time_t)(renew->realtime_ns / 1000000000u),
        .tv_nsec = (long)(renew->realtime_ns % 1000000000u),
    };
    return result(clock_settime(CLOCK_REALTIME, &now));
}

static int set_hostname(const struct guest_renew *renew)
{
    size_t length = strnlen(renew->hostname, sizeof renew->hostname);
    return length == 0 || length == sizeof renew->hostname ? -EINVAL : result(sethostname(renew->hostname, length));
}

static int set_machine_id(const struct guest_renew *renew)
{
    size_t length = strnlen(renew->machine_id, sizeof renew->machine_id - 1);
    SCOPED_FD file = open("/etc/machine-id", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0444);
    if (file < 0) return errno == ENOENT ? 0 : -errno; /* an image without /etc has no reader of it either */
    if (write(file, renew->machine_id, length) < 0 || write(file, "\n", 1) < 0) return -errno;
    return 0;
}

int renew_apply(const struct guest_renew *renew, const char **what)
{
    *what = "the random pool";
    int error = reseed(renew);
    if (error < 0) return error;
    *what = "the clock";
    error = set_clock(renew);
    if (error < 0) return error;
    *what = "the host name";
    error = set_hostname(renew);
    if (error < 0) return error;
    *what = "the machine id";
    return set_machine_id(renew);
}
