package dev.cordon.engine.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.engine.vm.frame.FrameFields;
import dev.cordon.engine.vm.frame.FrameType;
import dev.cordon.engine.vm.frame.GuestConversation;
import dev.cordon.engine.vm.frame.GuestFrame;
import dev.cordon.engine.vm.frame.GuestFrames;
import dev.cordon.engine.vm.frame.HostileGuest;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;

/**
 * Makes a machine that was restored from a template one of its own: a seed for its random pool, the time, a host name and a machine id.
 * Until this is done, all machines of a template would draw the same random numbers.
 */
final class GuestRenewal {
    private static final int DONE_STRUCT = 16 + GuestFrame.TEXT_BYTES;
    private static final int MACHINE_ID_BYTES = 16;

    private final Kernel kernel;
    private final Duration deadline;
    private final SecureRandom random = new SecureRandom();

    GuestRenewal(Kernel kernel, Duration deadline) {
        this.kernel = kernel;
        this.deadline = deadline;
    }

    /**
     * Renews the machine behind a channel that nobody else uses meanwhile.
     *
     * @throws IOException when it could not be done in time; the machine is of no use then
     */
    void renew(Fd channel) throws IOException {
        byte[] seed = new byte[GuestFrame.SEED_BYTES];
        random.nextBytes(seed);
        byte[] machineId = new byte[MACHINE_ID_BYTES];
        random.nextBytes(machineId);
        long nonce = random.nextLong();
        GuestFrame renew = GuestFrames.renew(
                nonce, Instant.now(), seed, "cordon", HexFormat.of().formatHex(machineId));
        try (GuestConversation guest = new GuestConversation(kernel, channel, deadline)) {
            guest.send(renew);
            confirm(guest.receive(), nonce);
        }
    }

    private static void confirm(GuestFrame frame, long nonce) throws IOException {
        if (frame.type() != FrameType.RENEWED) {
            throw new HostileGuest(frame.type() + " came instead of RENEWED");
        }
        FrameFields fields = frame.fields().exactly(DONE_STRUCT);
        int error = fields.takeInt();
        long answered = fields.takeLong();
        if (error != 0) {
            throw new IOException("the machine could not be renewed: " + fields.takeText(GuestFrame.TEXT_BYTES));
        }
        if (answered != nonce) {
            throw new HostileGuest("RENEWED answers another request");
        }
    }
}
