/* frame.h - the frames of cordon_guest.h, taken out of a stream of bytes. */
#ifndef GUEST_FRAME_H
#define GUEST_FRAME_H

#include "cordon_guest.h"

#include <stddef.h>

struct frame {
    struct guest_header header;
    const unsigned char *body;
};

/* Looks for a whole frame at the start of `bytes`: its length, 0 when it is not all there yet, or -EPROTO. */
long frame_parse(const unsigned char *bytes, size_t length, struct frame *frame);

/* Copies the body into a struct whose leading size field must be `size`; the body may be longer. 1, or 0. */
int frame_copy(const struct frame *frame, void *to, size_t size);

/* The message in a frame: its attachments and its wire body are checked. 1, or 0. */
int frame_message(const struct frame *frame, struct guest_message *message, const unsigned char **body,
                  size_t *length);

#endif
