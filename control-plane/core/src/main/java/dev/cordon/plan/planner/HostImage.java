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

/**
 * The host's own system directories as the jail's root image, read-only, with an /etc that is mostly made up: a job finds what loaders,
 * resolvers and run-times read, and nothing that tells hosts or users apart. A path that is a link on the host is the same link inside.
 */
public final class HostImage {
    /** The directories of programs and libraries. Not /opt: what lies there is the site's own, and a job that needs it names it. */
    static final List<String> SYSTEM = List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/libx32", "/lib64");

    /**
     * What is taken from the host's /etc, each with its reader. Left out on purpose: what may hold credentials (maven/settings.xml,
     * pip.conf, npmrc, gitconfig, ssl/private), what names the host (machine-id, fstab), and ld.so.preload, which runs code.
     */
    static final List<String> ETC = List.of(
            "/etc/alternatives", // Debian: /usr/bin/java and others are links through here
            "/etc/crypto-policies", // Fedora: included by openssl.cnf
            "/etc/fonts", // fontconfig: headless rendering of Java and matplotlib
            "/etc/java", // Fedora
            "/etc/ld-musl-x86_64.path", // musl's loader
            "/etc/ld.so.cache",
            "/etc/ld.so.conf",
            "/etc/ld.so.conf.d",
            "/etc/matplotlibrc", // Debian: matplotlib is not imported without it
            "/etc/maven/logging",
            "/etc/maven/m2.conf", // Debian: mvn does not start without it
            "/etc/mime.types", // Python's mimetypes, Java's content types
            "/etc/os-release",
            "/etc/pki/ca-trust/extracted", // Fedora's certificates
            "/etc/pki/java",
            "/etc/pki/tls/certs",
            "/etc/pki/tls/openssl.cnf",
            "/etc/protocols", // getprotobyname
            "/etc/services", // getservbyname
            "/etc/ssl/certs", // Debian's certificates, Java's cacerts below them
            "/etc/ssl/openssl.cnf");

    /** What a jail shows lies in these, or is one of them. */
    public static final List<String> TREES = trees();

    /** Paths that a survey looks at; those of Debian's Java configurations, /etc/java-*-openjdk, come on top. */
    public static final List<String> CANDIDATES = candidates();

    private static final String ETC_DIRECTORY = "/etc";

    /** Debian keeps a JDK's conf directory and security policy here. */
    static final String JAVA_PREFIX = "/etc/java-";

    private static final String PASSWD = """
        root:x:0:0:root:/root:/usr/sbin/nologin
        cordon:x:1000:1000:cordon:/workspace:/bin/sh
        nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
        """;
    private static final String GROUP = """
        root:x:0:
        cordon:x:1000:
        nogroup:x:65534:
        """;
    private static final String HOSTS = """
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
    private static final String WATCHED_RESOLVER = """
        nameserver 192.0.2.1
        options timeout:1 attempts:1
        """;

    private HostImage() {}

    private static List<String> trees() {
        List<String> all = new ArrayList<>(SYSTEM);
        all.add("/etc");
        return List.copyOf(all);
    }

    private static List<String> candidates() {
        List<String> all = new ArrayList<>(SYSTEM);
        all.addAll(ETC);
        return List.copyOf(all);
    }

    /** Whether a bind is part of this image, or mounted below a part of it: the same for every job, and not named by one. */
    public static boolean shows(Bind bind) {
        return !bind.writable() && bind.path().equals(bind.source()) && isCandidate(bind.path());
    }

    private static boolean isCandidate(String path) {
        for (String candidate : CANDIDATES) {
            if (RootLayout.isBelow(path, candidate)) {
                return true;
            }
        }
        return path.startsWith(JAVA_PREFIX);
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
        for (String path : ETC) {
            take(layout, image, trees, path);
        }
        for (String path : image.entries().tailMap(JAVA_PREFIX).keySet()) {
            if (path.startsWith(JAVA_PREFIX)) {
                take(layout, image, trees, path);
            }
        }
    }

    /** Covers what is not shown. /dev is there by now: files are covered with its null. */
    static void hide(RootLayout layout, ImageRoot image) {
        image.hidden().forEach(path -> layout.add(new Mask(path)));
    }

    private static void text(RootLayout layout, String path, String content) {
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

    /** The root is one layer where it can be, because of what an overlay costs; else all of /etc is one. */
    private static void show(RootLayout layout, ImageRoot image, HostTrees trees, String path) {
        String part = RootLayout.isBelow(path, ETC_DIRECTORY) ? ETC_DIRECTORY : path;
        String layer = trees.layersRoot() || !image.ofHost() ? "/" : part;
        trees.show(path, image.source(path), image.source(layer), image.ofHost())
                .forEach(layout::add);
    }
}
