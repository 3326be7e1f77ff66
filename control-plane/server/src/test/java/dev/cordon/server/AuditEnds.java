package dev.cordon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.audit.AuditReader;
import dev.cordon.audit.Verifier;
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
        return of(state.directory().resolve("state/audit"));
    }

    /** Reads a log, which must hold. */
    static AuditEnds of(Path directory) throws IOException {
        assertThat(Verifier.verify(directory, List.of()).breakage()).isNull();
        Set<String> started = new TreeSet<>();
        Map<String, List<String>> ends = new TreeMap<>();
        new AuditReader(directory).read(record -> {
            switch (record.text("kind")) {
                case "start" -> {
                    if (record.text("owner").equals("alice")) { // what the service asks by itself is no job of hers
                        started.add(record.text("job"));
                    }
                }
                case "end" ->
                    ends.computeIfAbsent(record.text("job"), id -> new ArrayList<>())
                            .add(record.text("outcome"));
                default -> {}
            }
            return true;
        });
        return new AuditEnds(started, ends);
    }

    /** Each of these has one end, and so has whatever else was started. */
    void assertOneEach(Iterable<String> jobs) {
        for (String job : jobs) {
            assertThat(ends.getOrDefault(job, List.of())).as(job).hasSize(1);
        }
        assertThat(ends.keySet()).containsAll(started);
        assertThat(ends.values()).allSatisfy(each -> assertThat(each).hasSize(1));
    }
}
