package dev.cordon.plan.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.plan.Hosts;
import dev.cordon.plan.RootStep.Bind;
import dev.cordon.plan.facts.HostFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class HostTreesTest {
    private static HostTrees trees(HostFacts facts, String... mountPoints) {
        return trees(facts, List.of(mountPoints), List.of());
    }

    private static HostTrees trees(HostFacts facts, List<String> mountPoints, List<String> mountedFiles) {
        return HostTrees.of(new HostFacts(
                facts.uid(),
                facts.gid(),
                false,
                facts.slots(),
                Optional.empty(),
                facts.image(),
                facts.runDirectory(),
                Optional.empty(),
                Map.of(),
                new TreeSet<>(mountPoints),
                new TreeSet<>(mountedFiles),
                new TreeSet<>()));
    }

    @Test
    void aTreeIsShownThroughAnOverlayThatInitMakesItself() {
        assertThat(trees(Hosts.root()).show("/usr", "/usr", "/usr", true))
                .containsExactly(new Bind("/usr", "/usr", false, "/usr", true));
    }

    /** An overlay hides what is mounted below it, and init cannot uncover that: root opens it, and each mount is a layer of its own. */
    @Test
    void asRootWhatIsMountedBelowHasAnOverlayOfItsOwn() {
        assertThat(trees(Hosts.root(), "/usr/local", "/usr/local/share", "/usrx")
                        .show("/in", "/usr", "/usr", true))
                .containsExactly(
                        new Bind("/in", "/usr", false, "/usr", false),
                        new Bind("/in/local", "/usr/local", false, "/usr/local", false),
                        new Bind("/in/local/share", "/usr/local/share", false, "/usr/local/share", false));
    }

    /** The kernel refuses the overlay; init binds the whole tree then. */
    @Test
    void rootlessTheTreeIsLeftToInit() {
        assertThat(trees(Hosts.rootless(), "/usr/local").show("/usr", "/usr", "/usr", true))
                .containsExactly(new Bind("/usr", "/usr", false, "/usr", true));
    }

    @Test
    void aPartIsTakenFromTheNearestMount() {
        assertThat(trees(Hosts.root(), "/etc/ssl").show("/etc/ssl/certs", "/etc/ssl/certs", "/etc", true))
                .containsExactly(new Bind("/etc/ssl/certs", "/etc/ssl/certs", false, "/etc/ssl", false));
        assertThat(trees(Hosts.root(), "/etc/ssl").show("/etc/services", "/etc/services", "/etc", true))
                .containsExactly(new Bind("/etc/services", "/etc/services", false, "/etc", false));
    }

    /** Whoever covers a file with another means it: what is below is not shown. */
    @Test
    void aFileThatIsMountedOnAnotherIsBound() {
        HostTrees trees = trees(Hosts.root(), List.of(), List.of("/srv/data/key"));
        assertThat(trees.show("/in", "/srv/data", "/srv/data", false))
                .containsExactly(
                        new Bind("/in", "/srv/data", false, "/srv/data", false),
                        Bind.shared("/in/key", "/srv/data/key"));
        assertThat(trees.show("/in", "/srv/data/key", "/srv/data", false))
                .containsExactly(Bind.shared("/in", "/srv/data/key"));
    }

    @Test
    void aMachineShowsItsOwnFilesAsTheyAre() {
        assertThat(HostTrees.ofMachine().show("/usr", "/usr", "/usr", true))
                .containsExactly(new Bind("/usr", "/usr", false));
    }
}
