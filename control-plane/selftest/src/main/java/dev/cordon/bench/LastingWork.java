package dev.cordon.bench;

import dev.cordon.Cordon;
import dev.cordon.job.Job;
import dev.cordon.job.limit.ByteSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Work that lasts, inside a jail and outside. A script takes its own time, so that the start does not count.
 *
 * @param cordon    opens the jail
 * @param directory where the files are outside of the jail: memory, as inside
 */
record LastingWork(Cordon cordon, Path directory) {
    /** One program for both sides: what {@link Job#shell} starts is another one on many hosts. */
    private static final List<String> SHELL = List.of("/bin/sh", "-c");

    private static final String CPU = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";
    private static final String FILES = """
        i=0; while [ $i -lt 2000 ]; do echo some text > f$i; read line < f$i; i=$((i+1)); done; rm -f f*
        dd if=/dev/zero of=big bs=16k count=2000 2>/dev/null; cat big big > /dev/null; rm big\
        """;

    /** Memory where the host offers it to everybody, else where temporary files go. */
    static Path memoryDirectory() {
        Path shared = Path.of("/dev/shm");
        return Files.isWritable(shared) ? shared : Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    }

    BenchRow cpu(int rounds) throws Exception {
        return row(
                "CPU-bound work",
                CPU,
                rounds,
                PromisedBar.atMost(1.03),
                "a loop of /bin/sh, which keeps one CPU busy on either side; the jail's quota is one CPU");
    }

    BenchRow files(int rounds) throws Exception {
        return row(
                "file-bound work",
                FILES,
                rounds,
                PromisedBar.atMost(1.10),
                "2,000 small files and one of 32 MB, in memory (outside: " + directory.getParent() + ")");
    }

    private BenchRow row(String name, String script, int rounds, PromisedBar bar, String note) throws Exception {
        List<Long> jailed = new ArrayList<>();
        List<Long> free = new ArrayList<>();
        String timed = "t=$(date +%s%N); " + script + "\nu=$(date +%s%N); echo $((u-t))";
        for (int round = 0; round < rounds; round++) {
            if (round % 2 == 0) {
                free.add(outside(timed));
                jailed.add(inside(timed));
            } else {
                jailed.add(inside(timed));
                free.add(outside(timed));
            }
        }
        return new BenchRow(
                name,
                "ms",
                OptionalDouble.of(SortedTimings.ofNanos(jailed).median()),
                "unjailed",
                OptionalDouble.of(SortedTimings.ofNanos(free).median()),
                bar,
                note + ", " + rounds + " rounds of each in turns, timed by the script itself");
    }

    private long inside(String script) throws IOException {
        Job job = Job.argv(SHELL.getFirst(), SHELL.getLast(), script)
                .disk(ByteSize.mib(256))
                .timeout(Duration.ofSeconds(60))
                .cpuTime(Duration.ofSeconds(60));
        return number(BenchFailed.unlessSucceeded(cordon.run(job)).stdout().text());
    }

    private long outside(String script) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(SHELL.getFirst(), SHELL.getLast(), script)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new BenchFailed("the work outside of the jail went wrong: " + text.strip());
        }
        return number(text);
    }

    private static long number(String text) throws BenchFailed {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new BenchFailed("the host's date command does not know nanoseconds: " + text.strip());
        }
    }
}
