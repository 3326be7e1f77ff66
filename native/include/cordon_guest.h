/*
 * cordon_guest.h - what travels between the JVM and the agent in a virtual machine. One definition: the C side
 * includes it, GuestFrame.java repeats the numbers and a test compares them with this file.
 *
 * The channel is a virtio-serial port, a stream of bytes. A frame is guest_header, then the body. Integers are in
 * host order (both ends have one architecture). The messages of cordon_wire.h travel inside GUEST_MESSAGE, with their
 * descriptors replaced by attachments: content that was sent before, or a stream.
 *
 * A stream is named by its id; those of the host have the top bit clear, those of the guest have it set. Each side
 * may have GUEST_WINDOW bytes under way that the other has not given credit for, so a slow reader holds up nobody
 * else. Each side sends GUEST_END once; the stream is over when both have. For a stream that goes one way, the
 * receiver's END says that everything was taken (error 0), or that nothing more is wanted and why.
 *
 * The host takes the guest for hostile: whatever breaks a rule of this page ends the machine.
 */
#ifndef CORDON_GUEST_H
#define CORDON_GUEST_H

#include "cordon_wire.h"

#define GUEST_PORT        "dev.cordon.agent"
#define GUEST_MAGIC       0x54534743u /* "CGST" */
#define GUEST_VERSION     1
#define GUEST_MAX_BODY    66048 /* a wire message with its attachments */
#define GUEST_CHUNK       32768 /* bytes of a stream or of content in one frame, at most */
#define GUEST_WINDOW      131072
#define GUEST_MAX_STREAMS 1024
#define GUEST_MAX_CONTENT 4194304
#define GUEST_STREAM_BIT  0x80000000u
#define GUEST_SEED_BYTES  64
#define GUEST_NAME_BYTES  64
#define GUEST_TEXT_BYTES  256

struct guest_header {
    uint32_t magic;
    uint16_t version;
    uint16_t type;   /* enum guest_type */
    uint32_t length; /* bytes after the header */
    uint32_t id;     /* the stream or the content; else 0 */
};

enum guest_type {
    /* guest -> host */
    GUEST_HELLO = 1,    /* guest_hello: the machine is up; nothing more is said until the host speaks */
    GUEST_FAILED = 2,   /* guest_failed: the machine could not come up, or its sandbox could not be started */
    GUEST_RENEWED = 3,  /* guest_done with the nonce */
    GUEST_GROUNDED = 4, /* guest_done */
    GUEST_USAGE = 5,    /* guest_usage */
    GUEST_GONE = 6,     /* guest_usage: the supervisor has ended, and nothing of the sandbox is left */
    GUEST_FROZEN = 7,   /* guest_done */
    GUEST_COUNTED = 8,  /* guest_usage: unasked, before the message that tells of a command's end */
    /* both ways */
    GUEST_MESSAGE = 16, /* guest_message, then the body of the wire message */
    GUEST_DATA = 17,    /* bytes of a stream */
    GUEST_END = 18,     /* guest_end */
    GUEST_CREDIT = 19,  /* guest_credit */
    /* host -> guest */
    GUEST_CONTENT = 32,   /* guest_content, then bytes; becomes a sealed memfd when `total` bytes are there */
    GUEST_RENEW = 33,     /* guest_renew: after it, limits are due anew */
    GUEST_GROUND = 34,    /* guest_ground: before OPEN; of a jail that stands already, before anything for it */
    GUEST_ASK_USAGE = 35, /* no body */
    GUEST_FREEZE = 36,    /* guest_freeze */
    GUEST_POWEROFF = 37   /* no body */
};

struct guest_hello {
    uint32_t size;
    uint32_t wire_version;
    char release[GUEST_NAME_BYTES]; /* of the kernel */
};

struct guest_failed {
    uint32_t size;
    int32_t error;
    char text[GUEST_TEXT_BYTES];
};

struct guest_done {
    uint32_t size;
    int32_t error; /* errno, 0 when done */
    uint64_t nonce;
    char text[GUEST_TEXT_BYTES]; /* what failed */
};

/* What two machines of one template must not share, and the time. */
struct guest_renew {
    uint32_t size;
    uint32_t reserved;
    uint64_t nonce;
    uint64_t realtime_ns;
    uint8_t seed[GUEST_SEED_BYTES];
    char hostname[GUEST_NAME_BYTES];
    char machine_id[GUEST_NAME_BYTES];
};

/* The limits of the sandbox's cgroup; 0 is refused. A jail that waits in a template gets those of its job in this
 * way; what it said when it was ready is said again. */
struct guest_ground {
    uint32_t size;
    uint32_t reserved;
    uint64_t memory;
    uint64_t pids;
    uint64_t cpu_micros; /* microseconds of CPU time in a second */
};

struct guest_freeze {
    uint32_t size;
    uint32_t frozen;
};

enum guest_usage_field {
    USAGE_MEMORY = 0,
    USAGE_MEMORY_PEAK = 1,
    USAGE_PIDS = 2,
    USAGE_PIDS_PEAK = 3,
    USAGE_CPU_USER_US = 4,
    USAGE_CPU_SYSTEM_US = 5,
    USAGE_READ_BYTES = 6,
    USAGE_WRITTEN_BYTES = 7,
    USAGE_OOM_KILLS = 8,
    USAGE_OOM_GROUP_KILLS = 9,
    USAGE_MEMORY_HITS = 10,
    USAGE_PIDS_HITS = 11, /* forks that the pids limit refused */
    USAGE_FIELDS = 12
};

struct guest_usage {
    uint32_t size;
    uint32_t known; /* bit i: values[i] could be read */
    uint64_t values[USAGE_FIELDS];
};

struct guest_content {
    uint32_t size;
    uint32_t total;
};

struct guest_end {
    uint32_t size;
    int32_t error;
};

struct guest_credit {
    uint32_t size;
    uint32_t bytes;
};

enum guest_attachment_kind {
    ATTACH_CONTENT = 1,    /* a sealed memfd with content that came before */
    ATTACH_TO_GUEST = 2,   /* a pipe or file that the host's stream is written to */
    ATTACH_FROM_GUEST = 3, /* a pipe or file that is read, and sent to the host */
    ATTACH_TERMINAL = 4,   /* a terminal's master: both ways */
    ATTACH_LISTING = 5     /* a directory: guest_entry records are sent to the host */
};

struct guest_attachment {
    uint32_t kind;
    uint32_t id;
};

struct guest_message {
    uint32_t size;
    uint32_t type; /* enum wire_type */
    uint32_t id;
    uint32_t attachment_count;
    struct guest_attachment attachments[WIRE_MAX_FDS];
};

/* A directory's entry, as lstat(2) sees it; the name follows. */
struct guest_entry {
    uint32_t mode;
    uint32_t name_bytes; /* without a NUL */
    uint64_t bytes;
    int64_t modified_ns;
};

#endif
