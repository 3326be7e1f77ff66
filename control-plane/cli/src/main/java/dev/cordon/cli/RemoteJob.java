package dev.cordon.cli;

import dev.cordon.api.Artifact;
import dev.cordon.api.ByteSize;
import dev.cordon.api.FieldError;
import dev.cordon.api.Limit;
import dev.cordon.api.Outcome;
import dev.cordon.api.OutputListener.Source;
import dev.cordon.api.Result;
import dev.cordon.api.Sample;
import dev.cordon.cli.service.Exchange;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import dev.cordon.json.LimitNames;
import dev.cordon.json.ResultReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A job that a service runs: handed in, its events followed to the last one, its result fetched. */
final class RemoteJob {
    private static final String LINES = "application/x-ndjson";
    private static final int PIECE = 1 << 18;

    private final ServiceClient service;
    private final Relay relay;
    private final boolean shown;
    private final Map<Source, Long> relayed = new EnumMap<>(Source.class);
    private final List<Sample> samples = new ArrayList<>();
    private boolean escalated;
    private long dropped;

    /** Passes output on to a relay, unless only the result is to be shown. */
    RemoteJob(ServiceClient service, Relay relay, boolean shown) {
        this.service = service;
        this.relay = relay;
        this.shown = shown;
    }

    /**
     * Runs a job to its end.
     *
     * @param target where it is handed in
     * @param input  fed to it while it runs; null for none
     * @param interruption cancels it; the caller closes it when the result has been reported
     */
    Result run(String target, JsonNode body, @Nullable InputStream input, Interruption interruption)
            throws ServiceLost, Refusal {
        try (Exchange events = service.open("POST", target, body, LINES)) {
            String job = events.header("Location");
            Runnable cancel = () -> cancel(job);
            interruption.cancels(cancel);
            relay.whenGone(cancel);
            follow(events, job, input);
            Result result = result(job);
            rest(result);
            return result;
        }
    }

    /** Shows what a job wrote so far, or until it is over. */
    void replay(String job, boolean whole) throws ServiceLost, Refusal {
        try (Exchange events = service.open("GET", job + "/events?follow=" + whole, null, LINES)) {
            follow(events, job, null);
            if (dropped > 0) {
                rest(result(job));
            }
        }
    }

    /** What the job took, as far as the service told. */
    List<Sample> samples() {
        return samples;
    }

    private Result result(String job) throws ServiceLost, Refusal {
        try {
            return ResultReader.read(service.text("GET", job, null));
        } catch (IllegalArgumentException e) {
            throw new ServiceLost("the service at " + service.where() + " answered what is not understood", e);
        }
    }

    private void follow(Exchange events, String job, @Nullable InputStream input) throws ServiceLost {
        Optional<String> line = events.line();
        while (line.isPresent()) {
            if (!line.get().isBlank()) {
                event(line.get(), job, input);
            }
            line = events.line();
        }
    }

    private void event(String line, String job, @Nullable InputStream input) throws ServiceLost {
        JsonNode event;
        try {
            event = ServiceClient.MAPPER.readTree(line);
        } catch (JacksonException e) {
            throw new ServiceLost("the service at " + service.where() + " sent an event that is not understood");
        }
        JsonNode data = event.path("data");
        switch (event.path("event").asString("")) {
            case "started" -> {
                if (input != null) {
                    Thread.ofPlatform().daemon().name("cordon-input").start(() -> feed(job, input));
                }
            }
            case "stdout" -> output(Source.STDOUT, data);
            case "stderr" -> output(Source.STDERR, data);
            case "escalated" -> {
                escalated = true;
                if (shown) {
                    relay.escalated(data.path("reason").asString(""));
                }
            }
            case "usage" -> samples.add(sample(data));
            case "exit", "error" -> dropped = data.path("dropped_bytes").asLong(0);
            default -> {} // what a newer service tells besides
        }
    }

    private void output(Source source, JsonNode data) {
        JsonNode exact = data.path("base64");
        byte[] bytes = exact.isString()
                ? Base64.getDecoder().decode(exact.asString())
                : data.path("text").asString("").getBytes(StandardCharsets.UTF_8);
        relayed.merge(source, (long) bytes.length, Long::sum);
        if (shown) {
            relay.output(source, bytes);
        }
    }

    /** What the service did not keep as events is in the result. After an escalation nobody can tell which attempt wrote it. */
    private void rest(Result result) {
        if (dropped == 0 || escalated || !shown) {
            return;
        }
        for (Source source : Source.values()) {
            byte[] all = source == Source.STDOUT
                    ? result.stdout().bytes()
                    : result.stderr().bytes();
            long seen = relayed.getOrDefault(source, 0L);
            if (seen < all.length) {
                relay.output(source, Arrays.copyOfRange(all, (int) seen, all.length));
            }
        }
    }

    private static Sample sample(JsonNode data) {
        return new Sample(
                Duration.ofMillis(data.path("wall_ms").asLong(0)),
                data.path("memory_bytes").isNumber()
                        ? ByteSize.bytes(data.path("memory_bytes").asLong())
                        : null,
                data.path("cpu_ms").isNumber()
                        ? Duration.ofMillis(data.path("cpu_ms").asLong())
                        : null,
                data.path("pids").isNumber() ? data.path("pids").asLong() : null);
    }

    private void feed(String job, InputStream input) {
        byte[] piece = new byte[PIECE];
        try (input) {
            int got = input.read(piece);
            while (got >= 0) {
                service.put("POST", job + "/stdin", Arrays.copyOf(piece, got));
                got = input.read(piece);
            }
            service.put("POST", job + "/stdin?eof=true", new byte[0]);
        } catch (IOException | ServiceLost | Refusal over) {
            // The job reads no more, or is over; how it ended is told by its events.
            return;
        }
    }

    /** Fetches what was collected. */
    void fetch(Result result, ArtifactFolder folder) throws ServiceLost, Refusal, IOException {
        for (Artifact artifact : result.artifacts()) {
            String path = Arrays.stream(artifact.path().split("/", -1))
                    .map(ServiceClient::quoted)
                    .collect(Collectors.joining("/"));
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            try (Exchange exchange = service.open(
                    "GET", "/v1/jobs/" + result.id() + "/artifacts/" + path, null, "application/octet-stream")) {
                exchange.copyTo(content);
            }
            folder.write(artifact.path(), content.toByteArray());
        }
    }

    private void cancel(String job) {
        try {
            var _ = service.text("DELETE", job, null);
        } catch (ServiceLost | Refusal gone) {
            return; // the events break off, too, or tell the end
        }
    }

    /**
     * A refusal as the outcome that the same job has in this process.
     *
     * @throws Refusal when it has none, because only a service refuses so
     */
    static Outcome outcome(Refusal refusal) throws Refusal {
        return switch (refusal.code()) {
            case "invalid_request", "limit_above_maximum", "unknown_language" -> {
                if (refusal.errors().isEmpty()) {
                    throw refusal;
                }
                yield new Outcome.Invalid(
                        refusal.errors().stream().map(RemoteJob::named).toList());
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
