/*
 * cordon_wire.h - what travels between the JVM, the supervisor and init. One definition: the C side includes it, the
 * Java side has it through jextract.
 *
 * A message is one packet: wire_header, then the body. Integers are in host order (both ends are one machine).
 * Descriptors travel beside the packet (SCM_RIGHTS). A peer that breaks a length or a version is hung up on.
 */
#ifndef CORDON_WIRE_H
#define CORDON_WIRE_H

#include <stdint.h>

#define WIRE_VERSION           1
#define WIRE_MAX_BYTES         65536
#define WIRE_MAX_FDS           24
#define WIRE_MAX_STRINGS_BYTES 2097152 /* argv + env + cwd of one exec, when they travel in a memfd */
#define WIRE_MAX_STRINGS       8192
#define WIRE_MAX_RLIMITS       16
#define WIRE_MAX_EXECS         256
#define WIRE_MAX_EXTRA_FDS     16 /* of one exec, beside its stdin, stdout and stderr */
#define WIRE_DETAIL_BYTES      256

struct wire_header {
    uint16_t version; /* WIRE_VERSION */
    uint16_t type;    /* enum wire_type */
    uint32_t length;  /* bytes after the header */
    uint32_t id;      /* the exec or request this is about; 0: the sandbox */
    uint32_t fd_count;
};

enum wire_type {
    /* JVM -> supervisor; EXEC, SIGNAL and FILE go on to init */
    WIRE_OPEN = 1,   /* wire_open; descriptors by wire_open.roles */
    WIRE_EXEC = 2,   /* wire_exec; stdin, stdout, stderr[, extra_fds more][, strings] */
    WIRE_SIGNAL = 3, /* wire_signal */
    WIRE_FILE = 4,   /* wire_file, then the path[, then the content] */
    WIRE_CLOSE = 5,  /* no body: kill everything, answer CLOSED */
    /* supervisor -> JVM */
    WIRE_READY = 16,     /* wire_ready */
    WIRE_FAILED = 17,    /* wire_failed: the sandbox failed; nothing of the job runs */
    WIRE_STARTED = 18,   /* wire_started */
    WIRE_EXITED = 19,    /* wire_exited */
    WIRE_VIOLATION = 20, /* wire_violation */
    WIRE_FILED = 21,     /* wire_filed; the descriptor when error is 0 and the operation opens */
    WIRE_CLOSED = 22,    /* wire_closed; the last message */
    WIRE_OBSERVED = 23,  /* wire_observed: ROLE_OBSERVE was given, and the command made a call of a new kind */
    WIRE_WRITTEN = 24,   /* wire_written: what came through the pipe of FILE_RECEIVE is in the file, or is not */
    /* init -> supervisor only */
    WIRE_LISTENER = 32 /* no body; the listener of the command's filter, before its exec */
};

/* What each descriptor of WIRE_OPEN is. */
enum wire_role {
    ROLE_NONE = 0,
    ROLE_PLAN = 1,         /* sealed memfd: plan_header and operations */
    ROLE_FILTER = 2,       /* sealed memfd: BPF program of init, and of the job unless ROLE_JOB_FILTER is there */
    ROLE_JOB_FILTER = 3,   /* sealed memfd: BPF program stacked in the job's processes before exec */
    ROLE_CGROUP = 4,       /* cgroup v2 directory that init is born in */
    ROLE_CGROUP_KILL = 5,  /* cgroup.kill of that directory, open for writing */
    ROLE_CGROUP_TASKS = 6, /* v1: a tasks file that init writes itself into; several */
    ROLE_CPU_USAGE = 7,    /* cpuacct.usage (v1) or cpu.stat (v2), open for reading */
    ROLE_LEASE = 8,        /* only held: the lock of the sandbox's uid slot */
    ROLE_NETNS = 9,        /* a prepared network namespace */
    ROLE_OBSERVE = 10, /* sealed memfd: observe_rule, one for each call that is more than counted. See observe.h */
    ROLE_GUARD = 11,   /* sealed memfd: guard_order. See guard.h */
    ROLE_MAX = 11
};

struct wire_open {
    uint32_t size; /* sizeof(struct wire_open) */
    uint32_t role_count;
    uint8_t roles[WIRE_MAX_FDS];
};

