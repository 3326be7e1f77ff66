package dev.cordon.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cordon.job.Command;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Isolation;
import dev.cordon.job.JobSpec;
import dev.cordon.job.Stdin;
import dev.cordon.policy.file.ToolFile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolTest {
    private static final String GREP = """
        name = "grep"
        description = "Looks for a text in another."
        argv = ["grep", "-n", "--max-count={most}", "--regexp={pattern}", "--", "{words...}", "text"]
        isolation = "jail"
        rate = "10/1m"
        files = { text = "{text}" }
        stdin = "{more}"
        limits = { timeout = "5s", memory = "64M" }

        [parameters]
        type = "object"
        required = ["pattern", "text"]

        [parameters.properties]
        pattern = { type = "string", minLength = 1, maxLength = 20, pattern = "^[a-z]+$" }
        most = { type = "integer", minimum = 1, maximum = 9, default = 3 }
        words = { type = "array", maxItems = 2, items = { type = "string" } }
        text = { type = "string" }
        more = { type = "object", properties = { deep = { type = "boolean" } } }
        """;

    private static final Tool TOOL = ToolFile.parse("grep.toml", GREP);

    private static JobSpec job(String parameters) {
        return TOOL.job(parameters).validate();
    }

    private static List<String> argv(JobSpec job) {
        return ((Command.Argv) job.command()).argv();
    }

    @Test
    void parametersBecomeArgumentsFilesAndInput() {
        JobSpec job = job("""
            {"pattern": "abc", "text": "some\\ntext", "words": ["-x", "y z"], "more": {"deep": true}}\
            """);
        assertThat(argv(job)).containsExactly("grep", "-n", "--max-count=3", "--regexp=abc", "--", "-x", "y z", "text");
        assertThat(job.io().files()).singleElement().satisfies(file -> {
            assertThat(file.path()).isEqualTo("text");
            assertThat(file.content()).asString().isEqualTo("some\ntext");
        });
        assertThat(job.io().stdin()).isEqualTo(new Stdin.Bytes("{\"deep\":true}".getBytes(StandardCharsets.UTF_8)));
        assertThat(job.containment().isolation()).isEqualTo(Isolation.JAIL);
        assertThat(job.limits().timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(job.origin().labels()).isEqualTo(Map.of("tool", "grep"));
    }

    @Test
    void whatWasLeftOutLeavesItsElementOut() {
        assertThat(argv(job("{\"pattern\": \"abc\", \"text\": \"\"}")))
                .containsExactly("grep", "-n", "--max-count=3", "--regexp=abc", "--", "text");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0001',
            value = {
                "[]|/parameters|not a JSON object",
                "{\"pattern\":|/parameters|is not JSON",
                "{\"pattern\":\"a\",\"pattern\":\"b\",\"text\":\"\"}|/parameters|is not JSON",
                "{\"pattern\":\"a\",\"text\":\"\"} {}|/parameters|is not JSON",
                "{\"text\":\"\"}|/parameters/pattern|is missing",
                "{\"pattern\":7,\"text\":\"\"}|/parameters/pattern|is not a string but a number",
                "{\"pattern\":null,\"text\":\"\"}|/parameters/pattern|is not a string but null",
                "{\"pattern\":[\"a\"],\"text\":\"\"}|/parameters/pattern|is not a string but an array",
                "{\"pattern\":\"\",\"text\":\"\"}|/parameters/pattern|has 0 characters",
                "{\"pattern\":\"A\",\"text\":\"\"}|/parameters/pattern|does not match",
                "{\"pattern\":\"a\\n\",\"text\":\"\"}|/parameters/pattern|does not match",
                "{\"pattern\":\"a\",\"text\":\"\",\"most\":0}|/parameters/most|is too small",
                "{\"pattern\":\"a\",\"text\":\"\",\"most\":10}|/parameters/most|is too large",
                "{\"pattern\":\"a\",\"text\":\"\",\"most\":\"3\"}|/parameters/most|is not an integer but a string",
                "{\"pattern\":\"a\",\"text\":\"\",\"most\":1.5}|/parameters/most|is not an integer",
                "{\"pattern\":\"a\",\"text\":\"\",\"most\":1e999999}|/parameters/most|is not an integer",
                "{\"pattern\":\"a\",\"text\":\"\",\"words\":[\"a\",\"b\",\"c\"]}|/parameters/words|has 3 items",
                "{\"pattern\":\"a\",\"text\":\"\",\"words\":[\"a\",1]}|/parameters/words/1|is not a string",
                "{\"pattern\":\"a\",\"text\":\"\",\"words\":[\"a\\u0000\"]}|/parameters/words/0|contains a NUL",
                "{\"pattern\":\"a\",\"text\":\"\",\"words\":[\"\\ud800\"]}|/parameters/words/0|half a character",
                "{\"pattern\":\"a\",\"text\":\"\",\"shell\":\"x\"}|/parameters/shell|is not a known parameter",
                "{\"pattern\":\"a\",\"text\":\"\",\"more\":{\"x\":1}}|/parameters/more/x|is not a known parameter",
            })
    void anErrorNamesTheParameter(String parameters, String place, String why) {
        List<FieldError> errors = catchThrowableOfType(InvalidJob.class, () -> TOOL.job(parameters))
                .errors();
        assertThat(errors).singleElement().satisfies(error -> {
            assertThat(error.pointer()).isEqualTo(place);
            assertThat(error.message()).contains(why);
        });
    }

    @Test
    void allErrorsComeAtOnce() {
        assertThatThrownBy(() -> TOOL.job("{\"pattern\":1,\"most\":\"x\",\"nobody\":2}"))
                .isInstanceOfSatisfying(
                        InvalidJob.class,
                        invalid -> assertThat(invalid.errors()).hasSize(4));
    }

    @Test
    void aPatternAndAValueThatTakeForeverAreARefusal() {
        Tool tool = ToolFile.parse("slow.toml", """
            name = "slow"
            description = "x"
            argv = ["true", "x{a}"]
            parameters = { type = "object", properties = { a = { type = "string", pattern = "^(a+)+$" } } }
            """);
        assertThatThrownBy(() -> tool.job("{\"a\":\"" + "a".repeat(5000) + "!\"}"))
                .hasMessageContaining("/parameters/a");
    }

    private static Tool argv(String argv) {
        return ToolFile.parse("t.toml", """
            name = "t"
            description = "x"
            argv = %s
            [parameters]
            type = "object"
            properties = { a = { type = "string" }, l = { type = "array", items = { type = "string" } } }
            """.formatted(argv));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\u0001',
            value = {
                "['{a}', '{l...}']|argv[0]: is a parameter",
                "['sh', '-c', '{a}', '{l...}']|argv[2]: '{a}' would become code",
                "['bash', '-lc', 'echo {a}', '{l...}']|argv[2]: 'echo {a}' would become code",
                "['env', '/usr/bin/python3', '-c', '{a}', '{l...}']|argv[3]: '{a}' would become code",
                "['node', '--eval={a}', '{l...}']|argv[1]: '--eval={a}' would become code",
                "['true', '{a}', '{b}', '{l...}']|{b} is none of the parameters",
                "['true', '{a}', 'x{l...}']|beside other text",
                "['true', '{a}', '{l}']|{l} is array, which is not an argument",
                "['true', '{a...}', '{l...}']|{a...} is not an array",
                "['true', '{a', '{l...}']|brace without a parameter's name",
                "['true', 'a}', '{l...}']|closes a brace",
                "['true', '{a}']|parameters: l is used nowhere",
                "[]|argv: is empty",
                "'true {a}'|argv: is not a list",
            })
    void aTemplateThatCannotStandIsRefused(String argv, String why) {
        assertThatThrownBy(() -> argv(argv)).isInstanceOf(InvalidTool.class).hasMessageContaining(why);
    }

    @Test
    void argumentsAfterTheCodeAreFine() {
        Tool tool = argv("['python3', '-c', 'import sys; print({{}}, sys.argv)', '{a}', '{l...}']");
        assertThat(argv(tool.job("{\"a\":\"x\"}").validate()))
                .containsExactly("python3", "-c", "import sys; print({}, sys.argv)", "x");
    }

    @ParameterizedTest
    @CsvSource({
        "format, 'format = \"email\"'",
        "$ref, '\"$ref\" = \"#\"'",
        "allOf, 'allOf = []'",
        "additionalProperties, 'additionalProperties = true'",
        "pattern, 'pattern = \"(\"'",
        "minLength, 'minLength = -1'",
        "type, 'type = \"text\"'",
    })
    void aKeywordThatIsNotCheckedIsRefused(String keyword, String line) {
        String type = line.startsWith("type") ? "" : "type = \"string\"\n";
        assertThatThrownBy(() -> ToolFile.parse("t.toml", """
            name = "t"
            description = "x"
            argv = ["true", "{a}"]
            parameters.type = "object"
            [parameters.properties.a]
            """ + type + line))
                .isInstanceOf(InvalidTool.class)
                .hasMessageContaining("parameters.properties.a: ")
                .hasMessageContaining(keyword);
    }

    @Test
    void unknownKeysOfTheFileAreRefused() {
        assertThatThrownBy(() -> ToolFile.parse("t.toml", "name = 't'\ndescription = 'x'\nargv = ['true']\nlimit = 3"))
                .hasMessageContaining("did you mean limits?");
    }
}
