package dev.cordon.result;

import java.util.List;

/**
 * A system call that a command was seen to make.
 *
 * @param name its name, or its number where it has no name here
 * @param arguments its arguments, as far as the default profile looks at them: the compared bits of the first, second and so on; empty where
 *     it does not
 * @param process the name of the process that made it first, which that chose itself
 * @param byDefault what the default profile does with it
 * @param learnt whether the learnt profile allows it: calls that are {@link DefaultAnswer#UNKNOWN} were answered so, and filters of the command's
 *     own were refused
 */
public record ObservedCall(String name, List<Long> arguments, String process, DefaultAnswer byDefault, boolean learnt) {
    /** Copies the arguments. */
    public ObservedCall {
        arguments = List.copyOf(arguments);
    }

    /** As in {@code socket(16, 3, 0)}. */
    public String text() {
        StringBuilder text = new StringBuilder(name);
        for (int i = 0; i < arguments.size(); i++) {
            long value = arguments.get(i);
            text.append(i == 0 ? "(" : ", ")
                    .append(value >= 0 && value < 4096 ? "" + value : "0x" + Long.toHexString(value));
        }
        return arguments.isEmpty() ? name : text.append(')').toString();
    }
}
