/* wire.h - sending and receiving the messages of cordon_wire.h. */
#ifndef JAIL_WIRE_H
#define JAIL_WIRE_H

#include "cordon_wire.h"

#include <stddef.h>

/* Between init and the supervisor only, in wire_exited.full: nobody but init is left in the pid namespace. */
#define EXITED_ALONE 0x80000000u

/*
 * From the supervisor to init only, no body: which commands run? Init answers with STARTED for each that it has not
 * told of, then with a STARTED of id 0.
 */
#define WIRE_WHO 33u

/* From init to the supervisor only: what a running command has filled. The supervisor tells it with the command's
 * end. */
#define WIRE_MET 34u

struct wire_met {
    uint32_t size;
    uint32_t full; /* enum wire_full */
};

struct wire_message {
    struct wire_header header;
    unsigned fd_count;
    int fds[WIRE_MAX_FDS];
    _Alignas(8) unsigned char body[WIRE_MAX_BYTES];
};

/* Sends one message; waits for room unless `flags` has MSG_DONTWAIT. 0, or -errno. */
int wire_send(int socket, unsigned type, uint32_t id, const void *body, size_t length, const int *fds,
              unsigned fd_count, int flags);

/*
 * Receives one message and checks version and lengths. 1: received; 0: end of file; -EAGAIN; -EPROTO: malformed.
 * The receiver owns the descriptors: wire_close_fds, or taken out one by one.
 */
int wire_receive(int socket, struct wire_message *message, int flags);

void wire_close_fds(struct wire_message *message);

/* Takes descriptor `index` out of the message: the caller closes it. */
int wire_take_fd(struct wire_message *message, unsigned index);

/* The body as a struct of exactly this size in its leading `size` field, or NULL. */
const void *wire_body(const struct wire_message *message, size_t size);

#endif
