package dev.cordon.cli.command.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.cli.TestStdio;
import dev.cordon.fixture.UserNamespaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cordon tool} from its words to its exit code, with real jails. */
@Tag("jail")
class ToolCommandsJailTest {

    @TempDir
    private Path folder;

    private String config = "";

    @BeforeAll
    static void needs() {
        UserNamespaces.assumeAvailable();
    }

    @BeforeEach
    void register() throws IOException {
        Path tools = Files.createDirectories(folder.resolve("tools"));
        Files.writeString(tools.resolve("repeat.toml"), """
            name = "repeat"
            description = "Prints a text so many times."
            argv = ["python3", "-c", "import sys; print(sys.argv[1] * int(sys.argv[2]))", "{text}", "{times}"]
            [parameters]
            type = "object"
            required = ["text"]
            [parameters.properties]
            text = { type = "string" }
            times = { type = "integer", minimum = 1, default = 2 }
            """);
        config = Files.writeString(
                        folder.resolve("config.toml"),
                        "[tools]\ndirectory = \"" + tools + "\"\n[audit]\nenabled = false\n[paths]\nstate = \""
                                + folder.resolve("state") + "\"\n")
                .toString();
    }

    private TestStdio tool(int expected, String command, String... words) {
        TestStdio stdio = new TestStdio();
        String[] line = new String[words.length + 4];
        line[0] = "tool";
        line[1] = command;
        line[2] = "--config";
        line[3] = config;
        System.arraycopy(words, 0, line, 4, words.length);
        assertThat(stdio.run(line)).as(stdio.err()).isEqualTo(expected);
        return stdio;
    }

    @Test
    void toolsAreListed() {
        assertThat(tool(0, "ls").out()).isEqualTo("repeat               Prints a text so many times. (text, times)\n");
        assertThat(tool(0, "ls", "--json").out())
                .startsWith("{\"name\":\"repeat\",\"object\":\"tool\"")
                .contains("\"parameters\":{\"type\":\"object\"", "\"minimum\":1");
    }

    @Test
    void aCallIsRunAndItsParametersAreTakenAsTheyStand() {
        assertThat(tool(0, "run", "-p", "text=$(id);", "-p", "times=3", "repeat")
                        .out())
                .isEqualTo("$(id);$(id);$(id);\n");
        assertThat(tool(0, "run", "--parameters", "{\"text\":\"a\"}", "repeat").out())
                .isEqualTo("aa\n");
        assertThat(tool(0, "run", "--json", "-p", "text=b", "repeat").out())
                .contains("\"outcome\":\"ok\"", "\"stdout\":\"bb\\n\"");
    }

    @Test
    void whatIsWrongIsNamed() {
        assertThat(tool(121, "run", "-p", "text=--help", "repeat").err())
                .contains("/parameters/text: '--help' begins with '-'");
        assertThat(tool(121, "run", "-p", "text=a", "-p", "times=many", "-p", "x=1", "repeat")
                        .err())
                .contains(
                        "/parameters/times: 'many' is not an integer but a string",
                        "/parameters/x: '1' is not a known");
        assertThat(tool(121, "run", "nobody").err()).contains("/tool: 'nobody' is not a tool here; one of: repeat");
        assertThat(tool(2, "run", "-p", "text", "repeat").err()).contains("NAME=VALUE");
    }

    @Test
    void aFileIsCheckedBeforeItIsRegistered() throws IOException {
        Path broken = Files.writeString(
                folder.resolve("broken.toml"), "name = 'b'\ndescription = 'x'\nargv = ['sh', '-c', '{a}']\n");
        TestStdio stdio = new TestStdio();
        assertThat(stdio.run("tool", "check", broken.toString())).isEqualTo(1);
        assertThat(stdio.err()).contains("argv[2]: '{a}' would become code", "{a} is none of the parameters");
        TestStdio fine = new TestStdio();
        assertThat(fine.run("tool", "check", folder.resolve("tools/repeat.toml").toString()))
                .isZero();
        assertThat(fine.out()).contains("repeat: fine");
    }
}
