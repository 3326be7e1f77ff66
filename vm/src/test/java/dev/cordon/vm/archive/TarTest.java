package dev.cordon.vm.archive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.bindings.value.FileName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tar format, against itself, against the host's tar, and against archives that nobody should take. */
class TarTest {
    private static byte[] archive(TarEntry entry, byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(out);
        tar.write(entry, new ByteArrayInputStream(content));
        tar.finish();
        return out.toByteArray();
    }

    private static byte[] archive(TarEntry entry) throws IOException {
        return archive(entry, new byte[0]);
    }

    /** An archive that is not accepted. */
    private static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        private Refused(String entry, String problem, String remedy) {
            super("'" + entry + "' " + problem + "; " + remedy);
        }
    }

    private static TarReader reader(byte[] archive) {
        return new TarReader(new ByteArrayInputStream(archive), Refused::new);
    }

    private static List<TarEntry> read(byte[] archive) throws IOException {
        TarReader reader = reader(archive);
        List<TarEntry> entries = new ArrayList<>();
        for (TarEntry entry = reader.next(); entry != null; entry = reader.next()) {
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
            TarReader reader = reader(archive(file(name, content.length), content));
            assertThat(reader.next()).isEqualTo(file(name, content.length));
            assertThat(reader.content().readAllBytes()).isEqualTo(content);
            assertThat(reader.next()).isNull();
        }
    }

    @Test
    void theHostsTarReadsIt(@TempDir Path directory) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(out);
        for (String name : names()) {
            tar.write(file("top/" + name, 3), new ByteArrayInputStream(new byte[] {'a', 'b', 'c'}));
        }
        tar.finish();
        Path archive = Files.write(directory.resolve("a.tar"), out.toByteArray());
        Process listing = new ProcessBuilder("tar", "-tf", archive.toString(), "--quoting-style=literal", "--null")
                .redirectErrorStream(true)
                .start();
        String listed = new String(listing.getInputStream().readAllBytes(), ISO_8859_1);
        assertThat(listing.waitFor()).describedAs(listed).isZero();
        for (String name : names()) {
            assertThat(listed).contains(new String(FileName.encode("top/" + name), ISO_8859_1));
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
            List<TarEntry> entries = read(Files.readAllBytes(archive));
            assertThat(entries).extracting(TarEntry::path).contains("in/plain");
            if (!old) {
                assertThat(entries)
                        .extracting(TarEntry::path)
                        .contains("in/" + "d".repeat(120) + "/" + "e".repeat(120));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(chars = {'S', 'K', 'L', 'x', 'V', '9'})
    void whatIsNotUnderstoodIsRefused(char type) throws IOException {
        byte[] bytes = retype(archive(file("evil", 0)), type);
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(Refused.class).hasMessageContaining("'evil'");
    }

    private static TarEntry link(String path, String target) {
        return new TarEntry(path, TarEntry.Kind.SYMBOLIC_LINK, 0777, 0, 0, 0, 0, target);
    }

    @Test
    void tellsWhatAMemberIs() throws IOException {
        TarEntry link = link("a", "t".repeat(200) + "ä");
        assertThat(read(archive(link))).containsExactly(link);
        TarEntry odd = link("a", FileName.decode(new byte[] {(byte) 0xff}));
        assertThat(read(archive(odd))).containsExactly(odd);
        TarEntry owned = new TarEntry("o", TarEntry.Kind.FILE, 06755, 1L << 31, 7, 0, 5, "");
        assertThat(read(archive(owned))).containsExactly(owned);
        assertThat(read(archive(TarEntry.directory("d", 01777, 0))))
                .containsExactly(new TarEntry("d/", TarEntry.Kind.DIRECTORY, 01777, 0, 0, 0, 0, ""));
        for (Map.Entry<Character, TarEntry.Kind> kind : Map.of(
                        '1', TarEntry.Kind.HARD_LINK,
                        '2', TarEntry.Kind.SYMBOLIC_LINK,
                        '3', TarEntry.Kind.DEVICE,
                        '4', TarEntry.Kind.DEVICE,
                        '6', TarEntry.Kind.PIPE,
                        '7', TarEntry.Kind.FILE)
                .entrySet()) {
            assertThat(read(retype(archive(file("m", 0)), kind.getKey())))
                    .extracting(TarEntry::kind)
                    .containsExactly(kind.getValue());
        }
    }

    @Test
    void aLinkHasNoContentWhateverItsSize() throws IOException {
        byte[] link = Arrays.copyOf(retype(archive(file("link", 512), new byte[512]), '2'), 512);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(link);
        out.writeBytes(archive(file("next", 0)));
        assertThat(read(out.toByteArray())).extracting(TarEntry::path).containsExactly("link", "next");
    }

    @Test
    void tellsWhereContentBegins() throws IOException {
        byte[] bytes = archive(file("x".repeat(300), 3), new byte[] {7, 8, 9});
        TarReader reader = reader(bytes);
        reader.next();
        int begin = (int) reader.position();
        assertThat(Arrays.copyOfRange(bytes, begin, begin + 3)).containsExactly(7, 8, 9);
        assertThat(reader.next()).isNull();
    }

    @Test
    void aFileThatEndsEarlyIsNoticed(@TempDir Path directory) throws IOException {
        byte[] whole = archive(file("f", 100_000), new byte[100_000]);
        Path cut = Files.write(directory.resolve("cut.tar"), Arrays.copyOf(whole, 50_000));
        try (InputStream stream = Files.newInputStream(cut)) {
            TarReader reader = new TarReader(stream, Refused::new);
            assertThat(reader.next()).isNotNull();
            assertThatThrownBy(reader::next).isInstanceOf(Refused.class).hasMessageContaining("ends in the middle");
        }
    }

    @Test
    void anOwnerThatIsNotANumberIsTold() throws IOException {
        byte[] bytes = archive(file("f", 0));
        bytes[108] = 'x';
        assertThat(read(retype(bytes, '0'))).extracting(TarEntry::uid).containsExactly(-1L);
        byte[] mode = archive(file("f", 0));
        mode[100] = 'x';
        assertThatThrownBy(() -> read(retype(mode, '0'))).isInstanceOf(Refused.class);
    }

    @Test
    void aTimeThatNoCalendarHasIsATime() throws IOException {
        byte[] bytes = archive(file("f", 0));
        bytes[136] = (byte) 0x80;
        Arrays.fill(bytes, 137, 148, (byte) 0);
        bytes[141] = 0x7f;
        assertThat(read(retype(bytes, '0'))).extracting(TarEntry::time).containsExactly(0x7fL << 48);
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
    void paxHeadersAreChecked() throws IOException {
        for (String record : List.of(
                "size=-1",
                "size=x",
                "size=1.5",
                "uid=-1",
                "mtime=x",
                "GNU.sparse.major=1",
                "linkpath=/etc",
                "path=a\0b",
                "=abcdefg")) {
            byte[] bytes = withPax('x', record);
            assertThatThrownBy(() -> read(bytes)).describedAs(record).isInstanceOf(Refused.class);
        }
        for (String record : List.of("path=a", "size=1", "linkpath=a", "GNU.sparse.size=1")) {
            byte[] bytes = withPax('g', record);
            assertThatThrownBy(() -> read(bytes)).describedAs(record).isInstanceOf(Refused.class);
        }
        assertThat(read(withPax('g', "comment=x"))).hasSize(1);
        assertThat(read(withPax('g', "uid=1234"))).extracting(TarEntry::uid).containsExactly(1234L);
        assertThat(read(withPax('x', "mtime=1.5"))).extracting(TarEntry::time).containsExactly(1L);
        assertThat(read(withPax('x', "mtime=-15"))).extracting(TarEntry::time).containsExactly(-15L);
    }

    private static byte[] withPax(char type, String record) throws IOException {
        int length = record.length() + 4;
        String line = length + " " + record + "\n";
        byte[] content = line.getBytes(ISO_8859_1);
        assertThat(content).hasSize(length);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(Arrays.copyOf(retype(archive(file("pax", content.length), content), type), 1024));
        out.writeBytes(archive(file("ok", 0)));
        return out.toByteArray();
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
                read(bad);
            } catch (IOException e) {
                assertThat(e).isNotNull();
            }
        }
        assertThatThrownBy(() -> read(Arrays.copyOf(good, 2000))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> read("this is no archive at all".repeat(50).getBytes(UTF_8)))
                .isInstanceOf(Refused.class);
    }
}
