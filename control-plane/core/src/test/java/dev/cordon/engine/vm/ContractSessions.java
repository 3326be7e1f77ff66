package dev.cordon.engine.vm;

import static dev.cordon.engine.vm.ContractCase.hash;
import static dev.cordon.engine.vm.ContractCase.shown;

import dev.cordon.Cordon;
import dev.cordon.RunningJob;
import dev.cordon.Sandbox;
import dev.cordon.job.Isolation;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.ArchiveLimits;
import dev.cordon.result.FileEntry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Sandboxes that serve many commands, and their files. */
final class ContractSessions {
    private ContractSessions() {}

    static List<ContractCase> all() {
        return List.of(
                new ContractCase("session", ContractSessions::session),
                new ContractCase("commands side by side", ContractSessions::parallel),
                new ContractCase("archives", ContractSessions::archives),
                new ContractCase("files that are refused", ContractSessions::refusals),
                new ContractCase("pause and resume", ContractSessions::paused));
    }

    private static Sandbox open(Cordon cordon, Isolation level) {
        return cordon.openSandbox(SandboxSpec.create().isolation(level).memory(ByteSize.mib(64)));
    }

    private static String session(Cordon cordon, Isolation level) throws IOException {
        List<String> seen = new ArrayList<>();
        try (Sandbox sandbox = open(cordon, level)) {
            sandbox.files().put("data/in.txt", "first\n".getBytes(StandardCharsets.UTF_8));
            seen.add(shown(sandbox.run(Job.shell("cat data/in.txt; echo second > data/out.txt"))));
            seen.add(shown(sandbox.run(Job.shell("cat data/*; exit 3"))));
            seen.add(new String(sandbox.files().get("data/out.txt"), StandardCharsets.UTF_8).strip());
            seen.add(listing(sandbox, "data"));
            byte[] large = new byte[2_000_000];
            Arrays.fill(large, (byte) 'x');
            sandbox.files().put("large", large);
            seen.add(hash(sandbox.files().get("large")));
            sandbox.files().delete("data");
            seen.add(shown(sandbox.run(Job.shell("ls"))));
        }
        return String.join("; ", seen);
    }

    private static String listing(Sandbox sandbox, String directory) throws IOException {
        try (Stream<FileEntry> entries = sandbox.files().list(directory)) {
            return entries.map(entry -> entry.kind() + " " + entry.path() + " " + entry.size())
                    .sorted()
                    .toList()
                    .toString();
        }
    }

    /** The first waits for what only the second does. */
    private static String parallel(Cordon cordon, Isolation level) throws InterruptedException {
        try (Sandbox sandbox = open(cordon, level);
                RunningJob waits = sandbox.start(Job.shell("until [ -e flag ]; do sleep 0.1; done; exit 5"));
                RunningJob other = sandbox.start(Job.shell("touch flag; exit 6"))) {
            return other.await().outcome() + "; " + waits.await().outcome();
        }
    }

    private static String archives(Cordon cordon, Isolation level) throws IOException {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        List<String> seen = new ArrayList<>();
        try (Sandbox sandbox = open(cordon, level)) {
            seen.add(shown(sandbox.run(Job.shell("mkdir -p out/deep; echo one > out/deep/a; echo two > out/b"))));
            seen.add(sandbox.files().getArchive("out", tar).toString());
            seen.add(sandbox.files()
                    .putArchive("back", new ByteArrayInputStream(tar.toByteArray()), ArchiveLimits.defaults())
                    .toString());
            seen.add(shown(sandbox.run(Job.shell("find back -type f | sort | xargs cat"))));
        }
        return String.join("; ", seen);
    }

    private static String refusals(Cordon cordon, Isolation level) {
        List<String> seen = new ArrayList<>();
        try (Sandbox sandbox = open(cordon, level)) {
            seen.add(shown(sandbox.run(Job.shell("ln -s /etc/passwd link; mkfifo pipe; mkdir directory"))));
            for (String path : List.of("missing", "link", "pipe", "directory", "../etc/passwd")) {
                try {
                    sandbox.files().get(path);
                    seen.add(path + " was read");
                } catch (IOException | IllegalArgumentException e) {
                    seen.add(path + ": " + e.getMessage());
                }
            }
        }
        return String.join("; ", seen);
    }

    private static String paused(Cordon cordon, Isolation level) {
        try (Sandbox sandbox = open(cordon, level)) {
            sandbox.pause();
            sandbox.resume();
            return shown(sandbox.run(Job.shell("echo awake")));
        }
    }
}
