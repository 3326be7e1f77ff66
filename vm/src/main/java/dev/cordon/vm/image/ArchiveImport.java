package dev.cordon.vm.image;

import dev.cordon.vm.archive.TarEntry;
import dev.cordon.vm.archive.TarReader;
import dev.cordon.vm.json.JsonReader;
import dev.cordon.vm.layer.ContentHash;
import dev.cordon.vm.layer.ImageProblem;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns an archive into one clean tar archive of a root: a tar of a whole system, an OCI image layout in a tar, or what docker save
 * writes. Whatever the archive refers to by hash is checked against it.
 */
final class ArchiveImport {
    private static final String DIGEST = "sha256:";
    private static final int MOST_JSON = 4 << 20;
    private static final JsonReader JSON = new JsonReader(32, MOST_JSON);

    /** Where a member's content is in the archive. */
    private record Member(long offset, long size) {}

    private final Path scratch;
    private final Map<String, Member> members = new HashMap<>();

    ArchiveImport(Path scratch) {
        this.scratch = scratch;
    }

    /** Writes the merged archive. Returns how the image wants to be run. */
    ImageConfig merge(Path archive, Path merged) throws IOException {
        Path plain = scratch.resolve("archive.tar");
        try (InputStream stream = Files.newInputStream(archive)) {
            UnpackedStream.write(stream, plain);
        }
        index(plain);
        RootTree tree = new RootTree();
        ImageConfig config = ImageConfig.NONE;
        if (members.containsKey("index.json") && members.containsKey("oci-layout")) {
            config = addOci(plain, tree);
        } else if (members.containsKey("manifest.json")) {
            config = addDocker(plain, tree);
        } else {
            tree.add(plain, false);
        }
        tree.write(merged);
        return config;
    }

    private void index(Path archive) throws IOException {
        try (InputStream stream = new BufferedInputStream(Files.newInputStream(archive), 1 << 20)) {
            TarReader tar = new TarReader(stream, ImageProblem::ofArchive);
            for (TarEntry entry = tar.next(); entry != null; entry = tar.next()) {
                if (entry.kind() == TarEntry.Kind.FILE) {
                    members.put(entry.path().replaceFirst("^(\\./)+", ""), new Member(tar.position(), entry.size()));
                }
            }
        }
    }

    private ImageConfig addOci(Path archive, RootTree tree) throws IOException {
        Map<String, @Nullable Object> manifest = manifest(archive, JSON.object(bytes(archive, "index.json")), 0);
        Map<String, @Nullable Object> config = configuration(archive, blobName(reference(manifest.get("config"))));
        List<String> contents = contentHashes(config);
        List<?> layers = manifest.get("layers") instanceof List<?> list ? list : List.of();
        for (int i = 0; i < layers.size(); i++) {
            String digest = reference(layers.get(i));
            UnpackedStream layer = layer(archive, blobName(digest), i);
            check(digest, DIGEST + layer.packed(), "layer " + i);
            check(i < contents.size() ? contents.get(i) : "", DIGEST + layer.unpacked(), "content of layer " + i);
            tree.add(file(i), true);
        }
        return ImageConfig.ofOci(config);
    }

    /** An index names manifests, or further indexes; the one for this architecture is taken. */
    private Map<String, @Nullable Object> manifest(Path archive, Map<String, @Nullable Object> document, int depth)
            throws IOException {
        if (document.get("layers") instanceof List<?>) {
            return document;
        }
        if (depth < 4 && document.get("manifests") instanceof List<?> choices) {
            for (Object choice : choices) {
                if (fits(choice)) {
                    String digest = reference(choice);
                    byte[] bytes = bytes(archive, blobName(digest));
                    check(digest, DIGEST + sha256(bytes), "manifest");
                    return manifest(archive, JSON.object(bytes), depth + 1);
                }
            }
        }
        throw new ImageProblem(
                "the archive has no image for linux on amd64",
                "save one for this platform: docker save --platform linux/amd64");
    }

