package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Messages are for people. No code finds out from one what happened. */
class MessagesTest {
    private static final Path ROOT = Path.of(System.getProperty("cordon.root", "."));

    /** The JDK tells the kernel's answers as text alone: this is where they are read. */
    private static final String READER = "IoErrno.java";

    private static final String LOOKED_AT =
            "\\.(?:contains|startsWith|endsWith|indexOf|lastIndexOf|split|matches|equals|equalsIgnoreCase)\\(";
    private static final String MESSAGE = "(?:getMessage|message|detail|remedy|problem|check|limit)\\(\\)\\)?";
    private static final String ANSWER_OF_THE_KERNEL =
            "\"(?:No space left|Permission denied|No such|Operation not|Broken pipe|Connection re|Too many"
                    + " open|Read-only file)";
    private static final Pattern ASKED = Pattern.compile(MESSAGE + LOOKED_AT
            + "|" + LOOKED_AT + ANSWER_OF_THE_KERNEL
            + "|matcher\\(.*(?:" + MESSAGE + "|toString\\(\\)\\)\\.find)"
            + "|path\\(\"(?:detail|check|message|remedy)\"\\)\\.asString\\([^)]*\\)" + LOOKED_AT);
    private static final Pattern KEPT =
            Pattern.compile("String (\\w+) = (?:String\\.valueOf\\()?\\w+\\.getMessage\\(\\)");

    /** A method is about as long as this. */
    private static final int NEAR = 15;

    @Test
    void noCodeReadsAMessage() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources()) {
            List<String> lines = Files.readAllLines(source);
            for (int i = 0; i < lines.size(); i++) {
                if (reads(lines, i)) {
                    found.add(ROOT.relativize(source) + ":" + (i + 1) + ": "
                            + lines.get(i).strip());
                }
            }
        }
        assertThat(found).isEmpty();
    }

    /** Whether a line asks a message, or keeps one that is asked soon after. */
    private static boolean reads(List<String> lines, int line) {
        if (ASKED.matcher(lines.get(line)).find()) {
            return true;
        }
        Matcher kept = KEPT.matcher(lines.get(line));
        if (!kept.find()) {
            return false;
        }
        Pattern asked = Pattern.compile("\\b" + kept.group(1) + LOOKED_AT);
        return lines.subList(line, Math.min(lines.size(), line + NEAR)).stream()
                .anyMatch(next -> asked.matcher(next).find());
    }

    @Test
    void theRuleFindsWhatItIsAgainst() {
        assertThat(reads(List.of("if (e.getMessage().contains(\"Broken pipe\")) {"), 0))
                .isTrue();
        assertThat(reads(List.of("if (SCARCE.matcher(e.toString()).find()) {"), 0))
                .isTrue();
        assertThat(reads(List.of("error.path(\"check\").asString(\"\").startsWith(BEGINNING)"), 0))
                .isTrue();
        assertThat(reads(List.of("int remedy = problem.message().indexOf(\"; \");"), 0))
                .isTrue();
        assertThat(reads(List.of("String why = String.valueOf(e.getMessage());", "if (why.startsWith(\"'\")) {"), 0))
                .isTrue();
        assertThat(reads(List.of("boolean full = said.contains(\"No space left on device\");"), 0))
                .isTrue();
        assertThat(reads(List.of("String why = String.valueOf(e.getMessage());", "say(why);"), 0))
                .isFalse();
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : List.of(
                "bindings",
                "vm",
                "control-plane/core",
                "control-plane/selftest",
                "control-plane/server",
                "control-plane/cli")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java") && !file.endsWith(READER))
                        .forEach(sources::add);
            }
        }
        assertThat(sources).hasSizeGreaterThan(500);
        return sources;
    }
}
