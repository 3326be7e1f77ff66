/* tty.c - a terminal for a command that asked for one. It is the jail's: nothing typed into it reaches the host's. */
#include "tty.h"
#include "sys.h"

#include <fcntl.h>
#include <sys/ioctl.h>

int tty_resize(int master, uint16_t rows, uint16_t columns)
{
    struct winsize size = {.ws_row = rows, .ws_col = columns};
    return result(ioctl(master, TIOCSWINSZ, &size));
}

int tty_open(uint16_t rows, uint16_t columns, int *slave)
{
    SCOPED_FD master = result(open("/dev/pts/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (master < 0) return master;
    int unlocked = 0;
    if (ioctl(master, TIOCSPTLCK, &unlocked) < 0) return -errno;
    int error = tty_resize(master, rows, columns);
    if (error < 0) return error;
    *slave = result(ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
    return *slave < 0 ? *slave : fd_take(&master);
}

int tty_control(int slave)
{
    return result(ioctl(slave, TIOCSCTTY, 0));
}
