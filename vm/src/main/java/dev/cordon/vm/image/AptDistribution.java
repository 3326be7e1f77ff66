package dev.cordon.vm.image;

import dev.cordon.vm.layer.BuildTool;
import dev.cordon.vm.layer.ImageProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The distribution that this host is configured for: where packages come from, and which. */
final class AptDistribution {
    private static final Path SOURCES = Path.of("/etc/apt/sources.list");
    private static final Path MORE_SOURCES = Path.of("/etc/apt/sources.list.d");
    private static final Path RELEASE = Path.of("/etc/os-release");

    private AptDistribution() {}

    /** What the host's packages come from, as a text that changes when it does. Runs no program: this is asked at every start. */
    static String identity() throws IOException {
        StringBuilder identity = new StringBuilder(codename());
        List<Path> files = new ArrayList<>();
        if (Files.exists(SOURCES)) {
            files.add(SOURCES);
        }
        if (Files.isDirectory(MORE_SOURCES)) {
            try (Stream<Path> more = Files.list(MORE_SOURCES)) {
                more.sorted().forEach(files::add);
            }
        }
        for (Path file : files) {
            identity.append('\n').append(Files.readString(file));
        }
        return identity.toString();
    }

    /** The name of the host's release. */
    static String codename() throws IOException {
        if (Files.exists(RELEASE)) {
            for (String line : Files.readAllLines(RELEASE)) {
                if (line.startsWith("VERSION_CODENAME=")) {
                    return line.substring(line.indexOf('=') + 1).replace("\"", "");
                }
            }
        }
        throw new ImageProblem(
                "this host's release has no code name in " + RELEASE,
                "images are built on Debian; elsewhere use: cordon image import NAME ARCHIVE");
    }

    /** The package that a metapackage of kernels stands for. */
    static String kernelPackage(Path scratch, String metapackage) throws IOException {
        for (String line : BuildTool.run(scratch, "apt-cache", "depends", "--important", metapackage)) {
            String text = line.strip();
            if (text.startsWith("Depends: linux-image-")) {
                return text.substring("Depends: ".length());
            }
        }
        throw new ImageProblem("apt knows no " + metapackage, "as root: apt-get update");
    }

    /** The files that list the host's sources for its own release: whole ones, because options belong to the entries. */
    static List<String> sourceFiles(Path scratch) throws IOException {
        String codename = codename();
        List<String> files = BuildTool.run(
                        scratch,
                        "apt-get",
                        "indextargets",
                        "--format",
                        "$(RELEASE) $(SOURCESENTRY)",
                        "Created-By: Packages",
                        "Origin: Debian",
                        "Architecture: amd64")
                .stream()
                .filter(line -> line.startsWith(codename))
                .map(line -> line.substring(line.indexOf(' ') + 1).replaceFirst(":[0-9]*$", ""))
                .distinct()
                .sorted()
                .toList();
        if (files.isEmpty()) {
            throw new ImageProblem("apt has no Debian source for " + codename, "as root: apt-get update");
        }
        return files;
    }

    /** How this host reaches its mirror, and whether it trusts an old index: for an apt that builds an image. */
    static void writeSettings(Path scratch, Path file) throws IOException {
        List<String> settings = BuildTool.run(scratch, "apt-config", "dump", "--format", "%F \"%v\";%n").stream()
                .filter(line -> line.matches("Acquire::(https?::|Check-Valid-Until|Retries).*"))
                .toList();
        Files.write(file, settings);
    }
}
