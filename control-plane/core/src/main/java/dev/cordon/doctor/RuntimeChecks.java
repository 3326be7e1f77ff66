package dev.cordon.doctor;

import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.NativeUnavailable;
import java.util.List;

/** What Cordon itself runs on: the JVM, its own native half and libseccomp. */
final class RuntimeChecks {

    private static final int OLDEST_JAVA = 22;

    private RuntimeChecks() {}

    static List<HostCheck> run() {
        return List.of(java(), nativeAccess(), library(), libseccomp());
    }

    private static HostCheck java() {
        CheckSubject subject =
                new CheckSubject("java", "the Foreign Function API, which builds the jail, is final since Java 22");
        String found = Runtime.version() + " (" + System.getProperty("java.vm.name") + ", "
                + System.getProperty("java.home") + ")";
        return Runtime.version().feature() >= OLDEST_JAVA
                ? subject.pass(found)
                : subject.fail(found, "apt install openjdk-25-jre-headless, or set CORDON_JAVA_HOME");
    }

    private static HostCheck nativeAccess() {
        Module bindings = NativeParts.class.getModule();
        String name = bindings.isNamed() ? bindings.getName() : "ALL-UNNAMED";
        CheckSubject subject = new CheckSubject(
                "native_access",
                "native calls are allowed to one module; later Java versions refuse what is not granted");
        return bindings.isNativeAccessEnabled()
                ? subject.pass("granted to " + name)
                : subject.warn("not granted to " + name, "start java with --enable-native-access=" + name);
    }

    private static HostCheck library() {
        CheckSubject subject = new CheckSubject(
                "native_library",
                "libcordon.so and the supervisor start every sandbox; both halves must be of one version");
        try {
            int abi = NativeParts.load().abiVersion();
            return subject.pass("libcordon.so, ABI " + abi);
        } catch (NativeUnavailable missing) {
            return subject.fail(missing.missing(), missing.remedy());
        }
    }

    /** What the kernel says; 0 also when there is no library to ask it with. */
    static int landlockAbi() {
        try {
            return NativeParts.load().kernel().landlockAbi();
        } catch (NativeUnavailable unknown) {
            return 0;
        }
    }

    private static HostCheck libseccomp() {
        CheckSubject subject = new CheckSubject("libseccomp", "it turns a JSON profile into the filter of a job");
        try {
            return subject.pass("version " + NativeParts.load().seccomp().version());
        } catch (NativeUnavailable missing) {
            return subject.fail(missing.missing(), missing.remedy());
        }
    }
}
