/*
 * cordon-guest - the only program of ours that a virtual machine starts: its init, and the host's agent in it.
 *
 * Theory of operation
 *
 * The kernel starts this program as /init of an initramfs that also holds cordon-supervisor and the few modules that
 * the machine needs. It mounts the kernel's trees, loads the modules, opens the virtio-serial port to the host,
 * mounts the image read-only with a layer of memory above it, and moves there. Then it says HELLO and is silent: that
 * is the moment at which a template is taken. A machine restored from a template hears RENEW first.
 *
 *   JVM            Speaks the frames of cordon_guest.h over a socket that QEMU connects with the port.
 *
 *   this program   Pid 1 of the machine, root. Single-threaded. Makes the sandbox's cgroup, starts the supervisor
 * when OPEN comes, and passes messages: a descriptor that the host can not send is content or a stream.
 *
 *   supervisor     The same program as on the host, started in the same way: control socket as descriptor 3. It
 * builds the same jail from the same plan, so a job that breaks the jail has a machine around it, and one that breaks
 * the machine has QEMU's own jail around it.
 *
 * Everything is bounded: the port's buffers are fixed, streams are held by credit, and nothing is read that there is
 * no room for. Whatever the host says against the rules, or what can not be done, ends the machine with a FAILED
 * frame.
 */
#include "agent.h"
#include "boot.h"
#include "relro.h"
#include "sys.h"
#include "warm.h"

#include <stdlib.h>

#define SUPERVISOR "/cordon-supervisor"

int main(void)
{
    struct port *port = calloc(1, sizeof *port);
    if (port == NULL) return 1;
    port->fd = -1;
    int error = relro_seal();
    if (error < 0) agent_fail(port, "the seal of this program's own tables", -error);
    struct boot_failure failure = {"", 0};
    if (boot_devices(&failure) < 0) agent_fail(port, failure.step, failure.error);
    error = port_open(port);
    if (error < 0) agent_fail(port, "the port " GUEST_PORT, -error);
    int supervisor = open(SUPERVISOR, O_RDONLY | O_CLOEXEC);
    if (supervisor < 0) agent_fail(port, SUPERVISOR, errno);
    if (boot_root(&failure) < 0) agent_fail(port, failure.step, failure.error);
    if (warm_wanted()) {
        warm_files();
        warm_kernel();
    }
    agent_run(port, supervisor);
}
