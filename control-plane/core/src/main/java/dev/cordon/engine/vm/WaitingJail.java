package dev.cordon.engine.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.wire.reply.Ready;
import dev.cordon.bindings.wire.request.Open;
import dev.cordon.cgroup.CgroupLimits;
import dev.cordon.engine.vm.frame.FrameFields;
import dev.cordon.engine.vm.frame.FrameType;
import dev.cordon.engine.vm.frame.GuestAttachment;
import dev.cordon.engine.vm.frame.GuestConversation;
import dev.cordon.engine.vm.frame.GuestFrame;
import dev.cordon.engine.vm.frame.GuestFrames;
import dev.cordon.engine.vm.frame.GuestMessage;
import dev.cordon.engine.vm.frame.HostileGuest;
import dev.cordon.engine.vm.frame.OpenQuestions;
import dev.cordon.vm.TemplatePreparation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Has a guest build a jail before its template is taken, so that restored machines only have to start the command in it. The agent lets no
 * command in before it was renewed, and was given the limits of the job anew.
 */
record WaitingJail(Kernel kernel, JailContents contents, CgroupLimits limits) {
    /** A loaded host under emulation. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    static TemplatePreparation of(Kernel kernel, JailContents contents, CgroupLimits limits) {
        return new TemplatePreparation(key(contents), new WaitingJail(kernel, contents, limits)::build);
    }

    private static String key(JailContents contents) {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            for (byte[] content : contents.bytes()) {
                hash.update((content.length + ":").getBytes(StandardCharsets.US_ASCII));
                hash.update(content);
            }
            return HexFormat.of().formatHex(hash.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private void build(Fd channel) throws IOException {
        List<GuestAttachment> attachments = new ArrayList<>();
        try (GuestConversation guest = new GuestConversation(kernel, channel, PATIENCE)) {
            guest.send(GuestFrames.ground(limits));
            for (byte[] content : contents.bytes()) {
                GuestAttachment attachment = new GuestAttachment(GuestAttachment.Kind.CONTENT, attachments.size() + 1);
                attachments.add(attachment);
                for (GuestFrame frame : GuestFrames.content(attachment.id(), content)) {
                    guest.send(frame);
                }
            }
            guest.send(GuestFrames.message(new Open(contents.roles()).encode(0, attachments.size()), attachments));
            grounded(guest.receive());
            ready(guest.receive());
        }
    }

    private static void grounded(GuestFrame frame) throws IOException {
        FrameFields fields = expect(frame, FrameType.GROUNDED).fields().exactly(OpenQuestions.DONE_STRUCT);
        int error = fields.takeInt();
        fields.takeLong();
        if (error != 0) {
            throw new IOException("the machine could not limit its jail: " + fields.takeText(GuestFrame.TEXT_BYTES));
        }
    }

    private static void ready(GuestFrame frame) throws IOException {
        GuestMessage message = GuestMessage.decode(expect(frame, FrameType.MESSAGE));
        if (!(message.envelope().reply() instanceof Ready)) {
            throw new IOException(
                    "the jail does not stand: " + message.envelope().reply());
        }
    }

    private static GuestFrame expect(GuestFrame frame, FrameType type) throws HostileGuest {
        if (frame.type() != type) {
            throw new HostileGuest(frame.type() + " came instead of " + type);
        }
        return frame;
    }
}
