/* plans.h - small plans for the tests and the fuzzer. */
#ifndef TEST_PLANS_H
#define TEST_PLANS_H

#include "cordon_wire.h"

#include <string.h>

struct plan_buffer {
    _Alignas(8) unsigned char bytes[8192];
    size_t length;
};

static inline struct plan_header *plan_begin(struct plan_buffer *buffer)
{
    memset(buffer, 0, sizeof *buffer);
    buffer->length = sizeof(struct plan_header);
    struct plan_header *header = (struct plan_header *)(void *)buffer->bytes;
    *header = (struct plan_header){
        .magic = PLAN_MAGIC,
        .version = PLAN_VERSION,
        .length = (uint32_t)buffer->length,
        .isolation = ISOLATION_JAIL,
        .ids = IDS_SLOT,
        .inside_uid = 1000,
        .inside_gid = 1000,
        .host_uid = 700001,
        .host_gid = 700001,
        .root_bytes = 1 << 20,
        .root_inodes = 1024,
        .setup_ns = 1000000000,
        .hostname = "cordon",
    };
    return header;
}

static inline struct plan_op *plan_add(struct plan_buffer *buffer, unsigned code, const char *path, const char *text)
{
    struct plan_op *op = (struct plan_op *)(void *)(buffer->bytes + buffer->length);
    size_t path_bytes = strlen(path) + 1;
    size_t data_bytes = text == NULL ? 0 : strlen(text) + 1;
    *op = (struct plan_op){
        .code = (uint16_t)code,
        .mode = 0755,
        .path_bytes = (uint32_t)path_bytes,
        .data_bytes = (uint32_t)data_bytes,
    };
    char *strings = (char *)op + sizeof *op;
    memcpy(strings, path, path_bytes);
    if (text != NULL) memcpy(strings + path_bytes, text, data_bytes);
    buffer->length += (sizeof *op + path_bytes + data_bytes + 7) & ~(size_t)7;
    struct plan_header *header = (struct plan_header *)(void *)buffer->bytes;
    header->length = (uint32_t)buffer->length;
    header->op_count++;
    return op;
}

#endif
