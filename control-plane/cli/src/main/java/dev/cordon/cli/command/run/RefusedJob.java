package dev.cordon.cli.command.run;

import dev.cordon.cli.client.ServiceRefusal;
import dev.cordon.job.FieldError;
import dev.cordon.job.limit.Limit;
import dev.cordon.json.LimitNames;
import dev.cordon.result.Outcome;
import java.util.List;
import java.util.Map;

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
                yield new Outcome.Invalid(
                        refusal.errors().stream().map(RefusedJob::named).toList());
            }
            case "denied" -> new Outcome.Denied(List.of(refusal.detail()));
            case "isolation_unavailable" -> new Outcome.Denied(List.of(refusal.detail()), null, true);
            case "rate_limited", "queue_full" -> new Outcome.Denied(List.of(refusal.detail()), refusal.retryAfter());
            case "host_unsupported" -> new Outcome.HostUnsupported(refusal.detail(), "see cordon doctor");
            default -> throw refusal;
        };
    }

    /** The API's name of a limit carries its unit; the command line's does not. */
    private static FieldError named(FieldError error) {
        for (Map.Entry<Limit, LimitNames.Named> entry : LimitNames.all().entrySet()) {
            LimitNames.Named named = entry.getValue();
            if (error.field().equals("/limits/" + named.name()) || error.field().equals("/limits/" + named.exact())) {
                return new FieldError(entry.getKey().pointer(), error.value(), error.limit(), error.remedy());
            }
        }
        return error.field().startsWith("/typed/")
                ? new FieldError(
                        "/parameters" + error.field().substring("/typed".length()),
                        error.value(),
                        error.limit(),
                        error.remedy())
                : error;
    }
}
