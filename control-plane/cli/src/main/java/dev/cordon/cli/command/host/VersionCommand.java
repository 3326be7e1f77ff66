package dev.cordon.cli.command.host;

import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.doctor.SoftwareVersions;
import dev.cordon.json.JsonMembers;
import java.io.IOException;
import java.util.List;

/** {@code cordon version}: what belongs into a bug report. */
public final class VersionCommand {
    private VersionCommand() {}

    public static CommandSpec spec() {
        return new CommandSpec(
                "version", "", VersionCommand::run, List.of(CommandOption.JSON, CommandOption.COLOR), """
                    Print the versions of Cordon and of what it runs on.\
                    """);
    }

    private static int run(ParsedArguments arguments, StandardStreams stdio) throws IOException {
        SoftwareVersions versions = SoftwareVersions.ofThisHost();
        if (arguments.has(CommandOption.JSON)) {
            stdio.print(JsonMembers.text(json -> json.put("cordon", versions.cordon())
                            .put("java", versions.java())
                            .put("kernel", versions.kernel())
                            .put("libcordon", versions.libcordon())
                            .put("libseccomp", versions.libseccomp()))
                    + "\n");
            return 0;
        }
        stdio.print("cordon " + versions.cordon() + "\n"
                + "java " + versions.java() + "\n"
                + "kernel " + versions.kernel() + "\n"
                + "libcordon " + versions.libcordon() + "\n"
                + "libseccomp " + versions.libseccomp() + "\n");
        return 0;
    }
}
