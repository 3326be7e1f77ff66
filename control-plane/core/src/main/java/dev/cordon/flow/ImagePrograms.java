package dev.cordon.flow;

import dev.cordon.job.JobSpec;
import dev.cordon.job.Mount;
import dev.cordon.plan.facts.HostView;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.planner.RootLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whether a job could put a program of its own, or a library, in the place of one of its image's. This matters where a policy lists the
 * programs that may run.
 *
 * @param image what the image says of itself, and of what lies in it
 * @param tree  where its files can be looked at; empty for an image that is not unpacked, and for one that a machine has
 */
record ImagePrograms(ImageRoot image, Optional<Path> tree) {
    /** As many links as the kernel follows, path_resolution(7). */
    private static final int MOST_LINKS = 40;

    /** What says where programs are, and what is loaded into them: ld.so(8), iconv(3). */
    private static final List<String> VARIABLES =
            List.of("PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "GCONV_PATH");

    /** Where mounts cover nothing of an image, and those where a job may write besides. */
    private static final List<String> OWN = List.of("/workspace", "/tmp");

    private static final List<String> WRITABLE = List.of("/workspace", "/tmp", "/var/tmp", "/dev", "/proc");

    private static final Pattern SEPARATOR = Pattern.compile("[:;]");
    private static final Pattern FILE_SEPARATOR = Pattern.compile("[: ]");

    /** Those of a job; empty for one that runs the host's programs, of which no mount takes the place. */
    static Optional<ImagePrograms> of(HostView host) {
        if (host.machines() != null) {
            return Optional.of(new ImagePrograms(host.machines().root(), Optional.empty()));
        }
        ImageRoot root = host.root();
        return root.ofHost()
                ? Optional.empty()
                : Optional.of(new ImagePrograms(root, Optional.of(root.tree()).filter(Files::isDirectory)));
    }

    /** What speaks against the job. */
    List<String> refusals(JobSpec job) {
        List<String> refusals = new ArrayList<>();
        for (Map.Entry<String, String> variable : image.defaults().environment().entrySet()) {
            if (VARIABLES.contains(variable.getKey())) {
                named(variable.getKey(), variable.getValue()).stream()
                        .filter(ImagePrograms::isWritable)
                        .findFirst()
                        .ifPresent(path -> refusals.add("image: its " + variable.getKey() + " names "
                                + (path.isEmpty() ? "the working directory" : path)
                                + ", where a job has files of its own, and commands.allow lists the programs that may"
                                + " run; have it taken out of the image"));
            }
        }
        for (Mount mount : job.containment().mounts()) {
            shadowed(mount.target())
                    .ifPresent(what -> refusals.add("mount: " + mount.target() + " " + what
                            + ", and commands.allow lists the programs that may run; use a path such as"
                            + " /workspace/in"));
        }
        return refusals;
    }

    /** The paths of a variable, which may be empty or relative. */
    private static List<String> named(String variable, String value) {
        boolean files = variable.equals("LD_PRELOAD") || variable.equals("LD_AUDIT");
        return Stream.of((files ? FILE_SEPARATOR : SEPARATOR).split(value, -1))
                .filter(path -> !path.isEmpty() || variable.equals("PATH") || !value.isEmpty())
                .filter(path -> !files || path.indexOf('/') >= 0) // any other is looked for as libraries are
                .map(path -> path.startsWith("/") ? Path.of(path).normalize().toString() : path)
                .toList();
    }

    private static boolean isWritable(String path) {
        return !path.startsWith("/")
                || path.equals("/")
                || WRITABLE.stream().anyMatch(own -> RootLayout.isBelow(path, own));
    }

    private Optional<String> shadowed(String target) {
        if (OWN.stream().anyMatch(own -> RootLayout.isBelow(target, own))) {
            return Optional.empty();
        }
        String leads = real(target);
        boolean searched = image.defaults().environment().entrySet().stream()
                .filter(variable -> VARIABLES.contains(variable.getKey()))
                .flatMap(variable -> named(variable.getKey(), variable.getValue()).stream())
                .filter(path -> path.startsWith("/"))
                .flatMap(path -> Stream.of(path, real(path)))
                .anyMatch(path -> Stream.of(target, leads)
                        .anyMatch(there -> RootLayout.isBelow(there, path) || RootLayout.isBelow(path, there)));
        if (searched) {
            return Optional.of("is where the image has its programs");
        }
        return covers(leads) ? Optional.of("would cover files of the image") : Optional.empty();
    }

    /** Whether the image has files there: a program may be one of them, by a link, or load one. */
    private boolean covers(String target) {
        if (tree.isEmpty()) {
            return false;
        }
        Path there = tree.get().resolve(target.substring(1));
        if (!Files.isDirectory(there, LinkOption.NOFOLLOW_LINKS)) {
            return Files.exists(there, LinkOption.NOFOLLOW_LINKS);
        }
        try (Stream<Path> inside = Files.list(there)) {
            return inside.findAny().isPresent();
        } catch (IOException e) {
            return true; // what cannot be looked at is taken for something
        }
    }

    /** Where a path leads when links are followed as in the jail, to whose root they belong. */
    private String real(String path) {
        if (tree.isEmpty()) {
            return path;
        }
        Deque<String> left = new ArrayDeque<>(List.of(path.split("/", -1)));
        Path at = Path.of("/");
        int links = 0;
        while (!left.isEmpty()) {
            Path next = at.resolve(left.pop()).normalize();
            Path there = tree.get().resolve(next.toString().substring(1));
            if (Files.isSymbolicLink(there) && ++links <= MOST_LINKS) {
                String target = link(there);
                at = target.startsWith("/") ? Path.of("/") : at;
                List.of(target.split("/", -1)).reversed().forEach(left::push);
            } else {
                at = next;
            }
        }
        return at.toString();
    }

    private static String link(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException gone) {
            return "";
        }
    }
}
