package dev.cordon.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The manual page of one command, made of the tables that its help is made of.
 *
 * @param name without the section, such as {@code cordon-run}
 * @param text as man(7) reads it
 */
record ManPage(String name, String text) {

    /** The pages of a command and of all below it. */
    static List<ManPage> all(CommandLine line) {
        List<ManPage> pages = new ArrayList<>();
        pages.add(of(line));
        line.getSubcommands().values().forEach(below -> pages.addAll(all(below)));
        return pages;
    }

    private static ManPage of(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        String name = spec.qualifiedName("-");
        String[] description = spec.usageMessage().description();
        StringBuilder text = new StringBuilder(".TH " + quoted(name.toUpperCase(java.util.Locale.ROOT)) + " 1\n");
        text.append(".SH NAME\n").append(escaped(name)).append(" \\- ");
        text.append(escaped(description.length == 0 ? "" : description[0])).append('\n');
        text.append(".SH SYNOPSIS\n.nf\n");
        text.append(escaped(new CommandLine.Help(spec, CommandLine.Help.defaultColorScheme(Ansi.OFF)).synopsis(0)));
        text.append(".fi\n");
        section(text, "DESCRIPTION", List.of(description).subList(Math.min(2, description.length), description.length));
        options(text, spec);
        commands(text, line);
        section(text, "NOTES", List.of(spec.usageMessage().footer()));
        if (spec.parent() != null) {
            text.append(".SH SEE ALSO\n.BR cordon (1)\n");
        }
        return new ManPage(name, text.toString());
    }

    /** Lines as they stand: they are set by hand, with examples among them. */
    private static void section(StringBuilder text, String title, List<String> lines) {
        if (lines.stream().anyMatch(line -> !line.isBlank())) {
            text.append(".SH ").append(title).append("\n.nf\n");
            lines.stream()
                    .dropWhile(String::isBlank)
                    .forEach(
                            line -> text.append(escaped(line.replace("%n", ""))).append('\n'));
            text.append(".fi\n");
        }
    }

    private static void options(StringBuilder text, CommandSpec spec) {
        text.append(".SH OPTIONS\n");
        for (OptionSpec option : spec.options()) {
            String label = option.arity().max() == 0 ? "" : " \\fI" + escaped(option.paramLabel()) + "\\fR";
            text.append(".TP\n\\fB")
                    .append(escaped(String.join(", ", option.names())))
                    .append("\\fR")
                    .append(label)
                    .append('\n')
                    .append(escaped(String.join(" ", option.description())))
                    .append('\n');
        }
    }

    private static void commands(StringBuilder text, CommandLine line) {
        if (!line.getSubcommands().isEmpty()) {
            text.append(".SH COMMANDS\n");
            line.getSubcommands()
                    .values()
                    .forEach(below -> text.append(".TP\n.BR ")
                            .append(escaped(below.getCommandSpec().qualifiedName("-")))
                            .append(" (1)\n")
                            .append(escaped(
                                    below.getCommandSpec().usageMessage().description()[0]))
                            .append('\n'));
        }
    }

    private static String quoted(String text) {
        return "\"" + escaped(text).replace("\"", "\\(dq") + "\"";
    }

    /** A backslash and a hyphen mean more to roff than to people, and a line that begins with a dot or a quote is a command. */
    private static String escaped(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^([.'])", "\\\\&$1");
    }
}
