package dev.cordon.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.vm.layer.ImageProblem;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ImageBuildsTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final ImageBuilds builds = new ImageBuilds();

    private static List<String> followed(ImageBuilds.Build build) throws InterruptedException {
        List<JobEvent> events = build.events().after(0, LONG);
        while (!build.events().over()) {
            build.events().after(events.size(), LONG);
        }
        return build.events().after(0, LONG).stream().map(JobEvent::type).toList();
    }

    @Test
    void oneIsBuiltAtATimeAndTellsHowFarItIs() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        ImageBuilds.Build build = builds.start("bld_1", "base", progress -> {
                    progress.step(1, 2, "fetching");
                    await(go);
                    progress.step(2, 2, "packing");
                })
                .orElseThrow();
        assertThat(builds.start("bld_2", "base", progress -> {})).isEmpty();
        assertThat(builds.find("base", "bld_1")).contains(build);
        assertThat(builds.find("other", "bld_1")).isEmpty();
        go.countDown();
        assertThat(followed(build)).containsExactly("progress", "progress", "exit");
    }

    @Test
    void aFailureIsToldWithItsRemedy() throws Exception {
        ImageBuilds.Build build = builds.start("bld_3", "base", progress -> {
                    throw new ImageProblem("no room", "make some");
                })
                .orElseThrow();
        assertThat(followed(build)).containsExactly("error");
        assertThat(JsonTree.text(build.events().after(0, LONG).getFirst().data()))
                .contains("\"detail\":\"no room\"", "\"remedy\":\"make some\"");
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