enum wire_exec_flag {
    EXEC_FINAL = 1,        /* the sandbox ends with this command: EXITED comes when everything is gone */
    EXEC_STDIN_NULL = 2,   /* no descriptor is sent for stdin: /dev/null */
    EXEC_STRINGS_FD = 4,   /* the strings are in the last descriptor, not behind wire_exec */
    EXEC_TTY = 8,          /* one descriptor for stdin, stdout, stderr: a pty made inside comes back with STARTED */
    EXEC_MERGE_STDERR = 16 /* stderr is stdout's descriptor */
};

struct wire_rlimit {
    uint32_t resource;
    uint32_t reserved;
    uint64_t soft;
    uint64_t hard;
};

/* Followed by the strings, each with its NUL: cwd, argv[argc], env[envc]. */
struct wire_exec {
    uint32_t size; /* sizeof(struct wire_exec) */
    uint32_t flags;
    uint64_t wall_ns; /* 0 is refused */
    uint64_t cpu_ns;  /* limit on ROLE_CPU_USAGE since the sandbox opened; UINT64_MAX: none */
    uint32_t argc;
    uint32_t envc;
    uint32_t strings_bytes;
    uint32_t rlimit_count;
    struct wire_rlimit rlimits[WIRE_MAX_RLIMITS];
    uint16_t tty_rows;
    uint16_t tty_columns;
    uint32_t on_violation; /* enum wire_on_violation */
    uint32_t extra_fds;    /* so many descriptors after stderr become 3, 4, ... of the command */
    uint32_t reserved;
};

enum wire_on_violation { VIOLATION_REFUSE = 0, VIOLATION_KILL = 1 };

enum wire_signal_target {
    SIGNAL_GROUP = 0,
    SIGNAL_PROCESS = 1,
    SIGNAL_ALL = 2,
    SIGNAL_WINDOW = 3, /* no signal: the pty gets a new size */
    SIGNAL_TREE = 4,   /* the command, its session and whatever descends from them */
    SIGNAL_PAUSE = 5,  /* no signal: the clocks of all commands stand; the sandbox is about to be frozen */
    SIGNAL_RESUME = 6  /* no signal: they go on */
};

struct wire_signal {
    uint32_t size;
    int32_t signal;
    uint32_t target; /* enum wire_signal_target */
    uint16_t rows;   /* SIGNAL_WINDOW: the pty's new size */
    uint16_t columns;
};

enum wire_file_op {
    FILE_READ = 1,      /* opens a regular file for reading */
    FILE_WRITE = 2,     /* creates or replaces a regular file, opens it for writing */
    FILE_MKDIR = 3,     /* with parents */
    FILE_REMOVE = 4,    /* a file or link, or a whole directory */
    FILE_DIRECTORY = 5, /* opens a directory for listing */
    FILE_STAT = 6,
    FILE_RECEIVE =
        7,          /* as FILE_WRITE, but what is opened is a pipe: init writes what comes through it. See copies.h */
    FILE_STORE = 8, /* creates or replaces a regular file; its content follows the path */
    FILE_MOVE = 9   /* a regular file to where nothing or another regular file is; that path follows, with its NUL */
};

struct wire_file {
    uint32_t size;
    uint32_t op;
    uint32_t mode;       /* & 0777 */
    uint32_t path_bytes; /* with its NUL; follows; for FILE_STORE and FILE_MOVE more follows that */
};

struct wire_ready {
    uint32_t size;
    int32_t init_pid;      /* as the host sees it */
    uint32_t landlock_abi; /* 0: no Landlock on this kernel */
    uint32_t shared;       /* enum wire_shared */
};

/* What the jail has in common with the host although the plan asked for its own: this kernel could not. */
enum wire_shared {
    SHARED_TREES = 1,  /* a BIND_OWN operation was bound as it is; watches on files are refused instead */
    SHARED_DEVICES = 2 /* the device nodes are the host's */
};

struct wire_failed {
    uint32_t size;
    uint32_t stage;                 /* enum stage */
    int32_t error;                  /* errno; 0 when a check failed without one */
    uint32_t operation;             /* index of the plan's operation, or UINT32_MAX */
    char detail[WIRE_DETAIL_BYTES]; /* NUL-terminated */
};

struct wire_started {
    uint32_t size;
    int32_t pid; /* as the sandbox sees it */
};

