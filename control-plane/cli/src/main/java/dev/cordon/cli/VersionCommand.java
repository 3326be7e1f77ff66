package dev.cordon.cli;

import dev.cordon.host.Versions;
import dev.cordon.host.VersionsJson;
import java.io.IOException;
import java.util.List;

/** {@code cordon version}: what belongs into a bug report. */
final class VersionCommand {
    private VersionCommand() {}

    static CommandSpec spec() {
        return new CommandSpec("version", "", VersionCommand::run, List.of(Option.JSON, Option.COLOR), """
            Print the versions of Cordon and of what it runs on.\
            """);
    }

    private static int run(Arguments arguments, Stdio stdio) throws IOException {
        Versions versions = Versions.ofThisHost();
        if (arguments.has(Option.JSON)) {
            stdio.print(VersionsJson.of(versions) + "\n");
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
