package dev.cordon.doctor;

import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.NativeUnavailable;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * What runs under what, for bug reports.
 *
 * @param cordon this release
 * @param java the JVM's version
 * @param kernel the release of the running kernel
 * @param libcordon the version of its ABI
 * @param libseccomp the version of the library
 */
public record SoftwareVersions(String cordon, String java, String kernel, String libcordon, String libseccomp) {

    /** Asks this machine. What is missing is named, not thrown. */
    public static SoftwareVersions ofThisHost() {
        HostFiles files = new HostFiles(Path.of("/"));
        return new SoftwareVersions(
                ownVersion(),
                Runtime.version().toString(),
                files.line("/proc/sys/kernel/osrelease").orElse("unknown"),
                told(natives -> "ABI " + natives.abiVersion()),
                told(natives -> natives.seccomp().version()));
    }

    private static String ownVersion() {
        return SoftwareVersions.class.getModule().getDescriptor() == null
                ? "unknown"
                : SoftwareVersions.class
                        .getModule()
                        .getDescriptor()
                        .rawVersion()
                        .orElse("unknown");
    }

    private static String told(Function<NativeParts, String> version) {
        try {
            return version.apply(NativeParts.load());
        } catch (NativeUnavailable missing) {
            return missing.missing();
        }
    }
}
