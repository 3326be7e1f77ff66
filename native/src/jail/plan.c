#include "plan.h"
#include "sys.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

static int terminated(const char *text, size_t size)
{
    return memchr(text, 0, size) != NULL;
}

static const char *check_header(const struct plan_header *header, size_t length)
{
    if (header->magic != PLAN_MAGIC) return "the plan's magic is wrong";
    if (header->version != PLAN_VERSION) return "the plan's version is wrong";
    if (header->length != length) return "the plan's length is wrong";
    if (header->op_count > PLAN_MAX_OPS) return "the plan has too many operations";
    if (header->isolation != ISOLATION_JAIL && header->isolation != ISOLATION_PROCESS)
        return "the plan's isolation is unknown";
    if (header->ids < IDS_SLOT || header->ids > IDS_SUBID) return "the plan's id mapping is unknown";
    if (header->inside_uid == 0 || header->inside_gid == 0) return "the job may not be uid or gid 0 inside";
    if (header->ids != IDS_CALLER && (header->host_uid == 0 || header->host_gid == 0))
        return "the job may not be uid or gid 0 on the host";
    if (header->root_bytes == 0 || header->root_inodes == 0) return "a root size of 0 would be unlimited";
    if (header->setup_ns == 0) return "the set-up has no deadline";
    if (!terminated(header->hostname, sizeof header->hostname)) return "the host name is not terminated";
    if (!terminated(header->label, sizeof header->label)) return "the label is not terminated";
#ifndef CORDON_FAULTS
    if (header->fault_stage != 0 || header->fault_action != 0) return "this is not a test build: faults are refused";
#endif
    return NULL;
}

static int is_text(uint16_t code)
{
    return code == OP_SYMLINK || code == OP_BIND || code == OP_DEVICE;
}

int plan_is_root(const struct operation *operation)
{
    return operation->path[1] == 0;
}

/* A path is absolute and has no `.`, `..` or empty component: nothing is left to be resolved differently. */
static int is_plain_path(const char *path)
{
    if (path[0] != '/') return 0;
    if (path[1] == 0) return 1;
    for (const char *part = path; *part != 0;) {
        const char *name = part + 1;
        size_t length = strcspn(name, "/");
        if (length == 0 || (length == 1 && name[0] == '.') || (length == 2 && name[0] == '.' && name[1] == '.'))
            return 0;
        part = name + length;
    }
    return 1;
}

/* The layer is a directory at or above what is shown; what is taken from it is read-only and of one kind. */
static int is_layered_well(const struct operation *operation)
{
    const struct plan_op *op = operation->op;
    size_t length = strlen(operation->data);
    if (op->flags & (BIND_WRITABLE | BIND_NOEXEC)) return 0;
    size_t layer = op->bytes; /* of a bind: how much of its data is the layer's path */
    if (layer == 0 || layer > length || !is_plain_path(operation->data)) return 0;
    return layer == 1 || operation->data[layer] == 0 || operation->data[layer] == '/';
}

static const char *check_operation(const struct operation *operation)
{
    const struct plan_op *op = operation->op;
    if (op->code == 0 || op->code > OP_MAX) return "an operation is unknown";
    if (!is_plain_path(operation->path)) return "an operation's path is not absolute and plain";
    if (op->mode & ~07777u) return "an operation's mode has unknown bits";
    if (is_text(op->code) && (operation->data == NULL || operation->data[0] == 0))
        return "an operation lacks its text";
    if (op->code == OP_BIND && (op->flags & BIND_OWN) && !is_layered_well(operation))
        return "an operation's layer does not fit its path or its flags";
    if (op->code == OP_BIND && plan_is_root(operation) && !(op->flags & BIND_OWN))
        return "nothing but a layer goes below the root";
    if (op->code == OP_SYSCTL && operation->data_length == 0) return "a kernel setting lacks its value";
    if (op->code == OP_TMPFS && (op->bytes == 0 || op->inodes == 0)) return "a tmpfs size of 0 would be unlimited";
    return NULL;
}

/* Reads the record at *offset; 0 when it does not fit. */
static int read_operation(const struct plan *plan, size_t *offset, struct operation *operation)
{
    size_t left = plan->length - *offset;
    const unsigned char *at = plan->bytes + *offset;
    const struct plan_op *op = (const struct plan_op *)(const void *)at;
    if (left < sizeof *op) return 0;
    left -= sizeof *op;
    if (op->path_bytes == 0 || op->path_bytes > PLAN_MAX_PATH || op->path_bytes > left) return 0;
    left -= op->path_bytes;
    if (op->data_bytes > left) return 0;
    const char *path = (const char *)at + sizeof *op;
    const char *data = path + op->path_bytes;
    if (strnlen(path, op->path_bytes) != op->path_bytes - 1) return 0;
    int text = is_text(op->code);
    if (text && op->data_bytes > 0 && strnlen(data, op->data_bytes) != op->data_bytes - 1) return 0;
    size_t size = (sizeof *op + op->path_bytes + op->data_bytes + 7) & ~(size_t)7;
    if (size > plan->length - *offset) return 0;
    operation->op = op;
    operation->path = path;
    operation->data = op->data_bytes > 0 ? data : NULL;
    operation->data_length = op->data_bytes - (text && op->data_bytes > 0 ? 1 : 0);
    *offset += size;
    return 1;
}

int plan_check(struct plan *plan, const void *bytes, size_t length, const char **why)
{
    const struct plan_header *header = bytes;
    *why = "the plan's size is wrong";
    if (length < sizeof *header || length > PLAN_MAX_BYTES) return -EPROTO;
    *why = check_header(header, length);
    if (*why != NULL) return -EPROTO;
    *plan = (struct plan){.header = header, .bytes = bytes, .length = length};
    size_t offset = sizeof *header;
    struct operation operation = {0};
    for (uint32_t i = 0; i < header->op_count; i++) {
        *why = "an operation does not fit in the plan";
        if (!read_operation(plan, &offset, &operation)) return -EPROTO;
        *why = check_operation(&operation);
        if (*why != NULL) return -EPROTO;
    }
    *why = "the plan has bytes after its operations";
    return offset == length ? 0 : -EPROTO;
}

int plan_load(struct plan *plan, int fd, const char **why)
{
    struct stat status;
    *why = "the plan is not a sealed memfd";
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || (seals & SEALS) != SEALS) return -EPROTO;
    if (fstat(fd, &status) < 0) return -errno;
    *why = "the plan's size is wrong";
    if (status.st_size < (off_t)sizeof(struct plan_header) || status.st_size > PLAN_MAX_BYTES) return -EPROTO;
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED) return -errno;
    return plan_check(plan, bytes, (size_t)status.st_size, why);
}

int plan_next(const struct plan *plan, size_t *offset, struct operation *operation)
{
    if (*offset == 0) {
        *offset = sizeof *plan->header;
        operation->index = UINT32_MAX;
    }
    if (*offset >= plan->length) return 0;
    if (!read_operation(plan, offset, operation)) return 0;
    operation->index++;
    return 1;
}
