package dev.cordon.cli;

import dev.cordon.cli.terminal.StandardStreams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Streams in memory, and what was written to them. */
public final class TestStdio {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private byte[] in = new byte[0];
    private boolean terminal;
    private Map<String, String> environment = Map.of();

    public TestStdio input(String text) {
        in = text.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    public TestStdio terminal() {
        terminal = true;
        return this;
    }

    public TestStdio environment(Map<String, String> variables) {
        environment = variables;
        return this;
    }

    public StandardStreams stdio() {
        return new StandardStreams(new ByteArrayInputStream(in), out, err, terminal, terminal, terminal, environment);
    }

    /** Runs a whole command line. */
    public int run(String... words) {
        return new Main(stdio()).run(words);
    }

    byte[] outBytes() {
        return out.toByteArray();
    }

    public String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    public String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
