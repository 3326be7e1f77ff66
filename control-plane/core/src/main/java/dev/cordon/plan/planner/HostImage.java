package dev.cordon.plan.planner;

import dev.cordon.plan.RootStep.Bind;
import dev.cordon.plan.RootStep.Directory;
import dev.cordon.plan.RootStep.Mask;
import dev.cordon.plan.RootStep.Symlink;
import dev.cordon.plan.RootStep.TextFile;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.ImageRoot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The host's own system directories as the jail's root image, read-only, with an /etc that is mostly made up: a job finds what loaders,
 * resolvers and run-times read, and nothing that tells hosts or users apart. A path that is a link on the host is the same link inside.
 */
public final class HostImage {
    /** The directories of programs and libraries. Not /opt: what lies there is the site's own, and a job that needs it names it. */
    public static final List<String> SYSTEM = List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/libx32", "/lib64");

    /** What a jail shows lies in these, or is one of them. */
    public static final List<String> TREES = trees();

    private static final String ETC_DIRECTORY = "/etc";

    public static final String VAR_DIRECTORY = "/var";

    static final String PASSWD = """
        root:x:0:0:root:/root:/usr/sbin/nologin
        cordon:x:1000:1000:cordon:/workspace:/bin/sh
        nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
        """;
    static final String GROUP = """
        root:x:0:
        cordon:x:1000:
        nogroup:x:65534:
        """;
    static final String HOSTS = """
        127.0.0.1 localhost cordon
        ::1 localhost cordon
        """;
    /** Files only: no resolver module may look for a daemon or a network that is not there. */
    private static final String NSSWITCH = """
        passwd: files
        group: files
        shadow: files
        hosts: files
        networks: files
        protocols: files
        services: files
        """;

    /**
     * For a job that the policy watches: an address of RFC 5737, to which there is no way. A name is not found either way, but the attempt to
     * ask the network for it is seen.
     */
    static final String WATCHED_RESOLVER = """
        nameserver 192.0.2.1
        options timeout:1 attempts:1
        """;

    private HostImage() {}

    private static List<String> trees() {
        List<String> all = new ArrayList<>(SYSTEM);
        all.add(ETC_DIRECTORY);
        all.add(VAR_DIRECTORY);
        return List.copyOf(all);
    }

    /**
     * Whether a bind is part of this image, or mounted below a part of it: the same for every job, and not named by one. What a job names
     * below /etc or /var is a layer of its own, or comes from one that init cannot open by itself. Nothing that a job names comes to /sys.
     */
    public static boolean shows(Bind bind) {
        String path = bind.path();
        if (path.equals(KernelTrees.SYS)) {
            return true;
        }
        if (bind.writable() || !path.equals(bind.source())) {
            return false;
        }
        for (String system : SYSTEM) {
            if (RootLayout.isBelow(path, system)) {
                return true;
            }
        }
        return partOf(path) != null
                && (bind.layer().equals("/") || (bind.open() && !bind.layer().isEmpty()));
    }

    static void build(RootLayout layout, ImageRoot image, HostTrees trees, boolean watched) {
        for (String path : SYSTEM) {
            take(layout, image, trees, path);
        }
        layout.add(new Directory(ETC_DIRECTORY, 0755));
        text(layout, "/etc/passwd", PASSWD);
        text(layout, "/etc/group", GROUP);
        text(layout, "/etc/hosts", HOSTS);
        text(layout, "/etc/hostname", "cordon\n");
        text(layout, "/etc/nsswitch.conf", watched ? NSSWITCH.replace("hosts: files", "hosts: files dns") : NSSWITCH);
        text(layout, "/etc/resolv.conf", watched ? WATCHED_RESOLVER : "");
        text(layout, "/etc/timezone", "Etc/UTC\n");
        // One time zone everywhere: results must not depend on where the host stands.
        layout.add(new Symlink("/etc/localtime", "/usr/share/zoneinfo/UTC"));
        layout.add(new Directory(VAR_DIRECTORY, 0755));
        layout.add(new Symlink("/var/tmp", "/tmp"));
        for (String path : image.entries().keySet()) {
            if (partOf(path) != null) {
                take(layout, image, trees, path);
            }
        }
    }

    /** Covers what is not shown. /dev is there by now: files are covered with its null. */
    static void hide(RootLayout layout, ImageRoot image) {
        image.hidden().forEach(path -> layout.add(new Mask(path)));
    }

    static void text(RootLayout layout, String path, String content) {
        layout.add(new TextFile(path, 0444, content));
    }

    static void take(RootLayout layout, ImageRoot image, HostTrees trees, String path) {
        HostEntry entry = image.entries().get(path);
        if (entry == null) {
            return;
        }
        layout.parents(path);
        switch (entry) {
            case HostEntry.Link link -> layout.add(new Symlink(path, link.target()));
            case HostEntry.Directory ignored -> show(layout, image, trees, path);
            case HostEntry.RegularFile ignored -> show(layout, image, trees, path);
        }
    }

    /** The directory of the host's configuration and data that a path is below; null for its programs. */
    private static @Nullable String partOf(String path) {
        return RootLayout.isBelow(path, ETC_DIRECTORY)
                ? ETC_DIRECTORY
                : RootLayout.isBelow(path, VAR_DIRECTORY) ? VAR_DIRECTORY : null;
    }

    /**
     * The root is one layer where it can be, because of what an overlay costs; else all of /etc is one. Below /var things are mounted that
     * no job is shown, with which no overlay could be made: there every directory is a layer of its own.
     */
    private static void show(RootLayout layout, ImageRoot image, HostTrees trees, String path) {
        String layer = path;
        if (trees.layersRoot()) {
            layer = "/";
        } else if (ETC_DIRECTORY.equals(partOf(path))) {
            layer = ETC_DIRECTORY;
        } else if (image.entries().get(path) instanceof HostEntry.RegularFile) {
            layer = path.substring(0, path.lastIndexOf('/'));
        }
        trees.show(path, image.source(path), image.source(layer), true).forEach(layout::add);
    }
}
