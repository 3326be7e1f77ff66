package dev.cordon.cli.parse;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parses a command line that is right, and gives up on every other. Loading picocli costs several times what starting
 * the JVM costs (its classes are too old for class-data sharing), so it is left to what needs it: help, and saying what
 * is wrong. Both parsers work from the same options, and a test compares what they make of the same words.
 *
 * @param command whose words they are
 */
public record QuickParser(CommandSpec command) {
    /** Empty when picocli should have a look. {@code --} ends the options; so does the first operand where it is a command's name. */
    public Optional<ParsedArguments> parse(String[] words, int start) {
        ParsedArguments arguments = new ParsedArguments();
        int next = start;
        while (next < words.length) {
            String word = words[next++];
            if (word.equals("--")) {
                return operands(arguments, words, next);
            }
            if (!word.startsWith("-") || word.length() == 1) {
                if (command.passesOn() || command.operands().isEmpty()) {
                    return operands(arguments, words, next - 1);
                }
                arguments.addOperand(word);
                continue;
            }
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            CommandOption option = find(equals < 0 ? word : word.substring(0, equals));
            if (option == null || (arguments.has(option) && !option.repeatable())) {
                return Optional.empty();
            }
            if (option.isFlag()) {
                if (equals >= 0) {
                    return Optional.empty();
                }
                arguments.add(option, "");
            } else if (equals >= 0) {
                arguments.add(option, word.substring(equals + 1));
            } else if (next == words.length || isOption(words[next])) {
                return Optional.empty();
            } else {
                arguments.add(option, words[next++]);
            }
        }
        return Optional.of(arguments);
    }

    private Optional<ParsedArguments> operands(ParsedArguments arguments, String[] words, int start) {
        if (start < words.length && command.operands().isEmpty()) {
            return Optional.empty();
        }
        for (int i = start; i < words.length; i++) {
            arguments.addOperand(words[i]);
        }
        return Optional.of(arguments);
    }

    private boolean isOption(String word) {
        int equals = word.indexOf('=');
        return word.equals("--") || find(equals < 0 ? word : word.substring(0, equals)) != null;
    }

    private @Nullable CommandOption find(String name) {
        for (CommandOption option : command.options()) {
            if (option.names().contains(name)) {
                return option;
            }
        }
        return null;
    }
}
