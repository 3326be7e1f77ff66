package dev.cordon.cli.command.run;

import dev.cordon.cli.client.HttpExchange;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceLost;
import dev.cordon.cli.client.ServiceRefusal;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.json.ResultJson;
import dev.cordon.json.UsageSampleJson;
import dev.cordon.result.Artifact;
import dev.cordon.result.OutputListener;
import dev.cordon.result.OutputListener.Source;
import dev.cordon.result.Result;
import dev.cordon.result.UsageSample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A job that a service runs: submitted, its events followed to the last one, its result fetched. */
public final class ServiceJob implements AwaitedJob<Result> {
    private static final String LINES = "application/x-ndjson";
    private static final int PIECE = 1 << 18;

    private final ServiceClient service;
    private final HttpExchange events;
    private final String job;
    private final @Nullable InputStream input;
    private final OutputListener listener;
    private final boolean collects;
    private final Map<Source, Long> relayed = new EnumMap<>(Source.class);
    private final List<UsageSample> samples = new ArrayList<>();
    private boolean escalated;
    private long dropped;

    private ServiceJob(
            ServiceClient service,
            HttpExchange events,
            String job,
            @Nullable InputStream input,
            OutputListener listener,
            boolean collects) {
        this.service = service;
        this.events = events;
        this.job = job;
        this.input = input;
        this.listener = listener;
        this.collects = collects;
    }

    /**
     * Starts a job.
     *
     * @param target   where it is submitted
     * @param input    fed to it while it runs; null for none
     * @param collects whether the listener is to have the files that it leaves
     */
    public static ServiceJob submit(
            ServiceClient service,
            String target,
            JsonNode body,
            @Nullable InputStream input,
            OutputListener listener,
            boolean collects)
            throws ServiceLost, ServiceRefusal {
        HttpExchange events = service.open("POST", target, body, LINES);
        return new ServiceJob(service, events, events.header("Location"), input, listener, collects);
    }

    /** Tells what a job wrote so far, or until it is over. */
    public static void replay(ServiceClient service, String job, boolean whole, OutputListener listener)
            throws ServiceLost, ServiceRefusal {
        HttpExchange events = service.open("GET", job + "/events?follow=" + whole, null, LINES);
        try (ServiceJob replayed = new ServiceJob(service, events, job, null, listener, false)) {
            replayed.follow();
            if (replayed.dropped > 0) {
                replayed.rest(replayed.result());
            }
        }
    }

    @Override
    public Result await() throws ServiceLost, ServiceRefusal, IOException {
        follow();
        Result result = result();
        rest(result);
        if (collects) {
            collect(result);
        }
        return result;
    }

    @Override
    public List<UsageSample> samples() {
        return samples;
    }

    @Override
    public void close() {
        events.close();
    }

    private Result result() throws ServiceLost, ServiceRefusal {
        try {
            return ResultJson.read(service.get(job));
        } catch (IllegalArgumentException e) {
            throw new ServiceLost("the service at " + service.where() + " answered what is not understood", e);
        }
    }

    private void follow() throws ServiceLost {
        for (JsonNode event = events.event(); event != null; event = events.event()) {
            JsonNode data = event.path("data");
            switch (event.path("event").asString("")) {
                case "started" -> startFeeding(input);
                case "stdout" -> output(Source.STDOUT, data);
                case "stderr" -> output(Source.STDERR, data);
                case "escalated" -> {
                    escalated = true;
                    listener.escalated(data.path("reason").asString(""));
                }
                case "usage" -> samples.add(UsageSampleJson.read(data));
                case "exit", "error" -> dropped = data.path("dropped_bytes").asLong(0);
                default -> {} // what a newer service tells besides
            }
        }
    }

    private void output(Source source, JsonNode data) {
        byte[] bytes = ResultJson.bytes(data, "text", "base64");
        relayed.merge(source, (long) bytes.length, Long::sum);
        listener.output(source, bytes);
    }

    /** What the service did not keep as events is in the result. After an escalation nobody can tell which attempt wrote it. */
    private void rest(Result result) {
        if (dropped == 0 || escalated) {
            return;
        }
        for (Source source : Source.values()) {
            byte[] all = source == Source.STDOUT
                    ? result.stdout().bytes()
                    : result.stderr().bytes();
            long seen = relayed.getOrDefault(source, 0L);
            if (seen < all.length) {
                listener.output(source, Arrays.copyOfRange(all, (int) seen, all.length));
            }
        }
    }

    private void startFeeding(@Nullable InputStream from) {
        if (from != null) {
            Thread.ofPlatform().daemon().name("cordon-input").start(() -> feed(from));
        }
    }

    private void feed(InputStream from) {
        byte[] piece = new byte[PIECE];
        try (from) {
            for (int got = from.read(piece); got >= 0; got = from.read(piece)) {
                service.put("POST", job + "/stdin", Arrays.copyOf(piece, got));
            }
            service.put("POST", job + "/stdin?eof=true", new byte[0]);
        } catch (IOException | ServiceLost | ServiceRefusal over) {
            // The job reads no more, or is over; how it ended is told by its events.
            return;
        }
    }

    private void collect(Result result) throws ServiceLost, ServiceRefusal, IOException {
        for (Artifact artifact : result.collected().artifacts()) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            try (HttpExchange exchange = service.open(
                    "GET",
                    "/v1/jobs/" + result.id() + "/artifacts/" + ServiceClient.quotedPath(artifact.path()),
                    null,
                    "application/octet-stream")) {
                exchange.copyTo(content);
            }
            listener.artifact(artifact, content.toByteArray());
        }
    }

    @Override
    public void cancel() {
        try {
            var _ = service.text("DELETE", job, null);
        } catch (ServiceLost | ServiceRefusal gone) {
            return; // the events break off, too, or tell the end
        }
    }
}
