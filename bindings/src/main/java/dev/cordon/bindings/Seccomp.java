package dev.cordon.bindings;

import dev.cordon.bindings.generated.libc.LibcH;
import dev.cordon.bindings.generated.seccomp.SeccompH;
import dev.cordon.bindings.generated.seccomp.scmp_arg_cmp;
import dev.cordon.bindings.generated.seccomp.scmp_version;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** libseccomp: names and numbers of system calls, and the compiler from rules to a BPF program. */
public final class Seccomp {
    private static final String SONAME = "libseccomp.so.2";

    /** A balanced tree over the call numbers: a filter takes a quarter of the time of a linear one to load. */
    private static final int OPTIMIZE_TREE = 2;

    private final Libc libc;

    private Seccomp(Libc libc) {
        this.libc = libc;
    }

    static Seccomp load(Libc libc) {
        // Tried here first: a failure inside the generated class's initialiser could not be tried again.
        try (Arena probe = Arena.ofConfined()) {
            SymbolLookup.libraryLookup(SONAME, probe);
        } catch (IllegalArgumentException e) {
            throw new NativeUnavailable(SONAME + " is missing", "run 'apt-get install libseccomp2'", e);
        }
        MemorySegment version = SeccompH.seccomp_version();
        int major = scmp_version.major(version);
        int minor = scmp_version.minor(version);
        if (major < 2 || (major == 2 && minor < 5)) {
            throw new NativeUnavailable(
                    SONAME + " is version " + major + "." + minor + ", 2.5 is needed",
                    "upgrade it with 'apt-get install libseccomp2'");
        }
        return new Seccomp(libc);
    }

    /** The number of a system call on this machine; nothing when it has no such call. */
    public OptionalInt number(String syscall) {
        int number = resolve(syscall);
        return number >= 0 ? OptionalInt.of(number) : OptionalInt.empty();
    }

    /** The name of a system call of this machine. */
    public Optional<String> name(int number) {
        MemorySegment name = SeccompH.seccomp_syscall_resolve_num_arch(SeccompH.SCMP_ARCH_NATIVE(), number);
        if (name.equals(MemorySegment.NULL)) {
            return Optional.empty();
        }
        try {
            return Optional.of(name.getString(0));
        } finally {
            LibcH.free(name);
        }
    }

    /** Whether this is a system call of other architectures only: libseccomp numbers those below -1. */
    public boolean knownElsewhere(String syscall) {
        return resolve(syscall) < SeccompH.__NR_SCMP_ERROR();
    }

    /**
     * Compiles a filter for this machine's architecture. Whoever loads it must have set no_new_privs.
     *
     * @return the BPF program, as an array of {@code struct sock_filter}
     */
    public byte[] compile(FilterSpec spec) throws ErrnoException {
        MemorySegment context = SeccompH.seccomp_init(code(spec.defaultAction()));
        if (context.equals(MemorySegment.NULL)) {
            throw new ErrnoException("seccomp_init", Errno.EINVAL);
        }
        try {
            set(context, SeccompH.SCMP_FLTATR_CTL_NNP(), 0);
            set(context, SeccompH.SCMP_FLTATR_CTL_OPTIMIZE(), OPTIMIZE_TREE);
            set(context, SeccompH.SCMP_FLTATR_ACT_BADARCH(), code(spec.foreignArchitecture()));
            for (Rule rule : spec.rules()) {
                // libseccomp refuses a rule that says what the default says already.
                if (!rule.action().equals(spec.defaultAction())) {
                    add(context, rule);
                }
            }
            return export(context);
        } finally {
            SeccompH.seccomp_release(context);
        }
    }

    private static int resolve(String syscall) {
        try (Arena arena = Arena.ofConfined()) {
            return SeccompH.seccomp_syscall_resolve_name(arena.allocateFrom(syscall));
        }
    }

    private static void set(MemorySegment context, int attribute, int value) throws ErrnoException {
        Kernel.check("seccomp_attr_set", SeccompH.seccomp_attr_set(context, attribute, value));
    }

    private static void add(MemorySegment context, Rule rule) throws ErrnoException {
        List<Compare> args = rule.args();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment array = MemorySegment.NULL;
            if (!args.isEmpty()) {
                array = scmp_arg_cmp.allocateArray(args.size(), arena);
                for (int i = 0; i < args.size(); i++) {
                    fill(scmp_arg_cmp.asSlice(array, i), args.get(i));
                }
            }
            int added =
                    SeccompH.seccomp_rule_add_array(context, code(rule.action()), rule.syscall(), args.size(), array);
            Kernel.check("seccomp_rule_add_array for system call " + rule.syscall(), added);
        }
    }

    private static void fill(MemorySegment comparison, Compare arg) {
        scmp_arg_cmp.arg(comparison, arg.index());
        scmp_arg_cmp.op(comparison, code(arg.operator()));
        scmp_arg_cmp.datum_a(comparison, arg.value());
        scmp_arg_cmp.datum_b(comparison, arg.valueTwo());
    }

    private byte[] export(MemorySegment context) throws ErrnoException {
        try (Fd fd = new Fd(libc, Kernel.check("memfd_create", libc.memfd("filter", LibcH.MFD_CLOEXEC())))) {
            Kernel.check("seccomp_export_bpf", SeccompH.seccomp_export_bpf(context, fd.number()));
            return Files.readAllBytes(Path.of("/proc/self/fd/" + fd.number()));
        } catch (ErrnoException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int code(Action action) {
        return switch (action) {
            case Action.Allow() -> SeccompH.SCMP_ACT_ALLOW();
            case Action.Errno(int errno) -> SeccompH.SECCOMP_RET_ERRNO() | errno;
            case Action.KillProcess() -> SeccompH.SCMP_ACT_KILL_PROCESS();
            case Action.KillThread() -> SeccompH.SCMP_ACT_KILL_THREAD();
            case Action.Trap() -> SeccompH.SCMP_ACT_TRAP();
            case Action.Notify() -> SeccompH.SCMP_ACT_NOTIFY();
            case Action.Log() -> SeccompH.SCMP_ACT_LOG();
        };
    }

    static int code(Operator operator) {
        return switch (operator) {
            case NE -> SeccompH.SCMP_CMP_NE();
            case LT -> SeccompH.SCMP_CMP_LT();
            case LE -> SeccompH.SCMP_CMP_LE();
            case EQ -> SeccompH.SCMP_CMP_EQ();
            case GE -> SeccompH.SCMP_CMP_GE();
            case GT -> SeccompH.SCMP_CMP_GT();
            case MASKED_EQ -> SeccompH.SCMP_CMP_MASKED_EQ();
        };
    }
}
