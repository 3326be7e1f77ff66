package dev.cordon.profile;

import dev.cordon.bindings.Action;
import dev.cordon.bindings.ErrnoException;
import dev.cordon.bindings.Natives;
import dev.cordon.bindings.Seccomp;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the tests of this package share. */
final class TestFilters {
    static final Action ALLOW = new Action.Allow();
    static final Action EPERM = new Action.Errno(1);
    static final Action ENOTTY = new Action.Errno(25);
    static final Action ENOSYS = new Action.Errno(38);
    static final Action NOTIFY = new Action.Notify();
    static final Action KILL = new Action.KillProcess();

    private TestFilters() {}

    static Seccomp seccomp() {
        return Natives.load().seccomp();
    }

    static ProfileCompiler compiler() {
        return new ProfileCompiler(seccomp()::compile);
    }

    /** What the kernel would do with both filters in place: the strictest answer. */
    static Action verdict(CompiledProfile compiled, int syscall, long... arguments) {
        return Stream.concat(Stream.of(compiled.initFilter()), compiled.jobFilter().stream())
                .map(program -> new BpfInterpreter(program).verdict(syscall, arguments))
                .max(Comparator.comparing(Strictness::of))
                .orElseThrow();
    }

    static Action verdict(CompiledProfile compiled, String syscall, long... arguments) {
        return verdict(compiled, SystemCalls.require(syscall), arguments);
    }

    static Profile parse(String json) {
        return Profiles.parse("test.json", json.getBytes(StandardCharsets.UTF_8));
    }

    static CompiledProfile compile(String json) {
        try {
            return compiler().compile(parse(json));
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
    }

    static List<ProfileProblem> problems(String json) {
        try {
            parse(json);
            return List.of();
        } catch (InvalidProfile e) {
            return e.problems();
        }
    }

    static byte[] shipped(String name) throws IOException {
        try (InputStream stream = Profiles.class.getResourceAsStream("/dev/cordon/profiles/" + name + ".json")) {
            return Optional.ofNullable(stream).orElseThrow().readAllBytes();
        }
    }
}
