package dev.cordon.cli.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceChoiceTest {
    @TempDir
    private Path runtime;

    private final String user = System.getProperty("user.name");
    private Map<String, String> environment;

    /** The usual place of a user who is not root, whoever runs the test. */
    @BeforeEach
    void socket() throws Exception {
        System.setProperty("user.name", "somebody");
        Files.createFile(Files.createDirectories(runtime.resolve("cordon")).resolve("cordon.sock"));
        environment = Map.of("XDG_RUNTIME_DIR", runtime.toString());
    }

    @AfterEach
    void restore() {
        System.setProperty("user.name", user);
    }

    @Test
    void aSocketInTheUsualPlaceIsTaken() {
        assertThat(ServiceChoice.of(new ParsedArguments(), environment))
                .hasValue("unix:" + runtime + "/cordon/cordon.sock");
    }

    @Test
    void whoeverNamesSettingsAStateOrALogMeansThisProcess() {
        for (CommandOption own :
                List.of(CommandOption.LOCAL, CommandOption.CONFIG, CommandOption.STATE, CommandOption.DIRECTORY)) {
            ParsedArguments arguments = new ParsedArguments();
            arguments.add(own, "/somewhere");
            assertThat(ServiceChoice.of(arguments, environment))
                    .as(own.names().getFirst())
                    .isEmpty();
        }
        assertThat(ServiceChoice.of(
                        new ParsedArguments(),
                        Map.of("XDG_RUNTIME_DIR", runtime.toString(), "CORDON_CONFIG", "/somewhere.toml")))
                .isEmpty();
        ParsedArguments state = new ParsedArguments();
        state.add(CommandOption.STATE, "/somewhere");
        assertThat(ServiceChoice.of(state, Map.of("CORDON_HOST", "unix:/s"))).hasValue("unix:/s");
    }
}
