package dev.cordon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.config.Config;
import dev.cordon.result.Outcome;
import dev.cordon.result.Result;
import dev.cordon.tool.ToolCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Hostile parameters, run for real: what a program in a jail receives is the value, byte for byte, or nothing is run. */
@Tag("jail")
class ToolHostileJailTest {
    private static final JsonMapper JSON = new JsonMapper();

    /** Arguments that shells, programs, printers or logs would make something of. */
    private static final List<String> LITERAL = List.of(
            "; touch /workspace/pwned",
            "$(touch /workspace/pwned)",
            "`touch /workspace/pwned`",
            "| cat /etc/passwd",
            "a && touch /workspace/pwned",
            "a || b",
            "> /workspace/pwned",
            "< /etc/passwd",
            "& touch /workspace/pwned &",
            "$HOME ${PATH} $0 $@ $IFS",
            "* ? [a-z] {a,b} ~ ~root",
            "!! !$ ^a^b",
            "'",
            "\"",
            "\\",
            "'; touch /workspace/pwned; '",
            "\"; touch /workspace/pwned; \"",
            "\n",
            "a\ntouch /workspace/pwned\n",
            "\r\n\t\u000b\f",
            "",
            " ",
            "{text}",
            "{{text}}",
            "{items...}",
            "%s%n%x%99999999s",
            "@/etc/passwd",
            "../../../../etc/passwd",
            "/etc/passwd",
            "=",
            "a=b",
            "#",
            "\u001b[2J\u001b]0;title\u0007",
            "\u00e9\u6f22\ud83d\ude00",
            "\u202eexe.txt",
            "\u2028\u2029\ufeff",
            "\ufffd\uffff",
            "null",
            "true",
            "0x10",
            "x".repeat(100_000));

    private static final List<String> OPTIONS =
            List.of("-", "--", "-x", "-rf", "--help", "--version", "--exec=touch /workspace/pwned", "-c", "-\n", "-1");

    private static final String ECHO = "import os, sys; print(','.join(os.fsencode(a).hex() for a in sys.argv[1:]))";

    @TempDir
    private Path folder;

    private Cordon cordon;

    @BeforeEach
    void open() throws IOException {
        tool("plain", "\"{text}\"");
        tool("after", "\"--\", \"{text}\"");
        tool("prefixed", "\"--name={text}\"");
        Files.writeString(folder.resolve("all.toml"), """
            name = "all"
            description = "Shows its arguments."
            argv = ["python3", "-c", "%s", "--", "{items...}"]
            limits = { timeout = "1m" }
            [parameters]
            type = "object"
            properties = { items = { type = "array", items = { type = "string" } } }
            """.formatted(ECHO));
        Files.writeString(folder.resolve("file.toml"), """
            name = "file"
            description = "Shows a file and its input."
            argv = ["cat", "--", "in put", "-"]
            files = { "in put" = "{text}" }
            stdin = "{text}"
            limits = { timeout = "1m" }
            parameters = { type = "object", properties = { text = { type = "string" } } }
            """);
        cordon = Cordon.open(Config.load().withTools(folder));
    }

    private void tool(String name, String argument) throws IOException {
        Files.writeString(folder.resolve(name + ".toml"), """
            name = "%s"
            description = "Shows its argument."
            argv = ["python3", "-c", "%s", %s]
            limits = { timeout = "1m" }
            parameters = { type = "object", properties = { text = { type = "string" } } }
            """.formatted(name, ECHO, argument));
    }

    @AfterEach
    void close() {
        cordon.close();
    }

    private Result run(String tool, String parameters) {
        return cordon.tools().run(new ToolCall(tool, parameters));
    }

    private static String text(String value) {
        return "{\"text\":" + JSON.writeValueAsString(value) + "}";
    }

    private static String hex(String value) {
        return HexFormat.of().formatHex(value.getBytes(StandardCharsets.UTF_8));
    }

