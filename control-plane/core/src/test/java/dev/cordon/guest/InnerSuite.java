package dev.cordon.guest;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes inside the guest and writes a line for each test. JUnit's own console loads three times as many classes, which counts
 * on an emulated processor.
 */
public final class InnerSuite implements TestExecutionListener {
    private final PrintWriter file;
    private final Map<String, Long> started = new ConcurrentHashMap<>();
    private boolean failed;

    private InnerSuite(PrintWriter file) {
        this.file = file;
    }

    /** Arguments: the file for the results, then what to run, as class or as class#method, and -class#method for what not to run. */
    public static void main(String[] arguments) throws IOException {
        List<DiscoverySelector> selectors = new ArrayList<>();
        Set<String> without = new HashSet<>();
        for (String name : List.of(arguments).subList(1, arguments.length)) {
            if (name.startsWith("-")) {
                without.add(name.substring(1));
            } else {
                selectors.add(
                        name.contains("#")
                                ? DiscoverySelectors.selectMethod(name)
                                : DiscoverySelectors.selectClass(name));
            }
        }
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                .filters((PostDiscoveryFilter) test -> FilterResult.includedIf(!without.contains(name(test))))
                .configurationParameter("junit.jupiter.execution.timeout.testable.method.default", "15m")
                .build();
        var config = LauncherConfig.builder()
                .enableTestEngineAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .addTestEngines(new JupiterTestEngine())
                .build();
        boolean failed;
        try (PrintWriter file = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[0])))) {
            InnerSuite suite = new InnerSuite(file);
            LauncherFactory.create(config).execute(request, suite);
            file.println(InnerResult.END);
            failed = suite.failed;
        }
        // Also when a test left a thread behind.
        System.exit(failed ? 1 : 0);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        started.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        record(InnerResult.Status.SKIPPED, test, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String message = result.getThrowable().map(InnerSuite::trace).orElse("");
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (test.isTest()) {
                    record(InnerResult.Status.PASSED, test, message);
                }
            }
            case ABORTED -> record(InnerResult.Status.SKIPPED, test, message);
            case FAILED -> record(InnerResult.Status.FAILED, test, message);
        }
    }

    private synchronized void record(InnerResult.Status status, TestIdentifier test, String message) {
        failed |= status == InnerResult.Status.FAILED;
        long now = System.nanoTime();
        long millis = (now - started.getOrDefault(test.getUniqueId(), now)) / 1_000_000;
        InnerResult result = new InnerResult(status, container(test), test.getLegacyReportingName(), millis, message);
        file.println(result.line());
        file.flush();
        System.out.printf("%s %s.%s (%d ms)%n", status, result.container(), result.test(), millis);
        if (status != InnerResult.Status.PASSED) {
            System.out.println(message);
        }
    }

    private static String name(TestDescriptor test) {
        return test.getSource().orElse(null) instanceof MethodSource method
                ? method.getClassName() + "#" + method.getMethodName()
                : "";
    }

    private static String container(TestIdentifier test) {
        return test.getSource()
                .map(source -> switch (source) {
                    case MethodSource method -> method.getClassName();
                    case ClassSource type -> type.getClassName();
                    default -> "";
                })
                .orElse("");
    }

    private static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
