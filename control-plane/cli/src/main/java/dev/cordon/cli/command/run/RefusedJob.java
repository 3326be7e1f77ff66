package dev.cordon.cli.command.run;

import dev.cordon.cli.client.ServiceRefusal;
import dev.cordon.json.SentFields;
import dev.cordon.result.Outcome;
import java.util.List;

/** What a service refuses, in the words of this process. */
public final class RefusedJob {
    private RefusedJob() {}

    /**
     * A refusal as the outcome that the job has in this process.
     *
     * @throws ServiceRefusal when it has none, because only a service refuses so
     */
    public static Outcome of(ServiceRefusal refusal) throws ServiceRefusal {
        return switch (refusal.name()) {
            case "invalid_request", "limit_above_maximum", "unknown_language" -> {
                if (refusal.errors().isEmpty()) {
                    throw refusal;
                }
                yield new Outcome.Invalid(SentFields.received(refusal.errors()));
            }
            case "denied" -> new Outcome.Denied(List.of(refusal.detail()));
            case "isolation_unavailable" -> new Outcome.Denied(List.of(refusal.detail()), null, true);
            case "rate_limited", "queue_full" -> new Outcome.Denied(List.of(refusal.detail()), refusal.retryAfter());
            case "host_unsupported" -> new Outcome.HostUnsupported(refusal.detail(), "see cordon doctor");
            default -> throw refusal;
        };
    }
}
