package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The CycloneDX file that the build writes, beside the installation that it describes. */
class BillOfMaterialsTest {
    private static final Path ROOT = Path.of(System.getProperty("cordon.root"));
    private static final Path INSTALLATION = ROOT.resolve("build/install");
    private static final JsonNode BILL = JsonMapper.shared().readTree(ROOT.resolve("build/sbom/cordon.cdx.json"));

    private static Properties settings() throws IOException {
        var settings = new Properties();
        try (var in = Files.newBufferedReader(ROOT.resolve("gradle.properties"))) {
            settings.load(in);
        }
        return settings;
    }

    private static String hash(Path file) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(digest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static String property(JsonNode component, String name) {
        for (JsonNode each : component.path("properties")) {
            if (each.path("name").asString().equals(name)) {
                return each.path("value").asString();
            }
        }
        return "";
    }

    /** Every archive and program of the installation with the hash of its bytes, and nothing else. */
    @Test
    void namesEveryFileThatIsShippedWithItsHash() throws IOException {
        Map<String, String> installed = new TreeMap<>();
        for (String folder : List.of("lib", "lib-cli", "lib-server", "native")) {
            try (var files = Files.list(INSTALLATION.resolve(folder))) {
                files.forEach(file -> installed.put("usr/lib/cordon/" + folder + "/" + file.getFileName(), hash(file)));
            }
        }
        Map<String, String> named = new TreeMap<>();
        for (JsonNode component : BILL.path("components")) {
            if (component.has("hashes")) {
                JsonNode hash = component.path("hashes").path(0);
                assertThat(hash.path("alg").asString()).isEqualTo("SHA-256");
                named.put(
                        property(component, "cordon:path"), hash.path("content").asString());
            }
        }
        assertThat(named).isEqualTo(installed).hasSizeGreaterThan(40);
    }

    /** The fields that CycloneDX 1.6 requires, and those without which nobody can look a component up. */
    @Test
    void everyComponentCanBeLookedUp() {
        assertThat(BILL.path("bomFormat").asString()).isEqualTo("CycloneDX");
        assertThat(BILL.path("specVersion").asString()).isEqualTo("1.6");
        assertThat(BILL.path("serialNumber").asString()).matches("urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
        assertThat(BILL.path("version").asInt()).isEqualTo(1);
        List<String> references = new ArrayList<>();
        for (JsonNode component : BILL.path("components")) {
            references.add(component.path("bom-ref").asString());
            assertThat(component.path("type").asString()).isIn("library", "application", "platform");
            assertThat(component.path("name").asString()).isNotBlank();
            assertThat(component.path("version").asString()).matches("[0-9].*");
            assertThat(component.path("licenses").size()).as("%s", component).isPositive();
            if (!property(component, "cordon:path").startsWith("usr/lib/cordon/native/")) {
                assertThat(component.path("purl").asString()).matches("pkg:(maven|deb|generic)/[^ +]+@[^ +]+");
            }
        }
        assertThat(references).doesNotHaveDuplicates().contains("pkg:maven/info.picocli/picocli@4.7.7");
        assertThat(BILL.path("dependencies").path(0).path("dependsOn").size()).isEqualTo(references.size());
    }

    /** The Java runtime, what is linked statically, and what archives of Java contain of other languages. */
    @Test
    void namesWhatIsNotAnArchive() {
        String text = BILL.toString();
        assertThat(text)
                .contains("\"purl\":\"pkg:generic/openjdk@", "\"purl\":\"pkg:deb/debian/musl-dev@")
                .contains("\"purl\":\"pkg:npm/chart.js@", "\"purl\":\"pkg:npm/swagger-ui@")
                .contains("\"purl\":\"pkg:generic/sqlite@");
    }

    @Test
    void theContactAndTheLicenceAreThoseOfTheBuild() throws IOException {
        JsonNode cordon = BILL.path("metadata").path("component");
        String contact = cordon.path("supplier").path("name").asString() + " <"
                + cordon.path("supplier").path("contact").path(0).path("email").asString() + ">";
        assertThat(contact).isEqualTo(settings().getProperty("cordonContact")).doesNotContain("localhost");
        String licence = settings().getProperty("cordonLicence");
        assertThat(cordon.path("licenses").path(0).path("license").path("id").asString())
                .isEqualTo(licence);
        assertThat(Files.readString(ROOT.resolve("LICENSE"))).startsWith("SPDX-License-Identifier: " + licence + "\n");
        assertThat(Files.readString(ROOT.resolve("packaging/debian/copyright"))).contains("License: " + licence + "\n");
        assertThat(Files.readString(ROOT.resolve("packaging/debian/control"))).contains("Maintainer: @CONTACT@\n");
    }
}
