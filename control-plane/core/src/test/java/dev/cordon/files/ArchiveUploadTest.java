package dev.cordon.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.bindings.value.FileName;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.result.ArchiveLimits;
import dev.cordon.result.InvalidArchive;
import dev.cordon.vm.archive.TarEntry;
import dev.cordon.vm.archive.TarWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an archive may bring into a sandbox: from Cordon's own writer, from the host's tar, and from those whom nobody should trust. */
class ArchiveUploadTest {
    private static byte[] archive(TarEntry entry, byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(out);
        tar.write(entry, new ByteArrayInputStream(content));
        tar.finish();
        return out.toByteArray();
    }

    private static List<ArchiveUpload.Entry> read(byte[] archive) throws IOException {
        return read(archive, ArchiveLimits.defaults());
    }

    private static List<ArchiveUpload.Entry> read(byte[] archive, ArchiveLimits limits) throws IOException {
        ArchiveUpload reader = new ArchiveUpload(new ByteArrayInputStream(archive), limits);
        List<ArchiveUpload.Entry> entries = new ArrayList<>();
        for (ArchiveUpload.Entry entry = reader.next(); entry != null; entry = reader.next()) {
            entries.add(entry);
        }
        return entries;
    }

    private static TarEntry file(String path, long bytes) {
        return TarEntry.file(path, bytes, 0644, 1_700_000_000);
    }

    private static List<String> names() {
        return List.of(
                "a",
                "x".repeat(100),
                "x".repeat(101),
                "d/".repeat(60) + "f",
                "d/".repeat(200) + "f",
                "y".repeat(155) + "/" + "z".repeat(100),
                "y".repeat(200) + "/" + "z".repeat(200),
                "ätherbild",
                "new\nline",
                "-rf",
                "..x",
                FileName.decode(new byte[] {'b', (byte) 0xff, (byte) 0xc3}));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        for (String name : names()) {
            byte[] content = ("content of " + name).getBytes(UTF_8);
            ArchiveUpload reader = new ArchiveUpload(
                    new ByteArrayInputStream(archive(file(name, content.length), content)), ArchiveLimits.defaults());
            assertThat(reader.next()).isEqualTo(new ArchiveUpload.Entry(name, false, content.length, 0644));
            assertThat(reader.content().readAllBytes()).isEqualTo(content);
            assertThat(reader.next()).isNull();
        }
    }