    private static void arrived(Result result, String expected) {
        assertThat(result.outcome()).as(result.stderrText()).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdoutText()).isEqualTo(expected + "\n");
    }

    @Test
    void everyTextArrivesAsItIs() {
        List<String> all = new ArrayList<>(LITERAL);
        all.addAll(OPTIONS);
        String items = all.stream().map(JSON::writeValueAsString).collect(Collectors.joining(",", "[", "]"));
        arrived(
                run("all", "{\"items\":" + items + "}"),
                hex("--") + "," + all.stream().map(ToolHostileJailTest::hex).collect(Collectors.joining(",")));
    }

    @Test
    void aloneToo() {
        for (String value : List.of("$(id)", "'; id; '", "a\nb", "", "{text}", "\u00e9\ud83d\ude00")) {
            arrived(run("plain", text(value)), hex(value));
        }
    }

    @Test
    void whatLooksLikeAnOptionIsRefusedUnlessTheTemplateMakesItNone() {
        for (String value : OPTIONS) {
            refused(run("plain", text(value)), "/parameters/text", "begins with '-'");
        }
        for (String value : List.of("--help", "-rf")) {
            arrived(run("after", text(value)), hex("--") + "," + hex(value));
            arrived(run("prefixed", text(value)), hex("--name=" + value));
        }
    }

    @Test
    void filesAndInputHaveTheBytes() {
        for (String value : List.of("$(id)\n`id`\n", "\u0000nul\n", "-\n", "x".repeat(300_000) + "\n")) {
            Result result = run("file", text(value));
            assertThat(result.outcome()).as(result.stderrText()).isEqualTo(new Outcome.Exited(0));
            assertThat(result.stdoutText()).isEqualTo(value + value);
        }
    }

    @Test
    void whatNoProgramCanReceiveIsRefused() {
        refused(run("after", text("a\0b")), "/parameters/text", "NUL");
        refused(run("after", "{\"text\":\"\\udead\"}"), "/parameters/text", "half a character");
        refused(run("after", text("x".repeat(200_000))), "/parameters/text", "longer than 131071 bytes");
        refused(run("after", text("x".repeat(17 << 20))), "/parameters", "longer than");
    }

    @Test
    void wrongTypesAndNamesAreRefused() {
        for (String value : List.of("1", "true", "null", "[]", "[\"x\"]", "{}", "{\"$ref\":\"x\"}", "1e999999999")) {
            refused(run("after", "{\"text\":" + value + "}"), "/parameters/text", "is not a string");
        }
        for (String name : List.of("argv", "Text", "text ", "text\\u0000", "__proto__", "", "isolation", "a\\nb")) {
            Result result = run("after", "{\"text\":\"x\",\"" + name + "\":\"y\"}");
            assertThat(result.outcome())
                    .as(name)
                    .isInstanceOfSatisfying(
                            Outcome.Invalid.class,
                            invalid -> assertThat(invalid.errors())
                                    .singleElement()
                                    .satisfies(error -> assertThat(error.message())
                                            .contains("is not a known parameter")
                                            .doesNotContain("\n", "\0")));
        }
        refused(run("after", "{\"text\":\"x\",\"text\":\"y\"}"), "/parameters", "Duplicate");
        refused(run("after", "[".repeat(100_000)), "/parameters", "is not JSON");
        refused(run("nobody", "{}"), "/tool", "is not a tool here");
        refused(run("../plain", "{}"), "/tool", "is not a tool here");
    }

    private static void refused(Result result, String place, String why) {
        assertThat(result.outcome())
                .as(place + " " + why)
                .isInstanceOfSatisfying(
                        Outcome.Invalid.class,
                        invalid -> assertThat(invalid.errors()).singleElement().satisfies(error -> {
                            assertThat(error.pointer()).isEqualTo(place);
                            assertThat(error.message()).contains(why);
                        }));
        assertThat(result.times().started()).isNull();
    }
}
