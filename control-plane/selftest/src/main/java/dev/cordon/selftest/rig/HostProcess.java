package dev.cordon.selftest.rig;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process outside that stands for something of the host's: it serves, holds or only waits until it is closed. */
public final class HostProcess implements AutoCloseable {
    private final Process process;

    private HostProcess(Process process) {
        this.process = process;
    }

    /** Starts one of the program's roles and waits until it is ready. */
    public static HostProcess start(List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(environment);
        HostProcess hostProcess = new HostProcess(builder.start());
        BufferedReader said =
                new BufferedReader(new InputStreamReader(hostProcess.process.getInputStream(), StandardCharsets.UTF_8));
        if (!"ready".equals(said.readLine())) {
            hostProcess.close();
            throw new IOException("the stand-in " + command.subList(1, command.size()) + " did not start");
        }
        return hostProcess;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends with its standard input. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(2, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