enum wire_cause {
    CAUSE_OWN = 0,         /* the command ended by itself, or by a signal of somebody else's */
    CAUSE_WALL = 1,        /* the supervisor's wall-clock timer */
    CAUSE_CPU = 2,         /* the CPU time limit */
    CAUSE_VIOLATION = 3,   /* killed for a refused system call */
    CAUSE_CLOSED = 4,      /* WIRE_CLOSE or the control socket's end */
    CAUSE_NOT_STARTED = 5, /* exec failed: error says why */
    CAUSE_INIT_LOST = 6,   /* init was killed from outside, or by the out-of-memory killer */
    CAUSE_BURST = 7,       /* ROLE_GUARD: too many refused system calls; a VIOLATION with the last came before */
    CAUSE_NETWORK = 8      /* ROLE_GUARD: an attempt to reach the network; a VIOLATION of CALL_NETWORK came before */
};

/* What was full: a file system of the job when the command ended, or the descriptors of a process while it ran. */
enum wire_full { FULL_BYTES = 1, FULL_INODES = 2, FULL_DESCRIPTORS = 4 };

struct wire_exited {
    uint32_t size;
    int32_t status; /* of wait(2) */
    uint32_t cause; /* enum wire_cause */
    int32_t error;  /* CAUSE_NOT_STARTED: errno of the step below; else 0 */
    uint32_t stage; /* CAUSE_NOT_STARTED: enum stage */
    uint32_t full;  /* enum wire_full */
    uint64_t wall_ns;
    uint64_t user_us;
    uint64_t system_us;
    uint64_t max_rss_kib;
    uint64_t blocks_in;
    uint64_t blocks_out;
};

struct wire_violation {
    uint32_t size;
    int32_t pid; /* as the host sees it */
    int32_t syscall;
    uint32_t arch;
    uint32_t killed;
    char comm[20];
};

#define CALL_NETWORK (-1) /* wire_violation.syscall: no call, but an attempt to reach the network by any of them */

#define GUARD_WORDS 16

/* A sandbox that ends at the first attempt to reach the network, and at the last of so many refused calls. */
struct guard_order {
    uint32_t burst; /* 0 is refused */
    uint32_t reserved;
    uint64_t counted[GUARD_WORDS]; /* a bit for each call that is counted; the filter notifies of it */
};

#define OBSERVE_MAX_SYSCALL 1024 /* calls above are answered with ENOSYS, unseen */
#define OBSERVE_MAX_KINDS   256  /* of one call; further ones are told as one, with OBSERVED_MORE */

/* How a call is observed that has a rule; one without is told once, whatever its arguments, and let through. */
struct observe_rule {
    uint32_t syscall;
    uint32_t error;    /* answered, instead of letting the call through; 0: let it through */
    uint64_t masks[6]; /* the bits of its arguments that make it a call of another kind */
};

enum wire_observed_flag { OBSERVED_MORE = 1 };

struct wire_observed {
    uint32_t size;
    int32_t syscall;
    uint64_t arguments[6]; /* under the rule's masks */
    uint32_t flags;        /* enum wire_observed_flag */
    char comm[20];         /* who made it first */
};

struct wire_filed {
    uint32_t size;
    int32_t error; /* errno, 0 when done */
    uint64_t bytes;
    int64_t modified_ns;
    uint32_t mode;
    uint32_t reserved;
};

struct wire_written {
    uint32_t size;
    int32_t error;  /* errno; 0: everything up to the pipe's end is written */
    uint64_t bytes; /* written */
};

struct wire_closed {
    uint32_t size;
    int32_t status; /* of init */
    uint64_t user_us;
    uint64_t system_us;
    uint64_t max_rss_kib;
};

/* The steps of making a sandbox, in order; a failure names one. */
enum stage {
    STAGE_PROTOCOL = 1, /* a message or the plan is malformed */
    STAGE_PLAN = 2,
    STAGE_SOURCES = 3, /* opening what is bound into the jail */
    STAGE_NETNS = 4,
    STAGE_CLONE = 5,
    STAGE_IDMAP = 6,
    STAGE_CGROUP = 7,
    STAGE_IDS = 8,
    STAGE_PROPAGATION = 9,
    STAGE_ROOT = 10,
    STAGE_MOUNTS = 11,
    STAGE_PIVOT = 12,
    STAGE_LOOPBACK = 13,
    STAGE_HOSTNAME = 14,
    STAGE_KEYRING = 15,
    STAGE_NO_NEW_PRIVS = 16,
    STAGE_LANDLOCK = 17,
    STAGE_CAPABILITIES = 18,
    STAGE_DUMPABLE = 19,
    STAGE_FILTER = 20,
    STAGE_READY = 21,
    /* the steps of starting a command */
    STAGE_FORK = 22,
    STAGE_STDIO = 23,
    STAGE_CWD = 24,
    STAGE_RLIMITS = 25,
    STAGE_LABEL = 26,
    STAGE_JOB_FILTER = 27,
    STAGE_EXEC = 28,
    STAGE_MAX = 28
};

