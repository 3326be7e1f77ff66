package dev.cordon.policy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cordon.policy.rule.Policy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PolicyFileTest {
    /** The keys of each definition of the schema. */
    private static final Map<String, List<String>> KEYS = Map.of(
            "", PolicyKeys.ROOT,
            "risk", PolicyKeys.RISK,
            "weights", PolicyKeys.WEIGHTS,
            "commands", PolicyKeys.COMMANDS,
            "files", PolicyKeys.FILES,
            "rule", PolicyKeys.RULE,
            "when", PolicyKeys.WHEN,
            "quota", PolicyKeys.QUOTA,
            "limits", PolicyKeys.LIMITS);

    @TempDir
    private Path folder;

    private static List<String> errors(String text) {
        InvalidPolicy invalid = catchThrowableOfType(InvalidPolicy.class, () -> PolicyFile.parse("p.toml", text));
        return invalid == null ? List.of() : invalid.errors();
    }

    @Test
    void theTextThatShipsIsThePolicyThatHoldsWithoutOne() {
        assertThat(PolicyFile.parse("policy.toml", PolicyFile.standardText())).isEqualTo(Policy.standard());
    }

    @Test
    void whatTheTextExplainsInCommentsIsAPolicyToo() {
        String text = PolicyFile.standardText()
                .lines()
                .map(line -> line.matches("# (\\[.*|[a-z_]+ = .*)") ? line.substring(2) : line)
                .reduce("", (all, line) -> all + line + "\n");
        Policy policy = PolicyFile.parse("policy.toml", text);
        assertThat(policy.rules()).hasSize(3);
        assertThat(policy.quotas()).hasSize(1);
        assertThat(policy.lists().commands()).hasSize(3);
        assertThat(policy.risk().deny()).isEqualTo(150);
    }

    @Test
    void thePublishedSchemaHasExactlyTheKeysOfTheReader() throws IOException {
        JsonNode schema;
        try (InputStream in = PolicyFile.class.getResourceAsStream("/dev/cordon/policy.schema.json")) {
            schema = new JsonMapper().readTree(Objects.requireNonNull(in));
        }
        Map<String, List<String>> published = new TreeMap<>();
        published.put("", List.copyOf(schema.path("properties").propertyNames()));
        assertThat(schema.path("additionalProperties").asBoolean(true)).isFalse();
        for (String name : schema.path("$defs").propertyNames()) {
            JsonNode definition = schema.path("$defs").path(name);
            if (definition.has("properties")) {
                assertThat(definition.path("additionalProperties").asBoolean(true))
                        .as(name)
                        .isFalse();
                published.put(name, List.copyOf(definition.path("properties").propertyNames()));
            }
        }
        assertThat(published.keySet()).isEqualTo(KEYS.keySet());
        KEYS.forEach(
                (name, keys) -> assertThat(published.get(name)).as(name).containsExactlyInAnyOrderElementsOf(keys));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~ | version: is missing; write version = 1",
                "version = 2 | version: '2' is not between 1 and 1",
                "version = 1\\nceiling = 3 | ceiling: is not a key here; did you mean ceilings?",
                "version = 1\\n[[rules]] | rules: is not a key here; did you mean rule?",
                "version = 1\\n[ceilings]\\nmemroy = '1G' | ceilings.memroy: is not a key here; did you mean memory?",
                "version = 1\\n[ceilings]\\nmemory = 'much' | ceilings.memory:",
                "version = 1\\n[[rule]]\\naction = 'deny' | rule[0].name: is missing",
                "version = 1\\n"
                        + "[[rule]]\\n"
                        + "name = 'a'\\n"
                        + "action = 'refuse' | 'refuse' is not an action; write allow or deny",
                "version = 1\\n[[rule]]\\nname = 'a'\\naction = 'deny'\\nisolation = 'vm' | deny leaves nothing to set",
                "version = 1\\n[[rule]]\\nname = 'a'\\nisolation = 'container' | 'container' is not an isolation level",
                "version = 1\\n[[rule]]\\nname = 'a'\\nescalate = 'yes' | escalate: is neither true nor false",
                "version = 1\\n"
                        + "[[rule]]\\n"
                        + "name = 'a'\\n"
                        + "burst = 5 | burst: is about what a watched job may do; write escalate",
                "version = 1\\n[[rule]]\\nname = 'a'\\nescalate = true\\nburst = 0 | '0' is not between 1 and",
                "version = 1\\n"
                        + "[[rule]]\\n"
                        + "name = 'a'\\n"
                        + "[rule.when]\\n"
                        + "owners = 'x' | rule[0].when.owners: is not a key here; did you mean owner?",
                "version = 1\\n[[rule]]\\nname = 'a'\\n[[rule]]\\nname = 'a' | is another rule's name",
                "version = 1\\n[[quota]]\\nrate = 'often' | is not COUNT/PERIOD",
                "version = 1\\n"
                        + "[[quota]]\\n"
                        + "rate = '1000000/1d' | is too much for so long a period; write a rate such as",
                "version = 1\\n[[quota]]\\nrate = '1/9999d' | is too much for so long a period; write a rate such as",
                "version = 1\\n[[quota]]\\nburst = 5 | burst: has no rate to belong to",
                "version = 1\\n[[quota]]\\nrunning = 0 | '0' is not between 1 and",
                "version = 1\\n[risk]\\nvm = 'high' | risk.vm: 'high' is not a whole number",
                "version = 1\\n[risk.weights]\\nnetwrk = 5 | did you mean network?",
                "version = 1\\n[files]\\nread = ['data'] | 'data' is not an absolute path",
                "version = 1\\n[commands]\\nallow = ['bin/sh'] | neither a name without '/' nor an absolute path",
                "version = 1\\npatterns = [' '] | is empty and would be in every code",
                "= | is not TOML",
            })
    void whatCannotStandIsNamedWithItsPlaceAndARemedy(String text, String message) {
        assertThat(errors(text.replace("\\n", "\n")))
                .singleElement()
                .asString()
                .startsWith("p.toml: ")
                .contains(message);
    }

    @Test
    void allErrorsAreToldAtOnce() {
        assertThat(errors("vresion = 1\n[risk]\nvm = 0\n[[quota]]\nqueue = 1")).hasSize(4);
    }

    @Test
    void aFileThatIsNotThereIsAnError() {
        InvalidPolicy invalid =
                catchThrowableOfType(InvalidPolicy.class, () -> PolicyFile.read(folder.resolve("nothing.toml")));
        assertThat(invalid.errors()).singleElement().asString().contains("nothing.toml", "cannot be read");
    }

    @Test
    void aFileIsRead() throws IOException {
        Path file = Files.writeString(folder.resolve("p.toml"), "version = 1\nowners = 'alice'\n");
        assertThat(Objects.requireNonNull(PolicyFile.read(file).owners()).match("alice"))
                .isTrue();
    }
}
