package dev.cordon.guest;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * What the guest gets: this process's class path as jars, the probe programs and a class-data archive. Jars, because directories can't be
 * archived; a relative class path, because the archive is valid for the very path that it was made with.
 *
 * @param directory where it is staged
 * @param classpath relative to that directory
 */
record Payload(Path directory, String classpath) {
    private static final String ARCHIVE = "suite.jsa";
    private static final long TRAINING_MINUTES = 5;

    /** Loads what the suites need, on this machine: which tests succeed does not matter here. */
    private static final String TRAINING = "dev.cordon.engine.OutcomeJailTest";

    /** Test engines and a compiler of assertions that the guest's suites do not use. */
    private static final List<String> LEFT_OUT =
            List.of("archunit", "junit-platform-console", "junit-platform-reporting");

    static Payload stage(Path directory) throws IOException {
        Path lib = Files.createDirectories(directory.resolve("lib"));
        List<String> names = new ArrayList<>();
        for (String element : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path source = Path.of(element);
            String original = source.getFileName().toString();
            if (!Files.exists(source) || LEFT_OUT.stream().anyMatch(original::startsWith)) {
                continue;
            }
            String name = "%02d-%s".formatted(names.size(), original.endsWith(".jar") ? original : original + ".jar");
            if (Files.isDirectory(source)) {
                pack(source, lib.resolve(name));
            } else {
                Files.copy(source, lib.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
            }
            names.add("lib/" + name);
        }
        Path probes = Files.createDirectories(directory.resolve("probes"));
        copyProgram(Path.of(property("cordon.test.probes"), "payload"), probes.resolve("payload"));
        copyProgram(Path.of(property("cordon.test.supervisor.faults")), directory.resolve("supervisor-faults"));
        return new Payload(directory, String.join(":", names));
    }

    /** The options and the class path of a JVM that runs in the staged directory. */
    String java(String program) {
        // Not in the arguments, so that control planes that a test starts have it, too. The log would complain on
        // stdout that the
        // archive of the JDK itself does not know about native access.
        return "env JDK_JAVA_OPTIONS='-XX:SharedArchiveFile=" + ARCHIVE + " -Xlog:disable' java -ea " + settings() + " "
                + program;
    }

    private String settings() {
        return "-Xmx256m --enable-native-access=ALL-UNNAMED -Dcordon.test.probes=probes"
                + " -Dcordon.test.supervisor.faults=supervisor-faults -cp " + classpath;
    }

    /** Makes the archive with the guest's own runtime. Without it the guest is slower, and that is all. */
    void train(Path runtime) throws IOException, InterruptedException {
        Path results = Files.createTempFile("cordon-training", ".tsv");
        List<String> command =
                new ArrayList<>(List.of(runtime.resolve("bin/java").toString(), "-ea"));
        command.add("-XX:ArchiveClassesAtExit=" + ARCHIVE);
        command.addAll(List.of(settings().split(" ", -1)));
        command.addAll(List.of(InnerSuite.class.getName(), results.toString(), TRAINING));
        Process training = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("training.log").toFile())
                .start();
        try {
            if (!training.waitFor(TRAINING_MINUTES, TimeUnit.MINUTES)) {
                System.out.println("the class-data archive was not made in time");
            }
        } finally {
            training.destroyForcibly().waitFor();
            Files.delete(results);
        }
    }

    private static void copyProgram(Path source, Path target) throws IOException {
        Files.copy(source, target, StandardCopyOption.COPY_ATTRIBUTES);
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> tree = Files.walk(classes)) {
            out.setLevel(0);
            for (Path entry : tree.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(entry).toString()));
                Files.copy(entry, out);
                out.closeEntry();
            }
        }
    }

    static void remove(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path entry : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(entry);
            }
        }
    }

    static String property(String name) {
        String value = System.getProperty(name);
        if (value == null) {
            throw new IllegalStateException("start it with -D" + name + " (./gradlew does)");
        }
        return value;
    }
}
