package dev.cordon.bindings;

import dev.cordon.bindings.generated.libc.LibcH;
import dev.cordon.bindings.generated.shim.CordonH;
import dev.cordon.bindings.value.Errno;
import dev.cordon.bindings.value.ErrnoException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The native half of Cordon: libcordon.so and the supervisor's program, of the same version as these classes. They come
 * from the jar, or from the directory that the system property {@code cordon.native.dir} names. The library is loaded
 * once, by the first {@link #load}; the supervisor's program is a sealed copy that later changes of the file cannot reach.
 */
public final class NativeParts {
    /** Names a directory with libcordon.so and cordon-supervisor to be used instead of those in the jar. */
    public static final String DIRECTORY_PROPERTY = "cordon.native.dir";

    private static final String LIBRARY = "libcordon.so";
    private static final String SUPERVISOR = "cordon-supervisor";
    private static final String PROBES = "cordon-probes";
    private static final String GUEST = "cordon-guest";

    private static @Nullable NativeParts loaded;

    private final Libc libc;
    private final Kernel kernel;
    private @Nullable SeccompLibrary seccomp;
    private @Nullable Fd supervisor;

    private NativeParts(Libc libc, Kernel kernel) {
        this.libc = libc;
        this.kernel = kernel;
    }

    /**
     * Loads the library, or returns what was loaded before.
     *
     * @throws NativeUnavailable when it is missing, of another version, or native access is not enabled
     */
    public static synchronized NativeParts load() {
        NativeParts natives = loaded;
        if (natives == null) {
            natives = loadOnce();
            loaded = natives;
        }
        return natives;
    }

    /** The version of the shim's ABI, which the library and these classes share. */
    public int abiVersion() {
        return CordonH.CORDON_ABI_VERSION();
    }

    /** A descriptor of this process as a terminal; whether it is one shows when it is used. */
    public TerminalDevice terminal(int fd) {
        return new TerminalDevice(libc, fd);
    }

    /** System calls. */
    public Kernel kernel() {
        return kernel;
    }

    /**
     * The compiler of system call filters.
     *
     * @throws NativeUnavailable when libseccomp is missing or too old
     */
    public synchronized SeccompLibrary seccomp() {
        SeccompLibrary made = seccomp;
        if (made == null) {
            made = SeccompLibrary.load(libc);
            seccomp = made;
        }
        return made;
    }

    /** The supervisor's program, to be spawned. It belongs to this object: do not close it. */
    public synchronized Fd supervisorProgram() throws ErrnoException {
        Fd made = supervisor;
        if (made == null) {
            made = kernel.sealed(SUPERVISOR, content(SUPERVISOR));
            supervisor = made;
        }
        return made;
    }

    /** The program that tries to get out of a sandbox, for the self-test. Static: it runs wherever it is copied to. */
    public byte[] probesProgram() {
        return content(PROBES);
    }

    /** The init of virtual machines, which is also the host's agent in them. */
    public byte[] guestProgram() {
        return content(GUEST);
    }

    /** The supervisor's program as a file for virtual machines. */
    public byte[] supervisorFile() {
        return content(SUPERVISOR);
    }

    private static NativeParts loadOnce() {
        try {
            Libc libc = new Libc();
            String directory = System.getProperty(DIRECTORY_PROPERTY);
            if (directory == null) {
                loadFromMemory(libc);
            } else {
                System.load(Path.of(directory, LIBRARY).toAbsolutePath().toString());
            }
            ShimLibrary shim = new ShimLibrary(libc);
            checkVersion(shim.abiVersion());
            return new NativeParts(libc, new Kernel(libc, shim));
        } catch (UnsatisfiedLinkError e) {
            throw new NativeUnavailable(
                    LIBRARY + " cannot be loaded: " + e.getMessage(),
                    "build it with 'make -C native' and set -D" + DIRECTORY_PROPERTY + " to its directory",
                    e);
        } catch (IllegalCallerException e) {
            throw new NativeUnavailable(
                    "native access is not enabled: " + e.getMessage(),
                    "start java with --enable-native-access=dev.cordon.bindings (ALL-UNNAMED on the class path)",
                    e);
        }
    }

    private static void checkVersion(int version) {
        if (version != CordonH.CORDON_ABI_VERSION()) {
            throw new NativeUnavailable(
                    LIBRARY + " has ABI version " + version + ", these classes need " + CordonH.CORDON_ABI_VERSION(),
                    "use a library and jars of one release, or unset " + DIRECTORY_PROPERTY);
        }
    }

    /**
     * Without a file on a disk there is nothing to clean up, to race for or to be mounted noexec. The descriptor stays
     * open: the JVM knows libraries by path, and another class loader's copy must not get the same number.
     */
    private static void loadFromMemory(Libc libc) {
        byte[] content = content(LIBRARY);
        int number = libc.memfd(LIBRARY, LibcH.MFD_CLOEXEC() | LibcH.MFD_ALLOW_SEALING());
        if (number < 0) {
            throw new NativeUnavailable(
                    "memfd_create: " + Errno.name(-number),
                    "unpack the native files and set -D" + DIRECTORY_PROPERTY + " to their directory");
        }
        try {
            Path path = Path.of("/proc/self/fd/" + number);
            Files.write(path, content);
            int seals = LibcH.F_SEAL_SEAL() | LibcH.F_SEAL_SHRINK() | LibcH.F_SEAL_GROW() | LibcH.F_SEAL_WRITE();
            Kernel.check("fcntl", libc.fcntl(number, LibcH.F_ADD_SEALS(), seals));
            System.load(path.toString());
        } catch (IOException e) {
            throw new NativeUnavailable("a copy of " + LIBRARY + " in memory: " + e.getMessage(), "mount /proc", e);
        }
    }

    private static byte[] content(String name) {
        String directory = System.getProperty(DIRECTORY_PROPERTY);
        try {
            if (directory != null) {
                return Files.readAllBytes(Path.of(directory, name));
            }
            String resource = "/dev/cordon/native/" + platform() + "/" + name;
            try (InputStream stream = NativeParts.class.getResourceAsStream(resource)) {
                if (stream == null) {
                    throw new NativeUnavailable(
                            name + " for " + platform() + " is not in the jar",
                            "build it with 'make -C native' and set -D" + DIRECTORY_PROPERTY + " to its directory");
                }
                return stream.readAllBytes();
            }
        } catch (IOException e) {
            throw new NativeUnavailable(
                    name + " cannot be read: " + e, "check the directory that " + DIRECTORY_PROPERTY + " names", e);
        }
    }

    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch");
        return system + "-" + ("amd64".equals(machine) ? "x86_64" : machine);
    }
}
