package dev.cordon.cli;

import dev.cordon.cli.manual.ManPage;
import dev.cordon.cli.manual.ReferencePages;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.AutoComplete;

/** {@code cordon completion}: what a shell and man need to know of the commands. */
final class CompletionCommand {
    private CompletionCommand() {}

    static CommandSpec spec() {
        return new CommandSpec("completion", "bash|zsh|man [DIRECTORY]", CompletionCommand::run, List.of(), """
            Print the completion of bash or zsh, or write the manual pages.

            bash and zsh print a script for the shell to read. man writes the pages of all
            commands and files into man1 and man5 below the directory that is named.\
            """, """

                Example: source <(cordon completion bash)\
                """);
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        List<String> operands = arguments.operands();
        String kind = operands.isEmpty() ? "" : operands.getFirst();
        boolean shell = kind.equals("bash") || kind.equals("zsh");
        if (shell && operands.size() == 1) {
            stdio.print(AutoComplete.bash("cordon", new FullParser().line())); // picocli's script knows both shells
            return 0;
        }
        if (!kind.equals("man") || operands.size() != 2) {
            throw new UsageError("say bash, zsh, or man and a directory, hint: cordon completion --help");
        }
        try {
            List<ManPage> pages = new ArrayList<>(ManPage.all(new FullParser().line()));
            pages.addAll(ReferencePages.all());
            for (ManPage page : pages) {
                Path file = Path.of(operands.get(1)).resolve(page.file());
                Files.createDirectories(file.getParent());
                Files.writeString(file, page.text());
            }
            return 0;
        } catch (IOException e) {
            throw new CommandFailure(CommandFailure.FAILED, "the manual pages cannot be written: " + e.getMessage());
        }
    }
}
