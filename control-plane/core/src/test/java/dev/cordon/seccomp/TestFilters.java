package dev.cordon.seccomp;

import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.SeccompLibrary;
import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.seccomp.compile.ProfileCompiler;
import dev.cordon.seccomp.read.Profiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the tests of this package share. */
public final class TestFilters {
    public static final FilterAction ALLOW = new FilterAction.Allow();
    public static final FilterAction EPERM = new FilterAction.Errno(1);
    static final FilterAction ENOTTY = new FilterAction.Errno(25);
    public static final FilterAction ENOSYS = new FilterAction.Errno(38);
    public static final FilterAction NOTIFY = new FilterAction.Notify();
    public static final FilterAction KILL = new FilterAction.KillProcess();

    private TestFilters() {}

    public static SeccompLibrary seccomp() {
        return NativeParts.load().seccomp();
    }

    public static ProfileCompiler compiler() {
        return new ProfileCompiler(seccomp()::compile);
    }

    /** What the kernel would do with both filters in place: the strictest answer. */
    public static FilterAction verdict(CompiledProfile compiled, int syscall, long... arguments) {
        return Stream.concat(Stream.of(compiled.initFilter()), compiled.jobFilter().stream())
                .map(program -> new BpfInterpreter(program).verdict(syscall, arguments))
                .max(Comparator.comparing(ActionStrictness::of))
                .orElseThrow();
    }

    public static FilterAction verdict(CompiledProfile compiled, String syscall, long... arguments) {
        return verdict(compiled, SystemCalls.require(syscall), arguments);
    }

    public static Profile parse(String json) {
        return Profiles.parse("test.json", json.getBytes(StandardCharsets.UTF_8));
    }

    public static CompiledProfile compile(String json) {
        try {
            return compiler().compile(parse(json));
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
    }

    public static List<ProfileProblem> problems(String json) {
        try {
            parse(json);
            return List.of();
        } catch (InvalidProfile e) {
            return e.problems();
        }
    }

    public static byte[] shipped(String name) throws IOException {
        try (InputStream stream = Profiles.class.getResourceAsStream("/dev/cordon/profiles/" + name + ".json")) {
            return Optional.ofNullable(stream).orElseThrow().readAllBytes();
        }
    }
}
