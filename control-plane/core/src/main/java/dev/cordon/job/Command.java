package dev.cordon.job;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a job runs. */
public sealed interface Command {
    /** Of the wire's 2 MiB for arguments and environment, some room is kept for the jail's own variables and the directory. */
    int MOST_BYTES = 2_000_000;

    /** Arguments and variables together. */
    int MOST_STRINGS = 8_000;

    /** What is wrong with so many arguments and variables together; empty when a sandbox takes them. */
    static Optional<FieldError> excess(List<String> strings) {
        long bytes = strings.stream()
                .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length + 1L)
                .sum();
        return strings.size() <= MOST_STRINGS && bytes <= MOST_BYTES
                ? Optional.empty()
                : Optional.of(new FieldError(
                        "/argv",
                        strings.size() + " strings, " + bytes + " bytes",
                        "is more than " + MOST_STRINGS + " strings or " + MOST_BYTES
                                + " bytes of arguments and environment together",
                        "pass the data in files or on stdin"));
    }

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
