package dev.cordon.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each case loads the library in a JVM of its own: a loaded library cannot be unloaded. */
class NativePartsTest {
    @TempDir
    Path directory;

    /** Prints what came of loading. */
    static final class Loader {
        private Loader() {}

        public static void main(String[] arguments) throws IOException {
            try {
                NativeParts natives = NativeParts.load();
                System.out.println(
                        "loaded, program " + natives.supervisorProgram().isOpen());
            } catch (NativeUnavailable e) {
                System.out.println("unavailable: " + e.missing() + " | " + e.remedy());
            }
        }
    }

    @Test
    void comesFromTheClassPath() throws IOException {
        assertThat(load("--enable-native-access=ALL-UNNAMED")).contains("loaded, program true");
    }

    @Test
    void otherVersionIsRefused() throws IOException {
        StringBuilder functions = new StringBuilder("int cordon_abi_version(void) { return 77; }\n");
        for (String name : SymbolList.CORDON.names("function")) {
            if (!"cordon_abi_version".equals(name)) {
                functions.append("int ").append(name).append("(void) { return 0; }\n");
            }
        }
        CProgram.compile(directory, "libcordon.so", functions.toString(), "-shared", "-fPIC");
        assertThat(load("--enable-native-access=ALL-UNNAMED", "-Dcordon.native.dir=" + directory))
                .contains("unavailable: libcordon.so has ABI version 77, these classes need 1 | use a library and jars"
                        + " of one release");
    }

    @Test
    void missingDirectoryIsNamedWithTheRemedy() throws IOException {
        Path missing = directory.resolve("missing");
        assertThat(load("--enable-native-access=ALL-UNNAMED", "-Dcordon.native.dir=" + missing))
                .contains("unavailable: libcordon.so cannot be loaded", missing.toString(), "make -C native");
    }

    @Test
    void somethingElseThanALibraryIsRefused() throws IOException {
        Files.writeString(directory.resolve("libcordon.so"), "not a library");
        assertThat(load("--enable-native-access=ALL-UNNAMED", "-Dcordon.native.dir=" + directory))
                .contains("unavailable: libcordon.so cannot be loaded");
    }

    private static String load(String... flags) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> command = new ArrayList<>(List.of(java.toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Loader.class.getName()));
        return CProgram.run(command);
    }
}
