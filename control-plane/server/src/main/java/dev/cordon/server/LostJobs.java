package dev.cordon.server;

import dev.cordon.Cordon;
import dev.cordon.audit.AuditEvent;
import dev.cordon.audit.AuditUnavailable;
import dev.cordon.audit.RecordSubject;
import dev.cordon.audit.verify.AuditReader;
import dev.cordon.config.AuditSettings;
import dev.cordon.job.JobId;
import dev.cordon.server.job.JobJson;
import dev.cordon.server.job.LanguageRuntimes;
import dev.cordon.server.store.JobRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Gives the jobs that an earlier service took with it an end in the audit log, but for those that have one. */
final class LostJobs {
    private static final Logger LOG = LoggerFactory.getLogger(LostJobs.class);

    private LostJobs() {}

    /** A log that cannot be written does not keep the service from starting; it keeps jobs from it. */
    static void record(Cordon cordon, AuditSettings settings, List<JobRow> jobs) {
        if (!settings.enabled()) {
            return;
        }
        List<AuditEvent.Lost> events = new ArrayList<>();
        try {
            AuditReader reader = new AuditReader(settings.directory());
            Set<String> ids = jobs.stream().map(JobRow::id).collect(Collectors.toSet());
            Set<String> ended = reader.exists() && !ids.isEmpty() ? reader.ended(ids) : Set.of();
            for (JobRow job : jobs) {
                if (!ended.contains(job.id()) && JobId.isOne(job.id())) {
                    events.add(new AuditEvent.Lost(
                            RecordSubject.unknown(new JobId(job.id()), job.owner(), tool(job)),
                            "the service died before the job ended; it may have run in part"));
                }
            }
            Set<String> own = reader.exists() ? reader.open(LanguageRuntimes.OWNER) : Set.of();
            for (String id : own) {
                if (!ids.contains(id) && JobId.isOne(id)) { // a damaged line is the verifier's matter
                    events.add(new AuditEvent.Lost(
                            RecordSubject.unknown(new JobId(id), LanguageRuntimes.OWNER, null),
                            "the service died before the job ended"));
                }
            }
            if (!events.isEmpty()) {
                cordon.attest(events);
            }
        } catch (AuditUnavailable e) {
            LOG.error("the ends of {} lost jobs wait for the audit log: {}", events.size(), e.getMessage());
            for (AuditEvent.Lost event : events) { // written when it can be, before whatever comes later
                CompletableFuture<Boolean> _ = cordon.note(event);
            }
        } catch (IOException e) {
            LOG.error(
                    "jobs that were lost, {} in the history, have no end in the audit log: {}",
                    jobs.size(),
                    e.getMessage());
        }
    }

    private static @Nullable String tool(JobRow job) {
        JsonNode tool = JobJson.of(job).path("tool");
        return tool.isString() ? tool.asString() : null;
    }
}
