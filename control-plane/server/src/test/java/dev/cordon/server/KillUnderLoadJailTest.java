package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.fixture.UserNamespaces;
import dev.cordon.server.job.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * the service is killed while short jobs come, run and end: between any two of its writes, after a number of answers that is drawn.
 * What a client has read stays as it was; whatever else there is has one end. By hand with {@code -Dcordon.test.kill.rounds=20}.
 */
@Tag("jail")
@Tag("long")
@ExtendWith(ServiceLogs.class)
class KillUnderLoadJailTest {
    private static final int ROUNDS = Integer.getInteger("cordon.test.kill.rounds", 3);
    private static final int CLIENTS = 8;
    private static final int MOST_ANSWERS = 40;

    private final Map<String, String> reported = new ConcurrentHashMap<>();
    private final List<Long> services = new ArrayList<>();
    private final List<Exception> early = new CopyOnWriteArrayList<>();
    private final AtomicInteger numbers = new AtomicInteger();

    @TempDir
    Path directory;

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void whatWasReportedStaysAndEverythingHasOneEnd() throws Exception {
        long seed = Long.getLong("cordon.test.kill.seed", System.nanoTime());
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        ServeState state = ServeState.in(directory, "max_running = 6", "max_running_per_owner = 6");
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        try (ServeProcess service = serve(state, temporary)) { // makes what every start makes
            service.port();
            service.stop();
        }
        Set<String> before = files();
        for (int round = 0; round < ROUNDS; round++) {
            try (ServeProcess service = serve(state, temporary)) {
                services.add(service.handle().pid());
                try (ServiceCalls calls = new ServiceCalls(service.port(), state.token())) {
                    check(calls, state);
                    killAfter(1 + random.nextInt(MOST_ANSWERS), service, calls);
                }
            }
        }
        try (ServeProcess last = serve(state, temporary);
                ServiceCalls calls = new ServiceCalls(last.port(), state.token())) {
            check(calls, state);
            assertThat(calls.works()).isTrue();
            last.stop();
        }
        assertThat(files()).isEqualTo(before);
        assertThat(JobCgroups.of(services)).isEmpty();
    }

    private static ServeProcess serve(ServeState state, Path temporary) throws IOException {
        return state.serve("-Djava.io.tmpdir=" + temporary);
    }

    private void killAfter(int answers, ServeProcess service, ServiceCalls calls) throws Exception {
        CountDownLatch enough = new CountDownLatch(answers);
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(Thread.startVirtualThread(() -> submit(service, calls, enough)));
        }
        assertThat(enough.await(ServiceCalls.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as(early.toString())
                .isTrue();
        service.kill();
        for (Thread client : clients) {
            client.join();
        }
        assertThat(early).isEmpty();
        System.out.printf("killed after %d answers, %d of all read%n", answers, reported.size());
    }

    /** Sends jobs and remembers what it reads, until there is nobody to read from. */
    private void submit(ServeProcess service, ServiceCalls calls, CountDownLatch enough) {
        try {
            while (service.handle().isAlive()) {
                int number = numbers.incrementAndGet();
                String job = "{\"command\":\"echo %d; exit %d\",\"labels\":{\"number\":\"%d\"}}"
                        .formatted(number, number % 3, number);
                JsonNode answer = JsonTree.read(calls.post(job).body());
                if (answer.path("state").asString("").equals("finished")) {
                    reported.put(answer.path("id").asString(), facts(answer));
                    enough.countDown();
                }
            }
        } catch (IOException killed) {
            if (enough.getCount() > 0) {
                early.add(killed);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String facts(JsonNode job) {
        return job.path("outcome").asString() + " " + job.path("exit_code") + " " + job.path("stdout");
    }

    private void check(ServiceCalls calls, ServeState state) throws Exception {
        Set<String> ids = new TreeSet<>();
        for (JsonNode listed : calls.jobs()) {
            String id = listed.path("id").asString();
            JsonNode job = calls.job(id);
            assertThat(job.path("state").asString()).as(job.toString()).isEqualTo("finished");
            assertThat(ids.add(id)).as(id).isTrue();
            if (reported.containsKey(id)) {
                assertThat(facts(job)).isEqualTo(reported.get(id));
            } else if (!job.path("outcome").asString().equals("lost")) {
                int number = Integer.parseInt(job.path("labels").path("number").asString());
                assertThat(job.path("exit_code").asInt()).as(job.toString()).isEqualTo(number % 3);
                assertThat(job.path("stdout").asString()).isEqualTo(number + "\n");
            }
        }
        assertThat(ids).containsAll(reported.keySet());
        if (!ids.isEmpty()) {
            AuditEnds.assertOneEach(AuditEnds.directory(state), ids);
        }
    }

    /** The names of all files, but for the slots and what jails are shown at /sys, which are used again. */
    private Set<String> files() throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            return tree.map(path -> directory.relativize(path).toString())
                    .filter(name -> !name.startsWith("run/slots") && !name.startsWith("run/sys."))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
