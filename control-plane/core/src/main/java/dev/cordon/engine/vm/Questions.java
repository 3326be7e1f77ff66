package dev.cordon.engine.vm;

import dev.cordon.cgroup.CgroupUsage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a guest was asked and has not answered, in order. An answer to no question is hostile. Used on the reactor's thread. */
final class Questions {
    static final int DONE_STRUCT = 16 + Frame.TEXT_BYTES;
    private static final int MOST_UNANSWERED = 256;

    private final GuestPort port;
    private final Queue<CompletableFuture<CgroupUsage>> usage = new ArrayDeque<>();
    private final Queue<CompletableFuture<Void>> freezes = new ArrayDeque<>();
    private final Queue<CompletableFuture<Void>> grounds = new ArrayDeque<>();

    Questions(GuestPort port) {
        this.port = port;
    }

    void askUsage(CompletableFuture<CgroupUsage> answer) {
        usage.add(answer);
        port.send(GuestFrames.askUsage());
    }

    boolean usageAsked() {
        return !usage.isEmpty();
    }

    /** Whether the guest leaves so much unanswered that it is asked nothing more. */
    boolean ignored() {
        return usage.size() + freezes.size() >= MOST_UNANSWERED;
    }

    void ask(Frame question, CompletableFuture<Void> answer) {
        (question.type() == FrameType.GROUND ? grounds : freezes).add(answer);
        port.send(question);
    }

    void answerUsage(CgroupUsage counted) throws HostileGuest {
        first(usage.poll(), FrameType.USAGE).complete(counted);
    }

    /** GROUNDED or FROZEN. */
    void answer(Frame frame) throws HostileGuest {
        CompletableFuture<Void> waiting =
                first((frame.type() == FrameType.GROUNDED ? grounds : freezes).poll(), frame.type());
        Fields fields = frame.fields().exactly(DONE_STRUCT);
        int error = fields.takeInt();
        fields.takeLong();
        if (error == 0) {
            waiting.complete(null);
        } else {
            waiting.completeExceptionally(new IOException(fields.takeText(Frame.TEXT_BYTES)));
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
    void settle(CgroupUsage last) {
        usage.forEach(each -> each.complete(last));
        usage.clear();
        freezes.forEach(each -> each.completeExceptionally(new IOException("the sandbox is over")));
        freezes.clear();
        grounds.clear();
    }
}
