package dev.cordon.vm.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.vm.archive.TarEntry;
import dev.cordon.vm.archive.TarReader;
import dev.cordon.vm.archive.TarWriter;
import dev.cordon.vm.layer.ContentHash;
import dev.cordon.vm.layer.ImageProblem;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives of others become roots, or are refused. */
final class ArchiveImportTest {
    @TempDir
    private Path folder;

    /** A small archive; a value is content, or a kind and a target. */
    private static byte[] tar(Map<String, String> members) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(bytes);
        for (Map.Entry<String, String> member : members.entrySet()) {
            String value = member.getValue();
            boolean link = value.startsWith("-> ");
            boolean directory = member.getKey().endsWith("/");
            byte[] content = link || directory ? new byte[0] : value.getBytes(StandardCharsets.UTF_8);
            TarEntry.Kind kind =
                    link ? TarEntry.Kind.SYMBOLIC_LINK : directory ? TarEntry.Kind.DIRECTORY : TarEntry.Kind.FILE;
            tar.write(
                    new TarEntry(member.getKey(), kind, 04755, 0, 0, content.length, 0, link ? value.substring(3) : ""),
                    new ByteArrayInputStream(content));
        }
        tar.finish();
        return bytes.toByteArray();
    }

    private static Map<String, String> members(String... pairs) {
        Map<String, String> members = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            members.put(pairs[i], pairs[i + 1]);
        }
        return members;
    }

    private Map<String, String> merged(byte[] archive) throws IOException {
        Path file = Files.write(folder.resolve("archive"), archive);
        Path scratch = Files.createTempDirectory(folder, "scratch");
        Path target = scratch.resolve("merged.tar");
        new ArchiveImport(scratch).merge(file, target);
        Map<String, String> found = new LinkedHashMap<>();
        TarReader tar = new TarReader(new ByteArrayInputStream(Files.readAllBytes(target)), ImageProblem::ofArchive);
        for (TarEntry entry = tar.next(); entry != null; entry = tar.next()) {
            byte[] content = tar.content().readAllBytes();
            String text = entry.kind() == TarEntry.Kind.SYMBOLIC_LINK
                    ? "-> " + entry.link()
                    : entry.kind() == TarEntry.Kind.DIRECTORY ? "/" : new String(content, StandardCharsets.UTF_8);
            assertThat(entry.mode() & 06000).isZero();
            found.put(entry.path().replaceFirst("/$", ""), text);
        }
        return found;
    }

    private static String digest(byte[] bytes) {
        return HexFormat.of().formatHex(ContentHash.newDigest().digest(bytes));
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
            stream.write(bytes);
        }
        return packed.toByteArray();
    }

    private static byte[] oci(boolean damaged, byte[]... layers) throws IOException {
        Map<String, byte[]> blobs = new LinkedHashMap<>();
        StringBuilder list = new StringBuilder();
        StringBuilder contents = new StringBuilder();
        for (byte[] layer : layers) {
            byte[] packed = gzip(layer);
            blobs.put(digest(packed), packed);
            list.append(list.isEmpty() ? "" : ",").append("{\"digest\":\"sha256:" + digest(packed) + "\"}");
            contents.append(contents.isEmpty() ? "" : ",").append("\"sha256:" + digest(layer) + "\"");
        }
        byte[] config = ("{\"rootfs\":{\"diff_ids\":[" + contents + "]}}").getBytes(StandardCharsets.UTF_8);
        byte[] manifest = ("{\"config\":{\"digest\":\"sha256:" + digest(config) + "\"},\"layers\":[" + list + "]}")
                .getBytes(StandardCharsets.UTF_8);
        blobs.put(digest(config), config);
        blobs.put(digest(manifest), manifest);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(bytes);
        write(tar, "oci-layout", "{}".getBytes(StandardCharsets.UTF_8));
        String index = "{\"manifests\":[{\"digest\":\"sha256:" + digest(manifest) + "\"}]}";
        write(tar, "index.json", index.getBytes(StandardCharsets.UTF_8));
        for (Map.Entry<String, byte[]> blob : blobs.entrySet()) {
            byte[] content = blob.getValue().clone();
            if (damaged && content.length > 12 && content[0] == 0x1f) {
                content[9] ^= 1;
            }
            write(tar, "blobs/sha256/" + blob.getKey(), content);
        }
        tar.finish();
        return bytes.toByteArray();
    }

    private static void write(TarWriter tar, String name, byte[] content) throws IOException {
        tar.write(TarEntry.file(name, content.length, 0644, 0), new ByteArrayInputStream(content));
    }

    @Test
    void noFileHasAnOwnerThatSandboxesMayHave() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(bytes);
        tar.write(
                new TarEntry("usr/", TarEntry.Kind.DIRECTORY, 0755, 0, 0, 0, 0, ""),
                new ByteArrayInputStream(new byte[0]));
        TarEntry foreign = new TarEntry("usr/f", TarEntry.Kind.FILE, 0644, 2_100_000_000L, 99_999_999_999L, 0, 0, "");
        tar.write(foreign, new ByteArrayInputStream(new byte[0]));
        tar.finish();
        Path file = Files.write(folder.resolve("archive"), bytes.toByteArray());
        Path target = folder.resolve("merged.tar");
        new ArchiveImport(Files.createTempDirectory(folder, "scratch")).merge(file, target);
        TarReader read = new TarReader(new ByteArrayInputStream(Files.readAllBytes(target)), ImageProblem::ofArchive);
        assertThat(read.next()).satisfies(entry -> assertThat(entry.uid()).isZero());
        assertThat(read.next()).satisfies(entry -> {
            assertThat(entry.path()).isEqualTo("usr/f");
            assertThat(entry.uid()).isEqualTo(07777777);
            assertThat(entry.gid()).isEqualTo(07777777);
        });
    }

    @Test
    void takesARootThatIsPackedOrNot() throws IOException {
        byte[] root = tar(members("./usr/", "", "./usr/bin/", "", "./usr/bin/sh", "shell", "./bin", "-> usr/bin"));
        assertThat(merged(root)).isEqualTo(merged(gzip(root))).containsEntry("usr/bin/sh", "shell");
    }

    @Test
    void appliesLayersAndWhiteouts() throws IOException {
        byte[] lower = tar(members("usr/", "", "usr/a", "1", "usr/b", "1", "opt/", "", "opt/x", "1", "opt/y/z", "1"));
        byte[] upper = tar(members("usr/.wh.a", "", "usr/b", "2", "opt/.wh..wh..opq", "", "opt/new", "2"));
        assertThat(merged(oci(false, lower, upper)))
                .containsEntry("usr/b", "2")
                .containsEntry("opt/new", "2")
                .doesNotContainKeys("usr/a", "opt/x", "opt/y", "opt/y/z", "usr/.wh.a");
    }

    @Test
    void writesThroughALinkStayInside() throws IOException {
        byte[] lower = tar(members("usr/", "", "lib", "-> ../../../usr/lib", "tmp", "-> /"));
        byte[] upper = tar(members("lib/evil", "2", "tmp/passwd", "2"));
        assertThat(merged(oci(false, lower, upper)))
                .containsEntry("usr/lib/evil", "2")
                .containsEntry("passwd", "2")
                .containsEntry("lib", "-> ../../../usr/lib");
    }

    @Test
    void refusesALayerThatIsNotWhatTheManifestSays() throws IOException {
        byte[] image = oci(true, tar(members("usr/", "", "usr/a", "1")));
        assertThatThrownBy(() -> merged(image)).isInstanceOf(ImageProblem.class).hasMessageContaining("hash");
    }

    @Test
    void refusesNamesThatLeadOut() throws IOException {
        for (String name : new String[] {"../x", "usr/../../x", "usr/.."}) {
            byte[] archive = tar(members("usr/", "", name, "1"));
            assertThatThrownBy(() -> merged(archive))
                    .isInstanceOf(ImageProblem.class)
                    .hasMessageContaining("leads out");
        }
    }

    @Test
    void anAbsoluteNameIsBelowTheRoot() throws IOException {
        assertThat(merged(tar(members("/usr/", "", "/usr/x", "1")))).containsEntry("usr/x", "1");
    }

    @Test
    void goingRoundInLinksEnds() throws IOException {
        byte[] archive = tar(members("usr/", "", "a", "-> b", "b", "-> a", "a/x", "1"));
        assertThatThrownBy(() -> merged(archive))
                .isInstanceOf(ImageProblem.class)
                .hasMessageContaining("round");
    }

    @Test
    void longNamesSurvive() throws IOException {
        String name = "usr/" + "d".repeat(90) + "/" + "f".repeat(200);
        assertThat(merged(tar(members("usr/", "", name, "1")))).containsEntry(name, "1");
    }

    @Test
    void refusesWhatIsNoArchiveOrNoRoot() throws IOException {
        assertThatThrownBy(() -> merged(new byte[] {1, 2, 3})).isInstanceOf(ImageProblem.class);
        assertThatThrownBy(() -> merged("x".repeat(2000).getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(ImageProblem.class);
        byte[] other = tar(members("readme", "1"));
        assertThatThrownBy(() -> merged(other)).isInstanceOf(ImageProblem.class).hasMessageContaining("neither");
        byte[] cut = tar(members("usr/x", "1".repeat(4000)));
        byte[] half = Arrays.copyOf(cut, 2000);
        assertThatThrownBy(() -> merged(half)).isInstanceOf(IOException.class);
    }

    @Test
    void howAnImageWantsToBeRunIsKept() throws IOException {
        byte[] layer = tar(members("usr/", "", "app/agent.py", "print(1)"));
        byte[] config =
                ("{\"config\":{\"Env\":[\"A=1\",\"B=x=y\",\"none\"],\"WorkingDir\":\"/app/\",\"User\":\"agent\","
                                + "\"Entrypoint\":[\"python3\"],\"Cmd\":[\"agent.py\"]},"
                                + "\"rootfs\":{\"diff_ids\":[\"sha256:" + digest(layer) + "\"]}}")
                        .getBytes(StandardCharsets.UTF_8);
        String name = digest(config) + ".json";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(bytes);
        write(
                tar,
                "manifest.json",
                ("[{\"Config\":\"" + name + "\",\"Layers\":[\"layer.tar\"]}]").getBytes(StandardCharsets.UTF_8));
        write(tar, name, config);
        write(tar, "layer.tar", layer);
        tar.finish();
        Path scratch = Files.createTempDirectory(folder, "scratch");
        ImageConfig kept = new ArchiveImport(scratch)
                .merge(Files.write(folder.resolve("archive"), bytes.toByteArray()), scratch.resolve("merged.tar"));
        assertThat(kept)
                .isEqualTo(new ImageConfig(
                        Map.of("A", "1", "B", "x=y"), "/app", "agent", List.of("python3"), List.of("agent.py")));
        assertThat(kept.argv()).containsExactly("python3", "agent.py");
        Path file = folder.resolve("config");
        kept.write(file);
        assertThat(ImageConfig.read(file)).isEqualTo(kept);
        assertThat(ImageConfig.read(folder.resolve("absent"))).isEqualTo(ImageConfig.NONE);
    }
}
