package dev.cordon.bindings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.generated.libc.LibcH;
import dev.cordon.bindings.value.Errno;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asks the C compiler for every size, offset and constant of the symbol lists, and compares with the generated classes. */
class LayoutTest {
    private static final String INCLUDES = """
        #include "libc.h"
        #include "libseccomp.h"
        #include "cordon.h"
        #include "cordon_wire.h"
        #include <stddef.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <sys/un.h>
        int main(void) {
        """;

    @TempDir
    Path directory;

    private final Map<String, String> expected = new TreeMap<>();
    private final StringBuilder program = new StringBuilder(INCLUDES);

    @Test
    void generatedClassesAgreeWithTheCompiler() throws Exception {
        for (SymbolList list : SymbolList.values()) {
            for (String struct : list.names("struct")) {
                Method layout = list.type(struct).getMethod("layout");
                addStruct((GroupLayout) layout.invoke(null), struct);
            }
            for (String constant : list.names("constant")) {
                Object value = list.header().getMethod(constant).invoke(null);
                String cast = value instanceof Integer ? "(int)" : "";
                add(constant, cast + "(" + constant + ")", ((Number) value).longValue());
            }
        }
        assertAgreement();
    }

    @Test
    void valuesWrittenByHandAgreeWithTheCompiler() throws Exception {
        add("statx mode", "offsetof(struct statx, stx_mode)", DirectoryCalls.STATUS_MODE);
        add("statx size", "offsetof(struct statx, stx_size)", DirectoryCalls.STATUS_SIZE);
        add("statx seconds", "offsetof(struct statx, stx_mtime.tv_sec)", DirectoryCalls.STATUS_MODIFIED);
        add("statx nanos", "offsetof(struct statx, stx_mtime.tv_nsec)", DirectoryCalls.STATUS_MODIFIED_NANOS);
        add("AF_UNIX", DatagramCalls.AF_UNIX);
        add("SOCK_DGRAM", DatagramCalls.SOCK_DGRAM);
        add("MSG_NOSIGNAL", DatagramCalls.MSG_NOSIGNAL);
        add("SOCK_CLOEXEC", LibcH.O_CLOEXEC());
        add("SOCK_NONBLOCK", LibcH.O_NONBLOCK());
        add("sun_path", "offsetof(struct sockaddr_un, sun_path)", DatagramCalls.PATH_OFFSET);
        add("longest path", "sizeof(((struct sockaddr_un *)0)->sun_path)", DatagramCalls.PATH_BYTES);
        add("EPOLLIN", PollSet.READABLE);
        add("EPOLLOUT", PollSet.WRITABLE);
        add("EPOLLERR", PollSet.ERROR);
        add("EPOLLHUP", PollSet.HANG_UP);
        add("errno", "SCMP_ACT_ERRNO(42)", SeccompLibrary.code(new FilterAction.Errno(42)));
        add("notify", "SCMP_ACT_NOTIFY", SeccompLibrary.code(new FilterAction.Notify()));
        add("any number", "(int)SCMP_ACT_KILL_PROCESS", SeccompLibrary.code(new FilterAction.KillProcess()));
        for (var field : Errno.class.getFields()) {
            add(field.getName(), field.getInt(null));
        }
        assertAgreement();
    }

    @Test
    void errorNamesAreThoseOfTheLibrary() throws Exception {
        Path names = CProgram.compile(directory, "names", INCLUDES + """
            for (int i = 0; i < 200; i++) {
                const char *name = strerrorname_np(i);
                if (i == 0 || name == NULL) printf("errno %d\\n", i); else puts(name);
            }
            return 0;
            }
            """);
        String[] lines = CProgram.run(List.of(names.toString())).split("\n", -1);
        for (int i = 0; i < 200; i++) {
            assertThat(Errno.name(i)).isEqualTo(lines[i]);
        }
    }

    private void addStruct(GroupLayout layout, String struct) {
        add("sizeof " + struct, "sizeof(struct " + struct + ")", layout.byteSize());
        for (MemoryLayout member : layout.memberLayouts()) {
            member.name()
                    .ifPresent(name -> add(
                            struct + "." + name,
                            "offsetof(struct " + struct + ", " + name + ")",
                            layout.byteOffset(MemoryLayout.PathElement.groupElement(name))));
        }
    }

    private void add(String constant, long value) {
        add(constant, constant, value);
    }

    private void add(String label, String expression, long value) {
        expected.put(label, Long.toString(value));
        program.append("printf(\"%s=%lld\\n\", \"")
                .append(label)
                .append("\", (long long)(")
                .append(expression)
                .append("));\n");
    }

    private void assertAgreement() throws Exception {
        Path compiled = CProgram.compile(
                directory, "layout", program.append("return 0;\n}\n").toString());
        Map<String, String> actual = new TreeMap<>();
        CProgram.run(List.of(compiled.toString()))
                .lines()
                .forEach(line ->
                        actual.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1)));
        assertThat(expected).hasSizeGreaterThan(10);
        assertThat(actual).isEqualTo(expected);
    }
}
