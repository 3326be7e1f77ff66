package dev.cordon.cli;

import static java.util.Objects.requireNonNull;

import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.HelpAsked;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** picocli over the tables of the commands: the help, and the exact complaint about a command line that is wrong. */
final class FullParser {

    private static final int WIDTH = 100;

    private final CommandLine line;

    /** Creates every command, for the list in the help. */
    FullParser() {
        Model.CommandSpec root =
                above("cordon", "Runs untrusted code on a plain Linux host, in a jail or a virtual machine.");
        root.usageMessage().footer("", "Start here: cordon doctor, then cordon run -- python3 -c 'print(6*7)'");
        for (String name : CommandList.NAMES) {
            CommandList.Group group = CommandList.group(name);
            root.addSubcommand(
                    name, group == null ? specOf("cordon ", requireNonNull(CommandList.named(name))) : specOf(group));
        }
        line = new CommandLine(root);
        line.setExpandAtFiles(false);
        line.setAllowOptionsAsOptionParameters(false);
        line.setPosixClusteredShortOptionsAllowed(false);
    }

    /** Every command as picocli knows it. */
    CommandLine line() {
        return line;
    }

    /** What the words after the command's name mean. */
    ParsedArguments parse(CommandSpec command, String... words) throws UsageError, HelpAsked {
        ParseResult result = parse(words);
        ParsedArguments arguments = new ParsedArguments();
        for (CommandOption option : command.options()) {
            OptionSpec matched = result.matchedOption(option.names().getFirst());
            if (matched != null) {
                for (String value : matched.stringValues()) {
                    arguments.add(option, option.isFlag() ? "" : value);
                }
            }
        }
        result.matchedPositionals().stream()
                .findFirst()
                .ifPresent(operands -> operands.stringValues().forEach(arguments::addOperand));
        return arguments;
    }

    /** A line that names no known command: it asks for help, or it is wrong. */
    UsageError reject(String... words) throws HelpAsked {
        try {
            Model.CommandSpec named = parse(words).commandSpec();
            return new UsageError("no command given, hint: " + named.qualifiedName() + " --help");
        } catch (UsageError error) {
            return error;
        }
    }

    /** What was found for the innermost command. */
    private ParseResult parse(String... words) throws UsageError, HelpAsked {
        try {
            ParseResult result = line.parseArgs(words);
            while (result.hasSubcommand()) {
                result = result.subcommand();
            }
            if (result.isUsageHelpRequested()) {
                throw new HelpAsked(result.commandSpec().commandLine().getUsageMessage(Ansi.OFF));
            }
            return result;
        } catch (ParameterException wrong) {
            String meant = wrong instanceof UnmatchedArgumentException unmatched
                            && !unmatched.getSuggestions().isEmpty()
                    ? ", did you mean " + unmatched.getSuggestions().getFirst() + "?"
                    : "";
            Model.CommandSpec command = wrong.getCommandLine().getCommandSpec();
            throw new UsageError(
                    refused(wrong, command.userObject()) + meant + ", hint: " + command.qualifiedName() + " --help");
        }
    }

    /** Whoever comes from another program is told what its option is here. */
    private static String refused(ParameterException wrong, @Nullable Object known) {
        if (wrong instanceof UnmatchedArgumentException unmatched && known instanceof Map<?, ?> refused) {
            for (String word : unmatched.getUnmatched()) {
                String name = word.startsWith("--") ? word.replaceFirst("=.*", "") : word;
                if (refused.get(name) instanceof String reason) {
                    return name + " is not an option here: " + reason;
                }
            }
        }
        return String.valueOf(wrong.getMessage());
    }

    /** What has commands below it. */
    private static Model.CommandSpec above(String name, String description) {
        Model.CommandSpec spec = Model.CommandSpec.create().name(name).addOption(help());
        spec.usageMessage()
                .description(description, "")
                .synopsisSubcommandLabel("COMMAND")
                .width(WIDTH);
        return spec;
    }

    private static Model.CommandSpec specOf(CommandList.Group group) {
        Model.CommandSpec spec = above(group.name(), group.description());
        for (String name : group.names()) {
            spec.addSubcommand(name, specOf("cordon " + group.name() + " ", requireNonNull(group.named(name))));
        }
        return spec;
    }

    private static Model.CommandSpec specOf(String prefix, CommandSpec command) {
        Model.CommandSpec spec =
                Model.CommandSpec.wrapWithoutInspection(command.refused()).name(command.name());
        spec.parser().stopAtPositional(command.passesOn());
        spec.usageMessage()
                .description(command.description().lines().toArray(String[]::new))
                .optionListHeading("%n")
                .sortOptions(false)
                .width(WIDTH)
                .footer(command.footer().lines().toArray(String[]::new));
        for (CommandOption option : command.options()) {
            spec.addOption(optionOf(option));
        }
        spec.addOption(help());
        if (!command.operands().isEmpty()) {
            spec.addPositional(PositionalParamSpec.builder()
                    .paramLabel(command.operands())
                    .type(List.class)
                    .auxiliaryTypes(String.class)
                    .arity("0..*")
                    .hidden(true)
                    .build());
            spec.usageMessage()
                    .showEndOfOptionsDelimiterInUsageHelp(false)
                    .customSynopsis(prefix + command.name() + " [OPTIONS] [--] " + command.operands());
        }
        return spec;
    }

    private static OptionSpec optionOf(CommandOption option) {
        OptionSpec.Builder builder =
                OptionSpec.builder(option.names().toArray(String[]::new)).description(option.description());
        if (option.isFlag()) {
            return builder.type(boolean.class).arity("0").build();
        }
        builder.paramLabel(option.label()).arity("1");
        return option.repeatable()
                ? builder.type(List.class).auxiliaryTypes(String.class).build()
                : builder.type(String.class).build();
    }

    private static OptionSpec help() {
        return OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help.")
                .build();
    }
}
