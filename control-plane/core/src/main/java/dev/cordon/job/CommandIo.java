package dev.cordon.job;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a command is given, and what is taken from it.
 *
 * @param environment variables beside the jail's own, in the order given
 * @param workdir     the working directory inside the jail; empty for the image's, or the workspace
 * @param stdin       standard input
 * @param files       files written into the workspace first
 * @param terminal    a terminal instead of the three streams; null for none
 * @param streaming   whether the caller reads the output streams himself
 * @param artifacts   what is collected from its workspace when it is over
 */
public record CommandIo(
        Map<String, String> environment,
        String workdir,
        Stdin stdin,
        List<WorkspaceFile> files,
        @Nullable Terminal terminal,
        boolean streaming,
        List<String> artifacts) {
    /** Copies the collections, keeping their order. */
    public CommandIo {
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        files = List.copyOf(files);
        artifacts = List.copyOf(artifacts);
    }

    /** This with variables of a sandbox, where the command names none of its own. */
    CommandIo over(Map<String, String> variables) {
        Map<String, String> all = new LinkedHashMap<>(variables);
        all.putAll(environment);
        return new CommandIo(all, workdir, stdin, files, terminal, streaming, artifacts);
    }
}
