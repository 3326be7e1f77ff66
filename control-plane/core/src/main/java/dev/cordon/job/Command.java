package dev.cordon.job;

import java.nio.file.Path;
import java.util.List;

/** What a job runs. */
public sealed interface Command {
    /** The seccomp profile that fits it, for a caller who names none. */
    default String profile() {
        return switch (this) {
            case None _, OfImage _, Argv _ -> "default";
            case Code code -> code.language().profile();
            case Script script -> script.language().profile();
        };
    }

    /** Nothing: a sandbox is opened for what will run in it later. */
    record None() implements Command {}

    /** What the job's image asks for; it is looked up before anybody judges the job. */
    record OfImage() implements Command {}

    /**
     * A program and its arguments, passed on as they are: no shell reads them.
     *
     * @param argv the program, then its arguments
     */
    record Argv(List<String> argv) implements Command {
        /** Copies the list. */
        public Argv {
            argv = List.copyOf(argv);
        }
    }

    /**
     * Code given as text, written to the workspace and run by its language's interpreter.
     *
     * @param language whose interpreter runs it
     * @param code     the text
     * @param fileName what its file is called, as in the interpreter's messages
     */
    record Code(Language language, String code, String fileName) implements Command {
        /** Code under its language's usual name. */
        public Code(Language language, String code) {
            this(language, code, language.fileName());
        }
    }

    /**
     * A host file, copied into the workspace under its own name and run by its language's interpreter.
     *
     * @param language whose interpreter runs it
     * @param file     the file on the host
     */
    record Script(Language language, Path file) implements Command {}
}
