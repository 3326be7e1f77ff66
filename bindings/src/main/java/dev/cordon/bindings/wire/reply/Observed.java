package dev.cordon.bindings.wire.reply;

import dev.cordon.bindings.generated.wire.CordonWireH;
import dev.cordon.bindings.wire.MalformedMessage;
import dev.cordon.bindings.wire.MessageBody;
import dev.cordon.bindings.wire.request.ObserveRule;
import java.util.ArrayList;
import java.util.List;

/**
 * A command that is observed made a system call that differs from those it made before, and was let through.
 *
 * @param syscall the call's number
 * @param arguments its six arguments, under the masks of the call's {@link ObserveRule}; zeros without one
 * @param more whether there were so many kinds of this call that this one stands for all further ones
 * @param comm the name of the process, which it can set
 */
public record Observed(int syscall, List<Long> arguments, boolean more, String comm) implements Reply {
    private static final int STRUCT_BYTES = 80;
    private static final int COMM_BYTES = 20;

    /** Copies the arguments. */
    public Observed {
        arguments = List.copyOf(arguments);
    }

    static Observed decode(MessageBody body) throws MalformedMessage {
        body.expect(STRUCT_BYTES);
        int syscall = body.takeInt();
        List<Long> arguments = new ArrayList<>();
        for (int i = 0; i < ObserveRule.ARGUMENTS; i++) {
            arguments.add(body.takeLong());
        }
        boolean more = (body.takeInt() & CordonWireH.OBSERVED_MORE()) != 0;
        return new Observed(syscall, arguments, more, body.takeText(COMM_BYTES));
    }
}
