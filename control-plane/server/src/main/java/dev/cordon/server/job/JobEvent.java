package dev.cordon.server.job;

import dev.cordon.result.OutputListener.Source;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/**
 * Something that happened to a job.
 *
 * @param sequence counts from 1; clients continue after the last one they saw
 * @param at       when
 * @param matter   what
 */
public record JobEvent(long sequence, Instant at, Matter matter) {
    /** What happened. Output stays the bytes that it was: as JSON it can take twelve times the memory. */
    sealed interface Matter {
        /** The job wrote something; whole characters, as far as it writes any. */
        final class Output implements Matter {
            private final Source source;
            private final byte[] bytes;

            Output(Source source, byte[] bytes) {
                this.source = source;
                this.bytes = bytes;
            }
        }

        /** Anything else, as JSON. */
        record Other(String type, String data) implements Matter {}
    }

    /** Its name: started, stdout, stderr, escalated, violation, usage, artifact, exit or error. */
    public String type() {
        return switch (matter) {
            case Matter.Output output -> output.source.name().toLowerCase(Locale.ROOT);
            case Matter.Other other -> other.type();
        };
    }

    /** What is sent. */
    public ObjectNode data() {
        ObjectNode data = JsonTree.object().put("seq", sequence).put("ts", at.toString());
        switch (matter) {
            case Matter.Output output -> {
                Utf8Pieces.text(output.bytes)
                        .ifPresentOrElse(
                                text -> data.put("text", text),
                                () -> data.put("base64", Base64.getEncoder().encodeToString(output.bytes)));
            }
            case Matter.Other other -> data.setAll((ObjectNode) JsonTree.read(other.data()));
        }
        return data;
    }

    /** What it takes of the memory, about, in bytes. */
    long size() {
        return OVERHEAD
                + switch (matter) {
                    case Matter.Output output -> output.bytes.length;
                    case Matter.Other other -> 2L * other.data().length();
                };
    }

    private static final long OVERHEAD = 128;
}
