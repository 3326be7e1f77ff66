package dev.cordon.bindings;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The symbol lists that jextract works from, and where their output is. */
enum SymbolList {
    CORDON("cordon", "shim", "CordonH"),
    CORDON_WIRE("cordon_wire", "wire", "CordonWireH"),
    LIBC("libc", "libc", "LibcH"),
    LIBSECCOMP("libseccomp", "seccomp", "SeccompH");

    private final String list;
    private final String directory;
    private final String header;

    SymbolList(String list, String directory, String header) {
        this.list = list;
        this.directory = directory;
        this.header = header;
    }

    /** The names of one kind: function, struct or constant. */
    List<String> names(String kind) throws IOException {
        String option = "--include-" + kind + " ";
        return Files.readAllLines(CProgram.root().resolve("bindings/jextract/" + list + ".symbols")).stream()
                .filter(line -> line.startsWith(option))
                .map(line -> line.substring(option.length()))
                .toList();
    }

    Class<?> header() throws ClassNotFoundException {
        return type(header);
    }

    Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName("dev.cordon.bindings.generated." + directory + "." + name);
    }
}
