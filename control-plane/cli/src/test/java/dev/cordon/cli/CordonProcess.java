package dev.cordon.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line as a process of its own, started from the class path of the tests. */
final class CordonProcess {

    private CordonProcess() {}

    static ProcessBuilder of(String... words) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        String natives = System.getProperty("cordon.native.dir");
        if (natives != null) {
            line.add("-Dcordon.native.dir=" + natives);
        }
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        line.addAll(List.of(words));
        return new ProcessBuilder(line);
    }

    /** Sends a signal that {@link Process} has no method for. */
    static void signal(Process process, String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("/bin/kill", "-" + name, Long.toString(process.pid())).start();
        if (kill.waitFor() != 0) {
            throw new IOException("kill -" + name + " failed");
        }
    }
}
