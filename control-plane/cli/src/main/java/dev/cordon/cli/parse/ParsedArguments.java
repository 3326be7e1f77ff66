package dev.cordon.cli.parse;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/** What was typed after a command's name, sorted by option; the values are still text. */
public final class ParsedArguments {

    private final IdentityHashMap<CommandOption, List<String>> values = new IdentityHashMap<>();
    private final List<String> operands = new ArrayList<>();

    public void add(CommandOption option, String value) {
        List<String> list = values.get(option);
        if (list == null) {
            list = new ArrayList<>();
            values.put(option, list);
        }
        list.add(value);
    }

    public void addOperand(String operand) {
        operands.add(operand);
    }

    public boolean has(CommandOption option) {
        return values.containsKey(option);
    }

    public Optional<String> value(CommandOption option) {
        List<String> list = values.get(option);
        return list == null ? Optional.empty() : Optional.of(list.getFirst());
    }

    public List<String> values(CommandOption option) {
        return values.getOrDefault(option, List.of());
    }

    /** The words that belong to no option, in order. */
    public List<String> operands() {
        return operands;
    }

    /** The only one of these words; where there are none, or more, its user is told this. */
    public String operand(String needed) throws UsageError {
        if (operands.size() != 1) {
            throw new UsageError(needed);
        }
        return operands.getFirst();
    }
}
