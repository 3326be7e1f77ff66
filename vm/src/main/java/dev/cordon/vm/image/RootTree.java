package dev.cordon.vm.image;

import dev.cordon.vm.archive.TarEntry;
import dev.cordon.vm.archive.TarReader;
import dev.cordon.vm.archive.TarWriter;
import dev.cordon.vm.layer.ImageProblem;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * The tree that the layers of an image add up to. It is kept in memory, as names, and written as one clean archive: no path of an archive
 * is ever opened on the host, so no link in it can lead anywhere. Devices, sockets and setuid bits are left out.
 */
final class RootTree {
    private static final String WHITEOUT = ".wh.";
    private static final String OPAQUE = ".wh..wh..opq";
    private static final int MOST_ENTRIES = 2_000_000;

    /** The largest owner that is kept: no file of an image has an id that a sandbox of the host may have. */
    private static final long MOST_OWNER = 07777777;

    private static final int MOST_LINKS = 40;
    private static final int SAFE_MODE = 01777;

    /** A file, and where its content is. */
    private record Node(TarEntry entry, Path archive, long offset) {
        private boolean is(TarEntry.Kind kind) {
            return entry.kind() == kind;
        }
    }

    private final TreeMap<String, Node> nodes = new TreeMap<>();

    /** Lays an archive over what there is. With {@code whiteouts}, names as OCI has them delete what lies below. */
    void add(Path archive, boolean whiteouts) throws IOException {
        Set<String> own = new HashSet<>();
        try (InputStream stream = new BufferedInputStream(Files.newInputStream(archive), 1 << 20)) {
            TarReader tar = new TarReader(stream, ImageProblem::ofArchive);
            for (TarEntry entry = tar.next(); entry != null; entry = tar.next()) {
                add(entry, archive, tar.position(), whiteouts, own);
                if (nodes.size() > MOST_ENTRIES) {
                    throw new ImageProblem("the image has more than " + MOST_ENTRIES + " files", "use a smaller one");
                }
            }
        }
    }

    private void add(TarEntry entry, Path archive, long offset, boolean whiteouts, Set<String> own) throws IOException {
        List<String> parts = parts(entry.path());
        if (parts.isEmpty()) {
            return;
        }
        if (entry.uid() < 0 || entry.gid() < 0) {
            throw ImageProblem.ofArchive(entry.path(), "has an owner that is not a number", "");
        }
        String parent = directory(parts.subList(0, parts.size() - 1), archive, own);
        String name = parts.getLast();
        if (whiteouts && name.startsWith(WHITEOUT)) {
            removeBelow(
                    name.equals(OPAQUE) ? parent : child(parent, name.substring(WHITEOUT.length())),
                    name.equals(OPAQUE),
                    own);
            return;
        }
        String path = child(parent, name);
        Node before = nodes.get(path);
        switch (entry.kind()) {
            case DEVICE, PIPE -> remove(path);
            case DIRECTORY -> {
                if (before != null && !before.is(TarEntry.Kind.DIRECTORY)) {
                    remove(path);
                }
                put(path, entry, archive, 0, own);
            }
            case FILE, SYMBOLIC_LINK -> {
                remove(path);
                put(path, entry, archive, offset, own);
            }
            case HARD_LINK -> {
                Node target = target(entry, archive, own);
                remove(path);
                nodes.put(path, target);
                own.add(path);
            }
        }
    }

    private Node target(TarEntry entry, Path archive, Set<String> own) throws IOException {
        List<String> parts = parts(entry.link());
        if (!parts.isEmpty()) {
            Node target =
                    nodes.get(child(directory(parts.subList(0, parts.size() - 1), archive, own), parts.getLast()));
            if (target != null && !target.is(TarEntry.Kind.DIRECTORY)) {
                return target;
            }
        }
        throw new ImageProblem(
                "'" + entry.path() + "' is a hard link to '" + entry.link() + "', which is not there",
                "make the archive anew");
    }