/* ---- the plan: plan_header, then op_count records of plan_op ---- */

#define PLAN_MAGIC      0x4e445243u /* "CRDN" */
#define PLAN_VERSION    1
#define PLAN_MAX_BYTES  4194304
#define PLAN_MAX_OPS    1024
#define PLAN_MAX_PATH   4096
#define PLAN_NAME_BYTES 64

enum plan_isolation { ISOLATION_PROCESS = 1, ISOLATION_JAIL = 2 };

enum plan_ids {
    IDS_SLOT = 1,   /* the supervisor is root: inside uid -> host_uid */
    IDS_CALLER = 2, /* rootless, one id: inside uid -> the caller's */
    IDS_SUBID = 3   /* rootless, newuidmap: 0 -> the caller's, inside uid -> host_uid */
};

/* What a test build does at fault_stage. FAULT_SKIP makes a jail that lacks the step: the escape suite has to notice.
 */
enum plan_fault {
    FAULT_NONE = 0,
    FAULT_ERROR = 1,
    FAULT_ABORT = 2,
    FAULT_SKIP = 3,
    FAULT_PLAIN = 4 /* whatever the stage: as on a kernel that has no overlays for user namespaces */
};

struct plan_header {
    uint32_t magic;
    uint32_t version;
    uint32_t length; /* of the whole plan */
    uint32_t op_count;
    uint32_t isolation; /* enum plan_isolation */
    uint32_t ids;       /* enum plan_ids */
    uint32_t inside_uid;
    uint32_t inside_gid;
    uint32_t host_uid;
    uint32_t host_gid;
    uint64_t root_bytes; /* size of the root tmpfs; 0 is refused */
    uint64_t root_inodes;
    uint64_t setup_ns;    /* deadline of the set-up; 0 is refused */
    uint32_t fault_stage; /* test builds only */
    uint32_t fault_action;
    char hostname[PLAN_NAME_BYTES];
    char label[PLAN_NAME_BYTES]; /* AppArmor or SELinux exec label; empty: none */
};

/*
 * The operations, in the order in which they are applied. Paths are absolute, inside the jail.
 * The Java enum PlanOp lists the same in the same order; a test walks both.
 */
enum plan_op_code {
    OP_DIR = 1,     /* path, mode: a directory */
    OP_FILE = 2,    /* path, mode, data: a file with this content */
    OP_SYMLINK = 3, /* path, data: a link to data */
    OP_BIND = 4,    /* path, data: host path shown here; with BIND_OWN: bytes, how much of data names the layer. On /
                       the layer goes below all that the root has by then, which is read-only from there on */
    OP_TMPFS = 5,   /* path, mode, bytes, inodes: a sized tmpfs, owned by the job */
    OP_PROC = 6,    /* path */
    OP_DEVPTS = 7,  /* path */
    OP_DEVICE = 8,  /* path, data: a device node like that of the host, else that one */
    OP_SYSCTL = 9,  /* path, data: written */
    OP_MASK = 10,   /* path[, data]: hidden below an empty directory, or a file with this content; may be absent */
    OP_READONLY = 11, /* path: made read-only; may be absent */
    OP_SEAL = 12,     /* the root itself becomes read-only */
    OP_LANDLOCK = 13, /* path: what the flags allow beneath it */
    OP_MAX = 13
};

enum plan_op_flag {
    BIND_WRITABLE = 1,
    BIND_NOEXEC = 2,
    BIND_OWN = 4,  /* through an overlay of the jail's own, on the directory that is the layer. See layers.h */
    BIND_OPEN = 8, /* everybody may open that directory: init does it itself */
    BIND_SHARED =
        64, /* with the host's inodes, because nothing else can be: READY says so, and watches are refused */
    LANDLOCK_READ = 16,
    LANDLOCK_WRITE = 32
};

struct plan_op {
    uint16_t code;
    uint16_t flags;
    uint32_t mode;
    uint64_t bytes;
    uint64_t inodes;
    uint32_t path_bytes; /* with its NUL */
    uint32_t data_bytes; /* with a NUL for text operations */
    /* path, data, then zeros up to a multiple of 8 */
};

#endif
