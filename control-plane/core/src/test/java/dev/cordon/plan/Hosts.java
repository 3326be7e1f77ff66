package dev.cordon.plan;

import dev.cordon.config.IdRange;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.HostFacts;
import dev.cordon.plan.facts.HostSource;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.facts.ImageSettings;
import dev.cordon.plan.facts.MachineFacts;
import dev.cordon.result.Acceleration;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Hosts that were written down: what a survey of a Debian 12 with a JDK says, as root and as users. */
public final class Hosts {
    public static final IdRange SLOTS = new IdRange(2_100_000_000L, 65_536);
    public static final long ADA = 1001;

    private Hosts() {}

    static SortedMap<String, HostEntry> debian() {
        SortedMap<String, HostEntry> image = new TreeMap<>();
        image.put("/usr", new HostEntry.Directory());
        image.put("/bin", new HostEntry.Link("usr/bin"));
        image.put("/sbin", new HostEntry.Link("usr/sbin"));
        image.put("/lib", new HostEntry.Link("usr/lib"));
        image.put("/lib64", new HostEntry.Link("usr/lib64"));
        image.put("/etc/alternatives", new HostEntry.Directory());
        image.put("/etc/java-17-openjdk", new HostEntry.Directory());
        image.put("/etc/ld.so.cache", new HostEntry.RegularFile());
        image.put("/etc/ld.so.conf", new HostEntry.RegularFile());
        image.put("/etc/ld.so.conf.d", new HostEntry.Directory());
        image.put("/etc/os-release", new HostEntry.Link("../usr/lib/os-release"));
        image.put("/etc/services", new HostEntry.RegularFile());
        image.put("/etc/ssl/certs", new HostEntry.Directory());
        image.put("/etc/ssl/openssl.cnf", new HostEntry.RegularFile());
        return image;
    }

    /** A host whose /bin and /lib are directories of their own. */
    public static SortedMap<String, HostEntry> unmerged() {
        SortedMap<String, HostEntry> image = debian();
        for (String path : new String[] {"/bin", "/sbin", "/lib", "/lib64"}) {
            image.put(path, new HostEntry.Directory());
        }
        return image;
    }

    public static MachineFacts machines() {
        return machines(Acceleration.EMULATED, true);
    }

    public static MachineFacts machines(Acceleration acceleration, boolean emulationAllowed) {
        String reason = acceleration == Acceleration.ACCELERATED ? "" : "/dev/kvm is missing";
        return new MachineFacts(
                "base", ImageRoot.ofMachine(debian(), ImageSettings.NONE), acceleration, reason, emulationAllowed, 4);
    }

    public static HostFacts root() {
        return facts(0, 0, false, Optional.empty(), Map.of());
    }

    public static HostFacts rootless() {
        return facts(ADA, ADA, false, Optional.empty(), Map.of());
    }

    public static HostFacts subordinate() {
        HostIds.Subordinate ids = new HostIds.Subordinate(new IdRange(100_000, 65_536), new IdRange(200_000, 65_536));
        return facts(ADA, ADA, true, Optional.of(ids), Map.of());
    }

    public static HostFacts facts(
            long uid,
            long gid,
            boolean extraGroups,
            Optional<HostIds.Subordinate> subordinate,
            Map<Path, HostSource> sources) {
        Path run = Path.of(uid == 0 ? "/run/cordon" : "/run/user/" + uid + "/cordon");
        return plain(uid, gid, extraGroups, SLOTS, subordinate, debian(), run, sources);
    }

    /** With nothing mounted below what is shown, and nothing hidden. */
    public static HostFacts plain(
            long uid,
            long gid,
            boolean extraGroups,
            IdRange slots,
            Optional<HostIds.Subordinate> subordinate,
            SortedMap<String, HostEntry> image,
            Path runDirectory,
            Map<Path, HostSource> sources) {
        return new HostFacts(
                uid,
                gid,
                extraGroups,
                slots,
                subordinate,
                image,
                runDirectory,
                Optional.of(runDirectory.resolve("sys.1")),
                sources,
                Collections.emptySortedSet(),
                Collections.emptySortedSet(),
                Collections.emptySortedSet());
    }

    public static HostFacts with(HostFacts facts, String path, HostSource source) {
        Map<Path, HostSource> sources = new HashMap<>(facts.sources());
        sources.put(Path.of(path), source);
        return plain(
                facts.uid(),
                facts.gid(),
                facts.extraGroups(),
                facts.slots(),
                facts.subordinate(),
                facts.image(),
                facts.runDirectory(),
                sources);
    }

    public static HostSource directory(String path, long owner, int mode, boolean privateAbove) {
        return new HostSource(HostSource.Kind.DIRECTORY, Path.of(path), owner, owner, mode, 4096, null, privateAbove);
    }

    public static HostSource file(String path, long owner, int mode) {
        return new HostSource(HostSource.Kind.FILE, Path.of(path), owner, owner, mode, 100, null, false);
    }

    public static HostSource socket(String path) {
        return new HostSource(HostSource.Kind.OTHER, Path.of(path), 0, 0, 0666, 0, null, false);
    }
}
