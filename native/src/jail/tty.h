#ifndef JAIL_TTY_H
#define JAIL_TTY_H

#include <stdint.h>

/* Makes a pty of the jail's own devpts. Returns the master and sets *slave, or -errno; both are close-on-exec. */
int tty_open(uint16_t rows, uint16_t columns, int *slave);

/* Tells the terminal's processes its new size. */
int tty_resize(int master, uint16_t rows, uint16_t columns);

/* Makes the slave the controlling terminal of the calling session leader. Async-signal-safe. */
int tty_control(int slave);

#endif
