/* creds.c - ids, capabilities, securebits: everything that could give power back is given up and then looked at. */
#include "creds.h"
#include "sys.h"

#include <grp.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <linux/securebits.h>
#include <sys/prctl.h>

#define LOCKED_BITS                                                                                                  \
    (SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED |                 \
     SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED)

static int set_capabilities(uint64_t kept)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2] = {
        {.effective = (uint32_t)kept, .permitted = (uint32_t)kept},
        {.effective = (uint32_t)(kept >> 32), .permitted = (uint32_t)(kept >> 32)},
    };
    return result(syscall(SYS_capset, &header, sets));
}

static int check_no_capabilities(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2] = {{0}, {0}};
    if (syscall(SYS_capget, &header, sets) < 0) return -errno;
    for (size_t i = 0; i < ARRAY_LENGTH(sets); i++)
        if (sets[i].effective | sets[i].permitted | sets[i].inheritable) return -EPERM;
    return 0;
}

static int assume(const struct plan_header *header, uid_t uid, gid_t gid)
{
    /* Rootless with one id, setgroups is denied for good: the caller's groups stay, and the result says so. */
    if (header->ids != IDS_CALLER && setgroups(0, NULL) < 0) return -errno;
    if (setresgid(gid, gid, gid) < 0) return -errno;
    if (setresuid(uid, uid, uid) < 0) return -errno;
    uid_t real, effective, saved;
    if (getresuid(&real, &effective, &saved) < 0) return -errno;
    if (real != uid || effective != uid || saved != uid) return -EPERM;
    gid_t real_group, effective_group, saved_group;
    if (getresgid(&real_group, &effective_group, &saved_group) < 0) return -errno;
    if (real_group != gid || effective_group != gid || saved_group != gid) return -EPERM;
    return header->ids == IDS_CALLER || getgroups(0, NULL) == 0 ? 0 : -EPERM;
}

/*
 * The kernel counts what a user namespace holds (inotify instances, queued signals, message queues) against the user
 * who made it, too. That must be the slot's own, or all jobs would share the limits of root. The capabilities stay.
 */
int creds_borrow_slot(const struct jail *jail)
{
    const struct plan_header *header = jail->plan.header;
    if (!jail_is_namespaced(jail) || header->ids != IDS_SLOT) return 0;
    if (prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0) < 0) return -errno;
    if (setresuid((uid_t)-1, header->host_uid, (uid_t)-1) < 0) return -errno;
    /* A change of ids makes a process undumpable, and one that is can't open its own files in /proc. */
    return result(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
}

int creds_return_slot(const struct jail *jail)
{
    const struct plan_header *header = jail->plan.header;
    if (!jail_is_namespaced(jail) || header->ids != IDS_SLOT) return 0;
    if (setresuid((uid_t)-1, 0, (uid_t)-1) < 0) return -errno;
    return result(prctl(PR_SET_SECUREBITS, 0, 0, 0, 0));
}

int creds_assume(struct jail *jail)
{
    const struct plan_header *header = jail->plan.header;
    if (!jail_is_namespaced(jail) || header->ids == IDS_SUBID) return 0;
    return assume(header, header->inside_uid, header->inside_gid);
}

int creds_assume_late(struct jail *jail)
{
    const struct plan_header *header = jail->plan.header;
    if (!jail_is_namespaced(jail))
        return header->ids == IDS_SLOT ? assume(header, header->host_uid, header->host_gid) : 0;
    if (header->ids != IDS_SUBID) return 0;
    /* 0 is mapped here, so leaving it would drop the capabilities that the next steps need. */
    if (prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0) < 0) return -errno;
    return assume(header, header->inside_uid, header->inside_gid);
}

int creds_no_new_privs(struct jail *jail)
{
    (void)jail;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 0 : -EPERM;
}

static int drop_bounding(void)
{
    for (unsigned capability = 0; capability < 64; capability++) {
        int dropped = result(prctl(PR_CAPBSET_DROP, capability, 0, 0, 0));
        if (dropped == -EINVAL) return capability > CAP_CHOWN ? 0 : dropped; /* past the last one */
        if (prctl(PR_CAPBSET_READ, capability, 0, 0, 0) != 0) return dropped < 0 ? dropped : -EPERM;
    }
    return 0;
}

/* Without capabilities of its own (rootless, no namespace) a process can't lock these, and has none to lose. */
static int may_lock(const struct jail *jail)
{
    return jail_is_namespaced(jail) || jail->plan.header->ids == IDS_SLOT;
}

int creds_drop(struct jail *jail)
{
    jail->detail = "securebits";
    if (may_lock(jail) && prctl(PR_SET_SECUREBITS, LOCKED_BITS, 0, 0, 0) < 0) return -errno;
    jail->detail = "bounding set";
    int error = may_lock(jail) ? drop_bounding() : 0;
    if (error < 0) return error;
    jail->detail = "ambient set";
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0) return -errno;
    jail->detail = "ids";
    if (!jail_is_namespaced(jail)) error = creds_assume_late(jail);
    if (error < 0) return error;
    jail->detail = "capability sets";
    error = set_capabilities(0);
    return error < 0 ? error : check_no_capabilities();
}

int creds_not_dumpable(struct jail *jail)
{
    (void)jail;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) return -errno;
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : -EPERM;
}

int creds_fresh_keyring(struct jail *jail)
{
    (void)jail;
    long joined = syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL, 0, 0, 0);
    return joined < 0 && errno != ENOSYS ? -errno : 0; /* a kernel without keyrings has none to leak */
}

int creds_settle_supervisor(void)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) return -errno;
    return geteuid() == 0 ? set_capabilities(1ULL << CAP_KILL) : 0;
}
