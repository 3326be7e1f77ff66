package dev.cordon.guest;

import dev.cordon.Cordon;
import dev.cordon.job.Job;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs the Linux Test Project's list of known kernel holes, each in a jail and then outside of it as root, and writes a line for each.
 * Inside the guest alone: what it tries may well take the machine down.
 */
public final class KnownHoles {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration CONTROL = Duration.ofSeconds(20);

    /** What the tests say: a pass, a fault found, something that broke, a condition that is not met. */
    private static final Pattern VERDICT = Pattern.compile("(TPASS|TFAIL|TBROK|TCONF)\\s*:\\s*(.*)");

    private final Path ltp;
    private final PrintWriter out;

    private KnownHoles(Path ltp, PrintWriter out) {
        this.ltp = ltp;
        this.out = out;
    }

    /** Arguments: the staged programs, and the file for the table. */
    public static void main(String[] arguments) throws Exception {
        Path ltp = Path.of(arguments[0]).toRealPath();
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[1])), true)) {
            new KnownHoles(ltp, out).run();
        }
    }

    private void run() throws Exception {
        List<String> list = Files.readAllLines(ltp.resolve("list")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
        List<String> jailed = new ArrayList<>();
        try (Cordon cordon = Cordon.open()) {
            for (String line : list) {
                jailed.add(inJail(cordon, words(line)));
                System.out.println(line + ": " + jailed.getLast());
            }
        }
        for (int i = 0; i < list.size(); i++) {
            String[] entry = list.get(i).split("\\s+", 2);
            String control = outside(words(list.get(i)));
            System.out.println(entry[0] + " outside: " + control);
            out.println(String.join("\t", entry[0], entry[1], jailed.get(i), control));
        }
    }

    private static List<String> words(String line) {
        List<String> words = List.of(line.trim().split("\\s+"));
        return words.subList(1, words.size());
    }

    private static Map<String, String> environment(String root) {
        return Map.of(
                "PATH", root + "/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "LTPROOT", root,
                "LD_LIBRARY_PATH", root + "/lib",
                "KCONFIG_SKIP_CHECK", "1",
                "LTP_COLORIZE_OUTPUT", "n",
                "LTP_RUNTIME_MUL", "0.2",
                "TMPDIR", "/tmp");
    }

    private String inJail(Cordon cordon, List<String> command) {
        List<String> argv = new ArrayList<>(command);
        argv.set(0, "/ltp/bin/" + argv.getFirst());
        Job job = Job.argv(argv)
                .readOnly(ltp, "/ltp")
                .timeout(PATIENCE)
                .memory(ByteSize.mib(512))
                .pids(256)
                // Or those that ask for root would give up before they try anything.
                .env("LD_PRELOAD", "/ltp/lib/rootlike.so");
        for (Map.Entry<String, String> variable : environment("/ltp").entrySet()) {
            job = job.env(variable.getKey(), variable.getValue());
        }
        Result result = cordon.run(job);
        String text = result.stdout().text() + result.stderr().text();
        String ended = result.outcome() instanceof Outcome.Exited ? "" : " [" + result.outcome() + "]";
        return said(text) + ended;
    }

    private String outside(List<String> command) throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>(List.of("timeout", "-k", "2", Long.toString(CONTROL.toSeconds())));
        argv.add(ltp.resolve("bin").resolve(command.getFirst()).toString());
        argv.addAll(command.subList(1, command.size()));
        Path output = Files.createTempFile("cordon-holes", ".txt");
        ProcessBuilder builder = new ProcessBuilder(argv)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .directory(Path.of("/tmp").toFile());
        builder.environment().putAll(environment(ltp.toString()));
        Process process = builder.start();
        boolean ended = process.waitFor(2 * CONTROL.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly();
        }
        String text = Files.readString(output, java.nio.charset.StandardCharsets.ISO_8859_1);
        Files.delete(output);
        boolean cut = !ended || process.exitValue() == 124 || process.exitValue() == 137;
        return said(text) + (cut ? " [still at it after " + CONTROL.toSeconds() + " s]" : "");
    }

    /** The first of what decides, and how often each word was said. */
    private static String said(String text) {
        String first = "";
        int[] count = new int[4];
        List<String> kinds = List.of("TPASS", "TFAIL", "TBROK", "TCONF");
        for (Matcher at = VERDICT.matcher(text); at.find(); ) {
            count[kinds.indexOf(at.group(1))]++;
            if (first.isEmpty() || at.group(1).equals("TFAIL")) {
                first = at.group(1) + " " + at.group(2).strip();
            }
        }
        if (first.isEmpty()) {
            String last = text.strip().lines().reduce("", (earlier, line) -> line);
            return "no verdict: " + last.strip();
        }
        return first + " (pass " + count[0] + ", fail " + count[1] + ", broken " + count[2] + ", condition " + count[3]
                + ")";
    }
}
