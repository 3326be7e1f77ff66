package dev.cordon.vm;

import dev.cordon.bindings.Fd;
import java.io.IOException;

/**
 * Gives a guest an identity of its own: fresh randomness, the time, a host name, a machine id. Called for every machine before it is
 * handed out, because two that were restored from one template are the same machine until then.
 */
@FunctionalInterface
public interface IdentityRenewal {
    /**
     * Speaks with the guest until it has confirmed.
     *
     * @param channel the non-blocking stream to the guest, of which the hello was read
     * @throws IOException when the guest does not confirm in time; the machine is thrown away then
     */
    void renew(Fd channel) throws IOException;
}
