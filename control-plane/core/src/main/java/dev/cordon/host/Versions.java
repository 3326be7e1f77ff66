package dev.cordon.host;

import dev.cordon.bindings.NativeUnavailable;
import dev.cordon.bindings.Natives;
import java.nio.file.Path;

/**
 * What runs under what, for bug reports.
 *
 * @param cordon this release
 * @param java the JVM's version
 * @param kernel the release of the running kernel
 * @param nativeLibrary the state of libcordon.so
 * @param libseccomp the version of the loaded library
 */
public record Versions(String cordon, String java, String kernel, String nativeLibrary, String libseccomp) {

    private static final String SONAME = "libseccomp.so.";

    /** Asks this machine. What is missing is named, not thrown. */
    public static Versions ofThisHost() {
        HostFiles files = new HostFiles(Path.of("/"));
        return new Versions(
                ownVersion(),
                Runtime.version().toString(),
                files.line("/proc/sys/kernel/osrelease").orElse("unknown"),
                nativeState(),
                seccompState(files));
    }

    private static String ownVersion() {
        return Versions.class.getModule().getDescriptor() == null
                ? "unknown"
                : Versions.class.getModule().getDescriptor().rawVersion().orElse("unknown");
    }

    private static String nativeState() {
        try {
            Natives.load();
            return "loaded";
        } catch (NativeUnavailable missing) {
            return missing.missing();
        }
    }

    private static String seccompState(HostFiles files) {
        try {
            Natives.load().seccomp();
            return libseccomp(files);
        } catch (NativeUnavailable missing) {
            return missing.missing();
        }
    }

    /** The loaded file's name tells it: /usr/lib/x86_64-linux-gnu/libseccomp.so.2.5.4. */
    static String libseccomp(HostFiles files) {
        for (String line : files.lines("/proc/self/maps")) {
            int name = line.lastIndexOf(SONAME);
            if (name > 0) {
                return line.substring(name + SONAME.length());
            }
        }
        return "unknown";
    }
}
