package dev.cordon.server.job;

import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.ImageProblem;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds of images, one at a time: each takes a minute, a processor and the disk. The last ones are remembered with their events. */
public final class ImageBuilds {
    private static final Logger LOG = LoggerFactory.getLogger(ImageBuilds.class);
    private static final int REMEMBERED = 32;
    private static final long EVENT_BYTES = 1 << 20;

    /**
     * One build.
     *
     * @param id     its name
     * @param image  what is built
     * @param events {@code progress}, then one {@code exit} or {@code error}
     */
    public record Build(String id, String image, JobEventLog events) {}

    /** Makes an image. */
    @FunctionalInterface
    public interface Work {
        /** Tells how far it is. */
        void build(BuildProgress progress) throws IOException;
    }

    private final ScopedLock lock = new ScopedLock();
    private final Map<String, Build> known = new LinkedHashMap<>();
    private boolean busy;

    /** Starts one; empty when another is not over. */
    public Optional<Build> start(String id, String image, Work work) {
        Build build = new Build(id, image, new JobEventLog(EVENT_BYTES));
        try (ScopedLock.Held _ = lock.hold()) {
            if (busy) {
                return Optional.empty();
            }
            busy = true;
            known.put(id, build);
            if (known.size() > REMEMBERED) {
                known.remove(known.keySet().iterator().next());
            }
        }
        Thread.ofVirtual().name("cordon-build").start(() -> run(build, work));
        return Optional.of(build);
    }

    private void run(Build build, Work work) {
        try {
            work.build((step, of, what) -> build.events()
                    .add(
                            "progress",
                            JsonTree.object().put("step", step).put("of", of).put("what", what)));
            build.events().end("exit", JsonTree.object().put("outcome", "ok").put("template", build.image()));
        } catch (ImageProblem e) {
            fail(build, e.problem(), e.remedy());
        } catch (IOException | RuntimeException e) {
            LOG.warn("the build of {} failed", build.image(), e);
            fail(build, "the build failed: " + e.getMessage(), "make room on the disk, then try again");
        } finally {
            try (ScopedLock.Held _ = lock.hold()) {
                busy = false;
            }
        }
    }

    private static void fail(Build build, String detail, String remedy) {
        build.events()
                .end(
                        "error",
                        JsonTree.object()
                                .put("outcome", "failed")
                                .put("detail", detail)
                                .put("remedy", remedy));
    }

    /** A build that is remembered. */
    public Optional<Build> find(String image, String id) {
        try (ScopedLock.Held _ = lock.hold()) {
            return Optional.ofNullable(known.get(id))
                    .filter(build -> build.image().equals(image));
        }
    }
}
