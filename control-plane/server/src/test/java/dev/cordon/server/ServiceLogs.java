package dev.cordon.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Prints the last lines that the services of a test wrote when it fails: a fault is seldom understood from the outside. */
public final class ServiceLogs implements BeforeEachCallback, AfterTestExecutionCallback {
    private static final int SHOWN = 60;
    private static final List<ServeProcess> SERVICES = new CopyOnWriteArrayList<>();

    public static void add(ServeProcess service) {
        SERVICES.add(service);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        SERVICES.clear();
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (context.getExecutionException().isEmpty()) {
            return;
        }
        for (ServeProcess service : SERVICES) {
            List<String> log = service.log();
            System.out.println("The log of service " + service.handle().pid() + " in " + context.getDisplayName());
            log.subList(Math.max(0, log.size() - SHOWN), log.size()).forEach(System.out::println);
        }
    }
}
