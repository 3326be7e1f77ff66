package dev.cordon.engine.vm.frame;

import dev.cordon.cgroup.CgroupUsage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a guest was asked and has not answered, in order. An answer to no question is hostile. Used on the reactor's thread. */
public final class OpenQuestions {
    public static final int DONE_STRUCT = 16 + GuestFrame.TEXT_BYTES;
    private static final int MOST_UNANSWERED = 256;

    private final GuestPort port;
    private final Queue<CompletableFuture<CgroupUsage>> usage = new ArrayDeque<>();
    private final Queue<CompletableFuture<Void>> freezes = new ArrayDeque<>();
    private final Queue<CompletableFuture<Void>> grounds = new ArrayDeque<>();

    public OpenQuestions(GuestPort port) {
        this.port = port;
    }

    public void askUsage(CompletableFuture<CgroupUsage> answer) {
        usage.add(answer);
        port.send(GuestFrames.askUsage());
    }

    public boolean usageAsked() {
        return !usage.isEmpty();
    }

    /** Whether the guest leaves so much unanswered that it is asked nothing more. */
    public boolean ignored() {
        return usage.size() + freezes.size() >= MOST_UNANSWERED;
    }

    public void ask(GuestFrame question, CompletableFuture<Void> answer) {
        (question.type() == FrameType.GROUND ? grounds : freezes).add(answer);
        port.send(question);
    }

    public void answerUsage(CgroupUsage counted) throws HostileGuest {
        first(usage.poll(), FrameType.USAGE).complete(counted);
    }

    /** GROUNDED or FROZEN. */
    public void answer(GuestFrame frame) throws HostileGuest {
        CompletableFuture<Void> waiting =
                first((frame.type() == FrameType.GROUNDED ? grounds : freezes).poll(), frame.type());
        FrameFields fields = frame.fields().exactly(DONE_STRUCT);
        int error = fields.takeInt();
        fields.takeLong();
        if (error == 0) {
            waiting.complete(null);
        } else {
            waiting.completeExceptionally(new IOException(fields.takeText(GuestFrame.TEXT_BYTES)));
        }
    }

    private static <T> CompletableFuture<T> first(@Nullable CompletableFuture<T> waiting, FrameType type)
            throws HostileGuest {
        if (waiting == null) {
            throw new HostileGuest(type + " was not asked for");
        }
        return waiting;
    }

    /** Nothing more will be answered. */
    public void settle(CgroupUsage last) {
        usage.forEach(each -> each.complete(last));
        usage.clear();
        freezes.forEach(each -> each.completeExceptionally(new IOException("the sandbox is over")));
        freezes.clear();
        grounds.clear();
    }
}