    private void put(String path, TarEntry entry, Path archive, long offset, Set<String> own) {
        TarEntry clean = new TarEntry(
                path,
                entry.kind(),
                entry.mode() & SAFE_MODE,
                Math.min(entry.uid(), MOST_OWNER),
                Math.min(entry.gid(), MOST_OWNER),
                entry.kind() == TarEntry.Kind.FILE ? entry.size() : 0,
                entry.time(),
                entry.kind() == TarEntry.Kind.SYMBOLIC_LINK ? entry.link() : "");
        nodes.put(path, new Node(clean, archive, offset));
        own.add(path);
    }

    /** The directory that these parts lead to, links in it followed within the tree; made when it is missing, as tar does. */
    private String directory(List<String> parts, Path archive, Set<String> own) throws IOException {
        Deque<String> left = new ArrayDeque<>(parts);
        String at = "";
        int links = 0;
        while (!left.isEmpty()) {
            String part = left.removeFirst();
            if (part.equals("..")) {
                at = at.contains("/") ? at.substring(0, at.lastIndexOf('/')) : "";
                continue;
            }
            String path = child(at, part);
            Node node = nodes.get(path);
            if (node != null && node.is(TarEntry.Kind.SYMBOLIC_LINK)) {
                if (++links > MOST_LINKS) {
                    throw new ImageProblem(
                            "'" + String.join("/", parts) + "' goes round in symbolic links", "make the archive anew");
                }
                String target = node.entry().link();
                at = target.startsWith("/") ? "" : at;
                List<String> steps = new ArrayList<>(List.of(target.split("/+")));
                steps.removeIf(step -> step.isEmpty() || step.equals("."));
                for (int i = steps.size() - 1; i >= 0; i--) {
                    left.addFirst(steps.get(i));
                }
                continue;
            }
            if (node == null || !node.is(TarEntry.Kind.DIRECTORY)) {
                remove(path);
                put(path, TarEntry.directory(path, 0755, 0), archive, 0, own);
            }
            at = path;
        }
        return at;
    }

    /** A name as the archive has it, in parts. Nothing leads up or is empty. */
    private static List<String> parts(String path) throws IOException {
        List<String> parts = new ArrayList<>();
        for (String part : path.split("/+", -1)) {
            if (part.equals("..") || part.indexOf('\0') >= 0) {
                throw new ImageProblem(
                        "the archive has a member '" + path + "', which leads out of it", "do not trust this archive");
            }
            if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        return parts;
    }

    private static String child(String directory, String name) {
        return directory.isEmpty() ? name : directory + "/" + name;
    }

    private void remove(String path) {
        nodes.remove(path);
        nodes.subMap(path + "/", path + "0").clear();
    }

    /** What lower layers have there; what this layer itself brought stays. */
    private void removeBelow(String path, boolean keepItself, Set<String> own) {
        if (!keepItself && !own.contains(path)) {
            nodes.remove(path);
        }
        nodes.subMap(path.isEmpty() ? "" : path + "/", path.isEmpty() ? "\uffff" : path + "0")
                .keySet()
                .removeIf(below -> !own.contains(below));
    }

    /** Writes the tree as one archive, each directory before what is in it. */
    void write(Path archive) throws IOException {
        if (!nodes.containsKey("usr") && !nodes.containsKey("bin")) {
            throw new ImageProblem(
                    "the archive holds no root file system: it has neither /usr nor /bin",
                    "give one of a whole system, or a docker or OCI image");
        }
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(archive), 1 << 20)) {
            TarWriter tar = new TarWriter(out);
            for (var node : nodes.entrySet()) {
                write(node.getValue(), node.getKey(), tar);
            }
            tar.finish();
        }
    }

    private static void write(Node node, String path, TarWriter tar) throws IOException {
        TarEntry entry = node.entry().named(path);
        if (entry.size() == 0) {
            tar.write(entry);
            return;
        }
        try (InputStream content = new ArchivePart(node.archive(), node.offset(), entry.size())) {
            tar.write(entry, content);
        }
    }
}
