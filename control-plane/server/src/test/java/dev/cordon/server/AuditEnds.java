package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cordon.audit.verify.AuditReader;
import dev.cordon.audit.verify.LogVerifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What an audit log says of jobs.
 *
 * @param started the jobs that have a start
 * @param ends    the outcomes of each job that has an end
 */
record AuditEnds(Set<String> started, Map<String, List<String>> ends) {
    /** Reads the log of a service of tests, which must hold. */
    static AuditEnds of(ServeState state) throws IOException {
        return of(directory(state));
    }

    /** Where that is. */
    static Path directory(ServeState state) {
        return state.directory().resolve("state/audit");
    }

    /** Reads a log, which must hold. */
    static AuditEnds of(Path directory) throws IOException {
        assertThat(LogVerifier.verify(directory, List.of()).breakage()).isNull();
        Set<String> started = new TreeSet<>();
        Map<String, List<String>> ends = new TreeMap<>();
        new AuditReader(directory).read(record -> {
            switch (record.text("kind")) {
                case "start" -> started.add(record.text("job"));
                case "end" ->
                    ends.computeIfAbsent(record.text("job"), id -> new ArrayList<>())
                            .add(record.text("outcome"));
                default -> {}
            }
            return true;
        });
        return new AuditEnds(started, ends);
    }

    /** Each of these has one end, and so has whatever else was started, once what the service asks by itself is over. */
    static void assertOneEach(Path directory, Iterable<String> jobs) {
        AuditEnds log = await().atMost(ServiceCalls.PATIENCE)
                .until(() -> of(directory), read -> read.ends.keySet().containsAll(read.started));
        for (String job : jobs) {
            assertThat(log.ends.getOrDefault(job, List.of())).as(job).hasSize(1);
        }
        assertThat(log.ends.values()).allSatisfy(each -> assertThat(each).hasSize(1));
    }
}
