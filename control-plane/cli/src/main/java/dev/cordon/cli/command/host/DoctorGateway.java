package dev.cordon.cli.command.host;

import dev.cordon.Cordon;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.parse.CordonOpening;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceChoice;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.config.Config;
import dev.cordon.doctor.AuditCheck;
import dev.cordon.doctor.DiagnosisJson;
import dev.cordon.doctor.Doctor;
import dev.cordon.doctor.HostDiagnosis;
import dev.cordon.job.Job;
import dev.cordon.result.Result;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a host offers to jobs: this one, or a service's. */
@FunctionalInterface
interface DoctorGateway {
    /** The one that a command line means. */
    static DoctorGateway of(ParsedArguments arguments, StandardStreams stdio) throws UsageError {
        ServiceClient service = ServiceChoice.service(arguments, stdio);
        if (service == null) {
            return () -> here(arguments);
        }
        return () -> there(service);
    }

    /** Looks at it. */
    Findings look() throws CommandFailure;

    /**
     * What was found.
     *
     * @param usable    whether jobs can run there
     * @param diagnosis null where the checks are not told
     * @param json      all of it as the API tells it
     */
    record Findings(boolean usable, @Nullable HostDiagnosis diagnosis, String json) {}

    private static Findings here(ParsedArguments arguments) {
        Config config = CordonOpening.config(arguments).recorded();
        HostDiagnosis diagnosis = Doctor.ofThisHost(job -> tried(job, arguments), config.stateDirectory())
                .run()
                .and(AuditCheck.of(config.audit()))
                .and(AuditCheck.anchors(config.audit()));
        return new Findings(diagnosis.usable(), diagnosis, DiagnosisJson.of(diagnosis));
    }

    private static Result tried(Job job, ParsedArguments arguments) {
        try (Cordon cordon = CordonOpening.of(arguments)) {
            return cordon.run(job);
        }
    }

    /** A service tells the checks to its administrators only. */
    private static Findings there(ServiceClient service) throws CommandFailure {
        String text = service.text("GET", "/v1/doctor", null);
        JsonNode json = ServiceClient.MAPPER.readTree(text);
        Optional<HostDiagnosis> checks = DiagnosisJson.read(json);
        boolean usable = json.path("summary").path("usable").asBoolean(false);
        return new Findings(checks.map(HostDiagnosis::usable).orElse(usable), checks.orElse(null), text);
    }
}