    @Test
    void theHostsTarIsRead(@TempDir Path directory) throws Exception {
        Path deep = Files.createDirectories(directory.resolve("in/" + "d".repeat(120)));
        Files.writeString(deep.resolve("e".repeat(120)), "deep");
        Files.writeString(directory.resolve("in/plain"), "plain");
        for (String format : List.of("gnu", "pax", "posix", "ustar", "v7")) {
            Path archive = directory.resolve(format + ".tar");
            boolean old = format.equals("v7") || format.equals("ustar");
            Process made = new ProcessBuilder(
                            "tar",
                            "--format=" + format,
                            "-C",
                            directory.toString(),
                            "-cf",
                            archive.toString(),
                            old ? "in/plain" : "in")
                    .inheritIO()
                    .start();
            assertThat(made.waitFor()).isZero();
            List<ArchiveUpload.Entry> entries = read(Files.readAllBytes(archive));
            assertThat(entries).extracting(ArchiveUpload.Entry::path).contains("in/plain");
            if (!old) {
                assertThat(entries)
                        .extracting(ArchiveUpload.Entry::path)
                        .contains("in/" + "d".repeat(120) + "/" + "e".repeat(120));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/passwd", "../x", "a/../../x", "a/..", ".."})
    void pathsThatLeadOutAreRefused(String path) throws IOException {
        byte[] bytes = archive(file(path, 0), new byte[0]);
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(InvalidArchive.class).hasMessageContaining("'" + path + "'");
    }

    @ParameterizedTest
    @ValueSource(chars = {'1', '2', '3', '4', '6', 'S', 'K', 'V', '9'})
    void whatIsNoFileIsRefused(char type) throws IOException {
        byte[] bytes = retype(archive(file("evil", 0), new byte[0]), type);
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(InvalidArchive.class).hasMessageContaining("'evil'");
    }

    /** Changes the type of the first header, and its checksum. */
    private static byte[] retype(byte[] archive, char type) {
        byte[] bytes = archive.clone();
        bytes[156] = (byte) type;
        Arrays.fill(bytes, 148, 156, (byte) ' ');
        int sum = 0;
        for (int i = 0; i < 512; i++) {
            sum += bytes[i] & 0xff;
        }
        System.arraycopy(String.format("%06o\0 ", sum).getBytes(ISO_8859_1), 0, bytes, 148, 8);
        return bytes;
    }

    @Test
    void paxHeadersChangeNothingThatIsChecked() throws IOException {
        for (String record : List.of(
                "path=/etc/passwd",
                "path=../x",
                "size=99999999999",
                "size=-1",
                "size=x",
                "GNU.sparse.major=1",
                "linkpath=/etc")) {
            byte[] bytes = withPax('x', record);
            assertThatThrownBy(() -> read(bytes, new ArchiveLimits(10, ByteSize.mib(1))))
                    .describedAs(record)
                    .isInstanceOf(InvalidArchive.class);
        }
        assertThatThrownBy(() -> read(withPax('g', "path=a"))).isInstanceOf(InvalidArchive.class);
        assertThat(read(withPax('g', "comment=x"))).hasSize(1);
        assertThat(read(withPax('x', "mtime=1.5"))).hasSize(1);
    }

    private static byte[] withPax(char type, String record) throws IOException {
        int length = record.length() + 4;
        String line = length + " " + record + "\n";
        byte[] content = line.getBytes(ISO_8859_1);
        assertThat(content).hasSize(length);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(Arrays.copyOf(retype(archive(file("pax", content.length), content), type), 1024));
        out.writeBytes(archive(file("ok", 0), new byte[0]));
        return out.toByteArray();
    }

    @Test
    void aDirectoryHasNoContentAndNobodyChangesIds() throws IOException {
        byte[] directory = archive(new TarEntry("d", TarEntry.Kind.DIRECTORY, 06755, 1, 1, 0, 0, ""), new byte[0]);
        assertThat(read(directory)).containsExactly(new ArchiveUpload.Entry("d", true, 0, 0755));
        byte[] full = retype(archive(file("d", 3), new byte[3]), '5');
        assertThatThrownBy(() -> read(full)).isInstanceOf(InvalidArchive.class).hasMessageContaining("'d'");
    }

    @Test
    void extendedHeadersAreSmall() throws IOException {
        byte[] content = new byte[65 * 1024];
        byte[] bytes = retype(archive(file("pax", content.length), content), 'x');
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(InvalidArchive.class).hasMessageContaining("66560 bytes");
    }

    @Test
    void limitsHold() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(out);
        for (int i = 0; i < 5; i++) {
            tar.write(file("f" + i, 100), new ByteArrayInputStream(new byte[100]));
        }
        tar.finish();
        assertThatThrownBy(() -> read(out.toByteArray(), new ArchiveLimits(4, ByteSize.mib(1))))
                .hasMessageContaining("'f4'")
                .hasMessageContaining("4 entries");
        assertThatThrownBy(() -> read(out.toByteArray(), new ArchiveLimits(9, ByteSize.bytes(350))))
                .hasMessageContaining("'f3'");
    }

    @Test
    void anythingElseIsAnErrorAndNothingWorse() throws IOException {
        byte[] good = archive(file("d/".repeat(100) + "f", 700), new byte[700]);
        Random random = new Random(11);
        for (int i = 0; i < 3000; i++) {
            byte[] bad = Arrays.copyOf(good, random.nextInt(good.length) + 1);
            for (int k = random.nextInt(8); k > 0; k--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            }
            try {
                read(bad, new ArchiveLimits(100, ByteSize.mib(1)));
            } catch (IOException e) {
                assertThat(e).isNotNull();
            }
        }
        assertThatThrownBy(() -> read(Arrays.copyOf(good, 2000))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> read("this is no archive at all".repeat(50).getBytes(UTF_8)))
                .isInstanceOf(InvalidArchive.class);
    }
}
