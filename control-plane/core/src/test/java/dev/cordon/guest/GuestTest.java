package dev.cordon.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.opentest4j.TestAbortedException;

/**
 * The tests of real sandboxes once more where all controllers are in cgroup v2 and systemd delegates: in a guest, as root and as a user.
 * Every test inside is a test here. Two guests run at a time: one keeps one processor busy.
 */
@Tag("guest")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 100, unit = TimeUnit.MINUTES)
final class GuestTest {
    private static final TestGuest guest = TestGuest.ofThisTree();
    private static Payload payload;

    @BeforeAll
    @Timeout(value = 40, unit = TimeUnit.MINUTES)
    static void build(@TempDir Path directory) throws Exception {
        String missing = guest.missing();
        assumeTrue(missing.isEmpty(), "the test guest needs what this machine lacks: " + missing);
        guest.build();
        payload = Payload.stage(directory);
        payload.train(guest.runtime());
        try (Stream<Path> files = Files.list(Path.of(Payload.property("cordon.root"), "build/package"))) {
            Path file = files.filter(each -> each.toString().endsWith(".deb"))
                    .findFirst()
                    .orElseThrow();
            Files.copy(file, directory.resolve("cordon.deb"));
        }
    }

    /** The Debian package: installed, used, killed, restarted, run as root, upgraded and purged, in this order and in one boot. */
    @TestFactory
    List<DynamicNode> theInstalledPackage() throws Exception {
        return suite("root", "service", "package", GuestSelection.installedPackage());
    }

    @TestFactory
    List<DynamicNode> asRootInAService() throws Exception {
        return suite("root", "service", "root-service", GuestSelection.rootInAService());
    }

    @TestFactory
    List<DynamicNode> asAUserInAService() throws Exception {
        return suite("tester", "service", "tester-service", GuestSelection.userInAService());
    }

    /** A user's own service manager delegates fewer controllers. */
    @TestFactory
    List<DynamicNode> inAUsersSession() throws Exception {
        return suite("tester", "user", "tester-user", GuestSelection.userInASession());
    }

    private static List<DynamicNode> suite(String user, String unit, String name, List<String> selectors)
            throws Exception {
        Path results = Path.of(Payload.property("cordon.root"), "control-plane/core/build/guest", name);
        String command = "exec "
                + payload.java(InnerSuite.class.getName() + " /opt/results/tests.tsv " + String.join(" ", selectors));
        int code = guest.run(payload, new TestGuest.Order(user, unit, command), results, true);
        return nodes(results.resolve("tests.tsv"), code);
    }

    private static List<DynamicNode> nodes(Path file, int code) throws IOException {
        List<String> lines = Files.exists(file) ? new ArrayList<>(Files.readAllLines(file)) : new ArrayList<>();
        boolean complete = !lines.isEmpty() && lines.removeLast().equals(InnerResult.END);
        Map<String, List<DynamicNode>> classes = new LinkedHashMap<>();
        boolean failed = false;
        for (String line : lines) {
            InnerResult result = InnerResult.parse(line);
            failed |= result.status() == InnerResult.Status.FAILED;
            classes.computeIfAbsent(result.container(), name -> new ArrayList<>())
                    .add(node(result));
        }
        int expected = failed ? 1 : 0;
        List<DynamicNode> nodes = new ArrayList<>();
        nodes.add(DynamicTest.dynamicTest("the suite came to its end", () -> {
            assertThat(complete).as("the list of results is complete").isTrue();
            assertThat(code).as("exit code of the suite").isEqualTo(expected);
        }));
        classes.forEach((name, tests) -> nodes.add(DynamicContainer.dynamicContainer(name, tests)));
        return nodes;
    }

    private static DynamicTest node(InnerResult result) {
        String name = result.container().replaceFirst(".*\\.", "") + "." + result.test();
        return DynamicTest.dynamicTest(name, () -> {
            switch (result.status()) {
                case PASSED -> {}
                case SKIPPED -> throw new TestAbortedException(name + ": " + result.message());
                case FAILED -> throw new AssertionError(name + ": " + result.message());
            }
        });
    }
}
