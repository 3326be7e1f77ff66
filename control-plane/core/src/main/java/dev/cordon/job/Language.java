package dev.cordon.job;

import dev.cordon.job.limit.InvalidText;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The languages whose code can be given as text. The interpreter is the host image's, found through the jail's PATH. */
public enum Language {
    /** CPython. */
    PYTHON("main.py", "default", "python3", "py", "python3 py"),
    /** Node.js. */
    NODE("main.js", "default", "node", "js mjs cjs", "javascript js"),
    /** The GNU shell. */
    BASH("main.sh", "default", "bash", "sh bash", "sh shell"),
    /** Java in source-file mode; the serial collector and the first compiler start fastest and need the fewest threads. */
    JAVA("main.java", "jvm", "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1", "java", "");

    private final String fileName;
    private final String profile;
    private final String interpreter;
    private final String extensions;
    private final String aliases;

    Language(String fileName, String profile, String interpreter, String extensions, String aliases) {
        this.fileName = fileName;
        this.profile = profile;
        this.interpreter = interpreter;
        this.extensions = extensions;
        this.aliases = aliases;
    }

    /** The name in JSON and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What code given as text is called inside the workspace. */
    public String fileName() {
        return fileName;
    }

    /** The seccomp profile that its jobs get unless they name one. */
    public String profile() {
        return profile;
    }

    /** The command that runs a file; the file's path follows. */
    public List<String> interpreter() {
        return words(interpreter);
    }

    /** Other names that callers know it by. */
    public List<String> aliases() {
        return aliases.isEmpty() ? List.of() : words(aliases);
    }

    /** The language that a file name's extension tells. */
    public static Optional<Language> ofFileName(String fileName) {
        String extension = fileName.substring(fileName.lastIndexOf('.') + 1);
        return Arrays.stream(values())
                .filter(language -> words(language.extensions).contains(extension))
                .filter(language -> fileName.length() > extension.length())
                .findFirst();
    }

    /**
     * Reads a {@link #label()} or one of the {@link #aliases()}.
     *
     * @throws IllegalArgumentException when the text names no language; the message lists them
     */
    public static Language parse(String text) {
        return Arrays.stream(values())
                .filter(language ->
                        language.label().equals(text) || language.aliases().contains(text))
                .findFirst()
                .orElseThrow(() -> InvalidText.of(text, "is not a known language", "one of: python, node, bash, java"));
    }

    private static List<String> words(String text) {
        return List.of(text.split(" ", -1));
    }
}
