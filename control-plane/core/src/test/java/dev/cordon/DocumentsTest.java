package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.result.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What documents name is there: classes, tests, packages, files, Gradle tasks, and the pages that they link to. */
final class DocumentsTest {
    private static final Path ROOT = Path.of(System.getProperty("cordon.root", "."));
    private static final int DEEPEST_PAGE = 3;

    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
    private static final Pattern QUALIFIED = Pattern.compile("`(dev\\.cordon[\\w.]*)`");
    private static final Pattern NAMED = Pattern.compile("`([A-Z][a-z]\\w*[A-Z]\\w*)(?:\\.\\w+)*(?:\\([^`]*\\))?`");
    private static final Pattern FILE =
            Pattern.compile("`([\\w.-]+(?:/[\\w.-]+)+\\.(?:java|c|h|gradle|md|yaml|conf))`");
    private static final Pattern GRADLE = Pattern.compile("\\./gradlew((?: +[-:.\\w][^\\s`]*)*)");
    private static final Pattern TASK = Pattern.compile("(?:[a-z-]*:)*([a-zA-Z]+)");
    private static final Pattern DECLARED = Pattern.compile("\\btask (\\w+)");
    private static final Pattern MODULE = Pattern.compile("\\bmodule ([\\w.]+) \\{");

    /** The flight recorder's names of our events. */
    private static final Set<String> EVENTS = Set.of("dev.cordon.Job", "dev.cordon.Violation");

    private static final Set<String> OF_THE_JDK = Set.of("ProcessBuilder");
    private static final Set<String> OF_GRADLE = Set.of("assemble", "testClasses", "compileTestJava");

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> dead = new ArrayList<>();
        int links = 0;
        for (Path page : pages()) {
            for (String link : found(LINK, Files.readString(page))) {
                links++;
                if (!link.contains("://") && !Files.exists(page.resolveSibling(link))) {
                    dead.add(page + ": " + link);
                }
            }
        }
        assertThat(dead).isEmpty();
        assertThat(links).isGreaterThan(40);
    }

    /** From the top of the tree, or from where the page is. */
    @Test
    void everyFileIsThere() throws IOException {
        List<String> missing = new ArrayList<>();
        int files = 0;
        for (Path page : pages()) {
            for (String file : found(FILE, Files.readString(page))) {
                files++;
                if (!Files.exists(ROOT.resolve(file)) && !Files.exists(page.resolveSibling(file))) {
                    missing.add(page + ": " + file);
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(files).isGreaterThan(50);
    }

    @Test
    void everyNameWithItsPackageIsThere() throws IOException {
        Set<String> known = new HashSet<>(EVENTS);
        for (Path source : sources()) {
            String name = source.toString()
                    .replaceFirst("^.*/src/\\w+/java/", "")
                    .replaceFirst("\\.java$", "")
                    .replace('/', '.');
            known.add(name);
            known.add(name.replaceFirst("\\.?\\w+$", ""));
            if (name.equals("module-info")) {
                known.addAll(found(MODULE, Files.readString(source)));
            }
        }
        assertThat(strangers(QUALIFIED, known)).isEmpty();
    }

    /** Names of one word are words of prose, too; those are left to readers. */
    @Test
    void everyClassIsThere() throws IOException {
        Set<String> known = new HashSet<>(OF_THE_JDK);
        Arrays.stream(Outcome.class.getDeclaredClasses())
                .map(Class::getSimpleName)
                .forEach(known::add);
        sources().forEach(source -> known.add(source.getFileName().toString().replaceFirst("\\.java$", "")));
        assertThat(strangers(NAMED, known)).isEmpty();
    }

    @Test
    void everyGradleTaskIsThere() throws IOException {
        Set<String> known = new HashSet<>(OF_GRADLE);
        for (Path script : buildFiles()) {
            known.addAll(found(DECLARED, Files.readString(script)));
        }
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (Path page : pages()) {
            for (String line : found(GRADLE, Files.readString(page))) {
                for (String word : line.strip().split(" +", -1)) {
                    Matcher task = TASK.matcher(word);
                    if (task.matches()) {
                        named++;
                        if (!known.contains(task.group(1))) {
                            missing.add(page + ": " + word);
                        }
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(named).isGreaterThan(20);
    }

    /** What the pages name and nobody knows. */
    private static List<String> strangers(Pattern pattern, Set<String> known) throws IOException {
        List<String> strangers = new ArrayList<>();
        int named = 0;
        for (Path page : pages()) {
            for (String name : found(pattern, Files.readString(page))) {
                named++;
                if (!known.contains(name)) {
                    strangers.add(page + ": " + name);
                }
            }
        }
        assertThat(named).isGreaterThan(50);
        return strangers;
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT, DEEPEST_PAGE)) {
            List<Path> pages = files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !ROOT.relativize(file).toString().contains("build/"))
                    .toList();
            assertThat(pages).contains(ROOT.resolve("README.md"), ROOT.resolve("docs/design.md"));
            return pages;
        }
    }

    private static List<Path> buildFiles() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT, DEEPEST_PAGE)) {
            return files.filter(file -> file.toString().endsWith(".gradle"))
                    .filter(Files::isRegularFile)
                    .toList();
        }
    }

    /** All Java files of the tree, those of tests included. */
    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().matches(".*/src/\\w+/java/.*\\.java"))
                    .filter(file -> !ROOT.relativize(file).toString().contains("build/"))
                    .toList();
        }
    }
}
