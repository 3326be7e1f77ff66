#include "port.h"
#include "sys.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#define PORTS "/sys/class/virtio-ports"

static int has_name(const char *device)
{
    char path[300];
    snprintf(path, sizeof path, PORTS "/%s/name", device);
    SCOPED_FD file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char name[64];
    ssize_t got = read(file, name, sizeof name - 1);
    if (got <= 0) return 0;
    name[got] = 0;
    name[strcspn(name, "\n")] = 0;
    return strcmp(name, GUEST_PORT) == 0;
}

int port_open(struct port *port)
{
    DIR *ports = opendir(PORTS);
    if (ports == NULL) return -errno;
    int error = -ENODEV;
    for (struct dirent *entry = readdir(ports); entry != NULL && error < 0; entry = readdir(ports)) {
        if (entry->d_name[0] == '.' || !has_name(entry->d_name)) continue;
        char path[300];
        snprintf(path, sizeof path, "/dev/%s", entry->d_name);
        error = port->fd = result(open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC));
    }
    closedir(ports);
    return error < 0 ? error : 0;
}

int port_has_room(const struct port *port)
{
    return sizeof port->out - port->out_length >= 2 * (GUEST_MAX_BODY + sizeof(struct guest_header));
}

static void append(struct port *port, const void *bytes, size_t length)
{
    if (length == 0) return;
    memcpy(port->out + port->out_start + port->out_length, bytes, length);
    port->out_length += length;
}

int port_send(struct port *port, unsigned type, uint32_t id, const void *first, size_t first_length,
              const void *second, size_t second_length)
{
    struct guest_header header = {
        .magic = GUEST_MAGIC,
        .version = GUEST_VERSION,
        .type = (uint16_t)type,
        .length = (uint32_t)(first_length + second_length),
        .id = id,
    };
    size_t whole = sizeof header + header.length;
    if (header.length > GUEST_MAX_BODY || whole > sizeof port->out - port->out_length) return -ENOBUFS;
    if (port->out_start + port->out_length + whole > sizeof port->out) {
        memmove(port->out, port->out + port->out_start, port->out_length);
        port->out_start = 0;
    }
    append(port, &header, sizeof header);
    append(port, first, first_length);
    append(port, second, second_length);
    return 0;
}

void port_flush(struct port *port)
{
    while (port->out_length > 0) {
        ssize_t written = write(port->fd, port->out + port->out_start, port->out_length);
        if (written <= 0) return;
        port->out_start += (size_t)written;
        port->out_length -= (size_t)written;
    }
    port->out_start = 0;
}

long port_fill(struct port *port)
{
    if (port->in_taken > 0) {
        memmove(port->in, port->in + port->in_taken, port->in_length - port->in_taken);
        port->in_length -= port->in_taken;
        port->in_taken = 0;
    }
    if (port->in_length == sizeof port->in) return -ENOBUFS;
    ssize_t got = read(port->fd, port->in + port->in_length, sizeof port->in - port->in_length);
    if (got < 0) return -errno;
    port->in_length += (size_t)got;
    return got;
}

int port_next(struct port *port, struct frame *frame)
{
    long length = frame_parse(port->in + port->in_taken, port->in_length - port->in_taken, frame);
    if (length <= 0) return (int)length;
    port->in_taken += (size_t)length;
    return 1;
}
