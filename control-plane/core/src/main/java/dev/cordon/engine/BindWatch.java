package dev.cordon.engine;

import dev.cordon.plan.Plan;
import dev.cordon.plan.PlanOp;
import dev.cordon.plan.ProcessPlan;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the directories of the host that a job writes to, which no tmpfs limits. Looks again and again and ends the job once they have
 * grown beyond its disk or file limit. Between two looks a job can write more than that: this is a watch, not a wall.
 */
final class BindWatch {
    private static final Logger LOG = LoggerFactory.getLogger(BindWatch.class);
    private static final long PERIOD_MILLIS = 200;

    private final List<Path> directories;
    private final long bytesAllowed;
    private final long filesAllowed;
    private final LiveSandbox sandbox;

    private BindWatch(List<Path> directories, Plan plan, LiveSandbox sandbox) {
        this.directories = directories;
        this.sandbox = sandbox;
        Tally before = tally();
        bytesAllowed = before.bytes + plan.limits().disk().bytes();
        filesAllowed = before.files + plan.limits().files();
    }

    /** Watches a job that writes to the host, until it ends; does nothing for others. */
    static void start(Plan plan, LiveSandbox sandbox) {
        List<Path> directories = new ArrayList<>();
        for (PlanOp operation : plan.operations()) {
            if (operation instanceof PlanOp.Bind bind && bind.writable()) {
                directories.add(Path.of(bind.source()));
            }
        }
        if (plan instanceof ProcessPlan process) {
            directories.add(process.workDirectory());
        }
        if (!directories.isEmpty()) {
            BindWatch watch = new BindWatch(directories, plan, sandbox);
            Thread.ofVirtual().name("cordon-disk").start(watch::run);
        }
    }

    private void run() {
        while (true) {
            try {
                sandbox.end().get(PERIOD_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                Tally now = tally();
                if (now.bytes > bytesAllowed || now.files > filesAllowed) {
                    sandbox.overDisk();
                    return;
                }
            } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
                return;
            }
        }
    }

    /** Sizes as files state them; the job may change everything meanwhile, so what cannot be read is passed over. */
    private Tally tally() {
        Tally tally = new Tally();
        for (Path directory : directories) {
            try {
                Files.walkFileTree(directory, tally);
            } catch (IOException e) {
                LOG.debug("a writable directory cannot be looked at", e);
            }
        }
        return tally;
    }

    private static final class Tally extends SimpleFileVisitor<Path> {
        private long bytes;
        private long files;

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            files++;
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files++;
            bytes += attributes.isRegularFile() ? attributes.size() : 0;
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException problem) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException problem) {
            return FileVisitResult.CONTINUE;
        }
    }
}
