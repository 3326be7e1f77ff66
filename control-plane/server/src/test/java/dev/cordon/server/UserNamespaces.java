package dev.cordon.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the jail suite needs. A host without it skips the suite, and says so. */
final class UserNamespaces {

    private UserNamespaces() {}

    /** Asks util-linux and not Cordon: a broken Cordon must fail its tests. */
    static void assumeAvailable() {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/unshare")),
                "needs unshare of util-linux to look for user namespaces");
        assumeTrue(unshareWorks(), "needs user namespaces");
    }

    private static boolean unshareWorks() {
        try {
            Process process = new ProcessBuilder("/usr/bin/unshare", "--user", "/bin/true")
                    .redirectErrorStream(true)
                    .start();
            process.getInputStream().readAllBytes();
            return process.waitFor() == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
