package dev.cordon.bindings;

import dev.cordon.bindings.filter.ArgumentComparison;
import dev.cordon.bindings.filter.ComparisonOperator;
import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.bindings.filter.FilterRule;
import dev.cordon.bindings.filter.FilterSpec;
import dev.cordon.bindings.generated.libc.LibcH;
import dev.cordon.bindings.generated.seccomp.SeccompH;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** libseccomp: names and numbers of system calls, and the compiler from rules to a BPF program. */
public final class SeccompLibrary extends NativeLibrary {
    private static final String SONAME = "libseccomp.so.2";

    /** A balanced tree over the call numbers: a filter takes a quarter of the time of a linear one to load. */
    private static final int OPTIMIZE_TREE = 2;

    // struct scmp_arg_cmp: the argument's index, the operator, two values.
    private static final int COMPARISON_BYTES = 24;
    private static final int MAX_ARGUMENTS = 6;

    private final Libc libc;
    private final Function init = function("seccomp_init");
    private final Function release = function("seccomp_release");
    private final Function attrSet = function("seccomp_attr_set");
    private final Function ruleAddArray = function("seccomp_rule_add_array");
    private final Function exportBpf = function("seccomp_export_bpf");
    private final Function resolveName = function("seccomp_syscall_resolve_name");
    private final Function resolveNumber = function("seccomp_syscall_resolve_num_arch");
    private final Function version = function("seccomp_version");

    private SeccompLibrary(Libc libc, SymbolLookup library) {
        super(libc, library);
        this.libc = libc;
    }

    static SeccompLibrary load(Libc libc) {
        SymbolLookup library;
        try {
            library = SymbolLookup.libraryLookup(SONAME, Arena.global());
        } catch (IllegalArgumentException e) {
            throw new NativeUnavailable(SONAME + " is missing", "run 'apt-get install libseccomp2'", e);
        }
        // Notifications and tree-shaped filters came with 2.5, and with them this function.
        if (library.find("seccomp_notify_fd").isEmpty()) {
            throw new NativeUnavailable(SONAME + " is older than 2.5", "upgrade it with 'apt-get install libseccomp2'");
        }
        return new SeccompLibrary(libc, library);
    }

    /** The library's version, such as {@code 2.5.4}. */
    public String version() {
        try (CallMemory memory = new CallMemory()) {
            // struct scmp_version: major, minor, micro.
            ByteBuffer numbers = CallMemory.at(version.call(memory), 3 * Integer.BYTES);
            return numbers.getInt() + "." + numbers.getInt() + "." + numbers.getInt();
        }
    }

    /** The number of a system call on this machine; nothing when it has no such call. */
    public OptionalInt number(String syscall) {
        try (CallMemory memory = new CallMemory()) {
            int number = (int) resolveName.call(memory, memory.text(syscall));
            return number >= 0 ? OptionalInt.of(number) : OptionalInt.empty();
        }
    }

    /** The name of a system call of this machine. */
    public Optional<String> name(int number) {
        try (CallMemory memory = new CallMemory()) {
            long name = resolveNumber.call(memory, SeccompH.SCMP_ARCH_NATIVE(), number);
            if (name == 0) {
                return Optional.empty();
            }
            try {
                return Optional.of(CallMemory.textAt(name));
            } finally {
                libc.free(name);
            }
        }
    }

    /**
     * Compiles a filter for this machine's architecture. Whoever loads it must have set no_new_privs.
     *
     * @return the BPF program, as an array of {@code struct sock_filter}
     */
    public byte[] compile(FilterSpec spec) throws ErrnoException {
        try (CallMemory memory = new CallMemory()) {
            long context = init.call(memory, code(spec.defaultAction()));
            if (context == 0) {
                throw new ErrnoException("seccomp_init", Errno.EINVAL);
            }
            try {
                set(memory, context, SeccompH.SCMP_FLTATR_CTL_NNP(), 0);
                set(memory, context, SeccompH.SCMP_FLTATR_CTL_OPTIMIZE(), OPTIMIZE_TREE);
                set(memory, context, SeccompH.SCMP_FLTATR_ACT_BADARCH(), code(spec.foreignArchitecture()));
                ByteBuffer comparisons = memory.room(MAX_ARGUMENTS * COMPARISON_BYTES);
                int defaultAction = code(spec.defaultAction());
                for (FilterRule rule : spec.rules()) {
                    int action = code(rule.action());
                    // libseccomp refuses a rule that says what the default says already.
                    if (action != defaultAction) {
                        add(memory, context, action, rule, comparisons);
                    }
                }
                return export(memory, context);
            } finally {
                release.call(memory, context);
            }
        }
    }

    private void set(CallMemory memory, long context, int attribute, int value) throws ErrnoException {
        Kernel.check("seccomp_attr_set", (int) attrSet.call(memory, context, attribute, value));
    }

    private void add(CallMemory memory, long context, int action, FilterRule rule, ByteBuffer comparisons)
            throws ErrnoException {
        comparisons.clear();
        for (ArgumentComparison arg : rule.args()) {
            comparisons.putInt(arg.index()).putInt(code(arg.operator()));
            comparisons.putLong(arg.value()).putLong(arg.valueTwo());
        }
        comparisons.flip();
        int added = (int) ruleAddArray.call(
                memory, context, action, rule.syscall(), rule.args().size(), CallMemory.address(comparisons));
        Kernel.check("seccomp_rule_add_array for system call " + rule.syscall(), added);
    }

    private byte[] export(CallMemory memory, long context) throws ErrnoException {
        try (Fd fd = new Fd(libc, Kernel.check("memfd_create", libc.memfd("filter", LibcH.MFD_CLOEXEC())))) {
            Kernel.check("seccomp_export_bpf", (int) exportBpf.call(memory, context, fd.number()));
            return Files.readAllBytes(Path.of("/proc/self/fd/" + fd.number()));
        } catch (ErrnoException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int code(FilterAction action) {
        return switch (action) {
            case FilterAction.Allow() -> SeccompH.SCMP_ACT_ALLOW();
            case FilterAction.Errno(int errno) -> SeccompH.SECCOMP_RET_ERRNO() | errno;
            case FilterAction.KillProcess() -> SeccompH.SCMP_ACT_KILL_PROCESS();
            case FilterAction.KillThread() -> SeccompH.SCMP_ACT_KILL_THREAD();
            case FilterAction.Trap() -> SeccompH.SCMP_ACT_TRAP();
            case FilterAction.Notify() -> SeccompH.SCMP_ACT_NOTIFY();
            case FilterAction.Log() -> SeccompH.SCMP_ACT_LOG();
        };
    }

    static int code(ComparisonOperator operator) {
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
