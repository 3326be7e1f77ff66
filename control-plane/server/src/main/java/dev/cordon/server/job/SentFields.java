package dev.cordon.server.job;

import dev.cordon.job.FieldError;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.job.limit.Limit;
import dev.cordon.json.LimitNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a client wrote what the core has other names for, so that an error points at what was sent.
 *
 * @param command the field that has the command
 * @param bounds whether the isolation is an object of bounds
 * @param exact  the limits that were given by their name in bytes
 * @param typed  whether the parameters of a tool are texts
 */
public record SentFields(String command, boolean bounds, Set<String> exact, boolean typed) {
    /** A body whose fields are called as in the core. */
    public static final SentFields PLAIN = new SentFields("argv", false, Set.of(), false);

    /** Copies the set. */
    public SentFields {
        exact = Set.copyOf(exact);
    }

    /** Errors of the core, each at the place that the client knows. */
    public List<FieldError> named(List<FieldError> errors) {
        return errors.stream().map(this::named).toList();
    }

    private FieldError named(FieldError error) {
        for (Map.Entry<Limit, LimitNames.Named> entry : LimitNames.all().entrySet()) {
            if (error.field().equals(entry.getKey().pointer())) {
                return limit(error, entry.getKey(), entry.getValue());
            }
        }
        return new FieldError(pointer(error.field()), error.value(), error.limit(), error.remedy());
    }

    private String pointer(String field) {
        return switch (field) {
            case "/workdir" -> "/cwd";
            case "/ttl" -> "/ttl_seconds";
            case "/idle" -> "/idle_timeout_seconds";
            case "/isolation" -> bounds ? "/isolation/min" : field;
            default -> below(field);
        };
    }

    private String below(String field) {
        if (!command.equals("argv") && (field.equals("/argv") || field.startsWith("/argv/"))) {
            return command.equals("command")
                    ? "/command"
                    : "/env"; // code is no argument: what is too long is the environment
        }
        return typed && field.startsWith("/parameters") ? "/typed" + field.substring("/parameters".length()) : field;
    }

    /** In the unit that the name tells. */
    private FieldError limit(FieldError error, Limit limit, LimitNames.Named named) {
        String bytes = named.exact();
        boolean exactly = bytes != null && exact.contains(bytes);
        String field = "/limits/" + (exactly ? bytes : named.name());
        String unit = exactly ? "" : named.unit();
        String value = error.value().endsWith(unit)
                ? error.value().substring(0, error.value().length() - unit.length())
                : error.value();
        if (!error.amount() || limit == Limit.CPUS) {
            return new FieldError(field, value, error.limit(), error.remedy());
        }
        long base = switch (unit) {
            case "M" -> ByteSize.mib(1).bytes();
            case "ms" -> Duration.ofMillis(1).toNanos();
            default -> 1;
        };
        long least = Math.ceilDiv(limit.least(), base);
        long most = limit.most() / base;
        return new FieldError(
                field, value, "is not between " + least + " and " + most, "give a whole number between them");
    }
}
