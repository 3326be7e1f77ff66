#include "frame.h"

#include <errno.h>
#include <string.h>

long frame_parse(const unsigned char *bytes, size_t length, struct frame *frame)
{
    if (length < sizeof frame->header) return 0;
    memcpy(&frame->header, bytes, sizeof frame->header);
    const struct guest_header *header = &frame->header;
    if (header->magic != GUEST_MAGIC || header->version != GUEST_VERSION || header->length > GUEST_MAX_BODY)
        return -EPROTO;
    size_t whole = sizeof *header + header->length;
    if (length < whole) return 0;
    frame->body = bytes + sizeof *header;
    return (long)whole;
}

int frame_copy(const struct frame *frame, void *to, size_t size)
{
    uint32_t stated;
    if (frame->header.length < size || size < sizeof stated) return 0;
    memcpy(&stated, frame->body, sizeof stated);
    if (stated != size) return 0;
    memcpy(to, frame->body, size);
    return 1;
}

int frame_message(const struct frame *frame, struct guest_message *message, const unsigned char **body,
                  size_t *length)
{
    if (!frame_copy(frame, message, sizeof *message)) return 0;
    if (message->attachment_count > WIRE_MAX_FDS || message->type > UINT16_MAX) return 0;
    for (uint32_t i = 0; i < message->attachment_count; i++) {
        uint32_t kind = message->attachments[i].kind;
        if (kind < ATTACH_CONTENT || kind > ATTACH_LISTING) return 0;
    }
    *body = frame->body + sizeof *message;
    *length = frame->header.length - sizeof *message;
    return *length <= WIRE_MAX_BYTES;
}
