/* agent.h - the guest's loop. */
#ifndef GUEST_AGENT_H
#define GUEST_AGENT_H

#include "port.h"

/* Says hello, then serves the host until the machine is switched off. */
_Noreturn void agent_run(struct port *port, int supervisor_program);

/* Tells the host and the console why the machine does not come up, and switches it off. */
_Noreturn void agent_fail(struct port *port, const char *what, int error);

#endif