    private static boolean fits(@Nullable Object choice) {
        Map<String, @Nullable Object> platform = JsonReader.asObject(choice)
                .flatMap(descriptor -> JsonReader.asObject(descriptor.get("platform")))
                .orElse(Map.of("os", "linux", "architecture", "amd64"));
        return "linux".equals(platform.get("os")) && "amd64".equals(platform.get("architecture"));
    }

    private ImageConfig addDocker(Path archive, RootTree tree) throws IOException {
        Object first = JSON.read(bytes(archive, "manifest.json")) instanceof List<?> images && !images.isEmpty()
                ? images.getFirst()
                : null;
        Map<String, @Nullable Object> image = JsonReader.asObject(first).orElse(Map.of());
        if (!(image.get("Layers") instanceof List<?> layers) || !(image.get("Config") instanceof String config)) {
            throw new ImageProblem("manifest.json names no layers", "make the archive with docker save");
        }
        Map<String, @Nullable Object> document = configuration(archive, config);
        List<String> contents = contentHashes(document);
        for (int i = 0; i < layers.size(); i++) {
            UnpackedStream layer = layer(archive, String.valueOf(layers.get(i)), i);
            check(i < contents.size() ? contents.get(i) : "", DIGEST + layer.unpacked(), "content of layer " + i);
            tree.add(file(i), true);
        }
        return ImageConfig.ofOci(document);
    }

    /** The configuration, which is known by its hash. */
    private Map<String, @Nullable Object> configuration(Path archive, String name) throws IOException {
        byte[] bytes = bytes(archive, name);
        String named = name.replaceFirst("^.*/", "").replaceFirst("\\.json$", "");
        if (named.matches("[0-9a-f]{64}")) {
            check(named, sha256(bytes), "configuration");
        }
        return JSON.object(bytes);
    }

    /** The hashes of the layers' content, as the configuration has them. */
    private static List<String> contentHashes(Map<String, @Nullable Object> document) {
        Object hashes =
                JsonReader.asObject(document.get("rootfs")).orElse(Map.of()).get("diff_ids");
        return hashes instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    private UnpackedStream layer(Path archive, String name, int number) throws IOException {
        try (InputStream stream = open(archive, name)) {
            return UnpackedStream.write(stream, file(number));
        }
    }

    private Path file(int number) {
        return scratch.resolve("layer" + number + ".tar");
    }

    private static String reference(@Nullable Object descriptor) throws IOException {
        if (JsonReader.asObject(descriptor).orElse(Map.of()).get("digest") instanceof String digest
                && digest.matches(DIGEST + "[0-9a-f]{64}")) {
            return digest;
        }
        throw new ImageProblem("the image refers to something without a SHA-256", "make the archive anew");
    }

    private static String blobName(String digest) {
        return "blobs/sha256/" + digest.substring(DIGEST.length());
    }

    private static void check(String expected, String found, String what) throws ImageProblem {
        if (!expected.equals(found)) {
            throw new ImageProblem(
                    "the " + what + " has the hash " + found + ", the image says "
                            + (expected.isEmpty() ? "none" : expected),
                    "the archive is damaged or was changed: fetch it again");
        }
    }

    private static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(ContentHash.newDigest().digest(bytes));
    }

    private byte[] bytes(Path archive, String name) throws IOException {
        try (InputStream stream = open(archive, name)) {
            byte[] bytes = stream.readNBytes(MOST_JSON + 1);
            if (bytes.length > MOST_JSON) {
                throw new ImageProblem(name + " in the archive is too large", "make the archive anew");
            }
            return bytes;
        }
    }

    private InputStream open(Path archive, String name) throws IOException {
        Member member = members.get(name);
        if (member == null) {
            throw new ImageProblem("the archive has no " + name, "make it anew: it is not complete");
        }
        return new ArchivePart(archive, member.offset(), member.size());
    }
}
