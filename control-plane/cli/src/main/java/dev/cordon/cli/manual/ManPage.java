package dev.cordon.cli.manual;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A manual page. Those of commands are made of the tables that their help is made of.
 *
 * @param name    without the section, such as {@code cordon-run}
 * @param section 1 for commands, 5 for files
 * @param text    as man(7) reads it
 */
public record ManPage(String name, int section, String text) {

    /** The page of a command and of all below it. */
    public static List<ManPage> all(CommandLine line) {
        List<ManPage> pages = new ArrayList<>();
        pages.add(of(line));
        line.getSubcommands().values().forEach(below -> pages.addAll(all(below)));
        return pages;
    }

    /** Where man looks for it, below a directory of manuals. */
    public String file() {
        return "man" + section + "/" + name + "." + section;
    }

    private static ManPage of(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        String name = spec.qualifiedName("-");
        String[] description = spec.usageMessage().description();
        RoffText roff = new RoffText(name, 1, description.length == 0 ? "" : sentence(description[0]));
        roff.heading("SYNOPSIS");
        roff.verbatim(new CommandLine.Help(spec, CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .synopsis(0)
                .lines()
                .toList());
        section(roff, "DESCRIPTION", List.of(description).subList(Math.min(2, description.length), description.length));
        options(roff, spec);
        commands(roff, line);
        section(roff, "NOTES", List.of(spec.usageMessage().footer()));
        roff.seeAlso(
                spec.parent() == null
                        ? List.of("cordon.toml(5)", "cordon-policy(5)", "cordon.service(8)")
                        : List.of("cordon(1)", "cordon.toml(5)"));
        return new ManPage(name, 1, roff.toString());
    }

    /** whatis(1) shows it behind a name, where a full stop is out of place. */
    private static String sentence(String text) {
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }

    /** Lines as they stand: they are set by hand, with examples among them. */
    private static void section(RoffText roff, String title, List<String> lines) {
        List<String> shown = lines.stream()
                .map(line -> line.replace("%n", ""))
                .dropWhile(String::isBlank)
                .toList();
        if (!shown.isEmpty()) {
            roff.heading(title).verbatim(shown);
        }
    }

    private static void options(RoffText roff, CommandSpec spec) {
        roff.heading("OPTIONS");
        for (OptionSpec option : spec.options()) {
            roff.term(
                    String.join(", ", option.names()),
                    option.arity().max() == 0 ? "" : option.paramLabel(),
                    String.join(" ", option.description()));
        }
    }

    private static void commands(RoffText roff, CommandLine line) {
        if (!line.getSubcommands().isEmpty()) {
            roff.heading("COMMANDS");
            line.getSubcommands().values().forEach(below -> {
                CommandSpec spec = below.getCommandSpec();
                roff.term(
                        spec.qualifiedName("-") + "(1)", "", spec.usageMessage().description()[0]);
            });
        }
    }
}
