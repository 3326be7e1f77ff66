package dev.cordon.cli.command.service;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.manual.ReferencePages;
import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.CordonOpening;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceChoice;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalText;
import dev.cordon.config.Config;
import dev.cordon.config.EffectiveSettings;
import dev.cordon.config.InvalidConfig;
import dev.cordon.config.setting.ConfigSchema;
import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingTable;
import dev.cordon.config.setting.SettingValue;
import dev.cordon.json.JsonMembers;
import dev.cordon.policy.file.InvalidPolicy;
import dev.cordon.policy.file.PolicyFile;
import dev.cordon.policy.file.ToolFile;
import dev.cordon.server.ServiceCommands;
import dev.cordon.tool.InvalidTool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** {@code cordon config}: the operator's settings. */
public final class ConfigCommands {
    private static final CommandOption EFFECTIVE =
            CommandOption.flag("--effective", "Also what nobody has set: the defaults as they hold on this host.");
    private static final CommandOption SOURCES = CommandOption.flag(
            "--sources", "Where each one comes from: a file, a variable of the environment, the default.");

    private ConfigCommands() {}

    public static CommandSpec show() {
        List<CommandOption> options = List.of(EFFECTIVE, SOURCES, CommandOption.CONFIG, CommandOption.JSON);
        return new CommandSpec("show", "", ConfigCommands::show, options, """
            Print the settings of this process, as TOML.

            The environment stands above /etc/cordon/conf.d/*.toml, and those above
            /etc/cordon/config.toml. A service has the same files, but its own environment.\
            """);
    }

    private static int show(ParsedArguments arguments, StandardStreams stdio) throws IOException {
        Config config = CordonOpening.config(arguments);
        Map<String, SettingValue> settings =
                arguments.has(EFFECTIVE) ? EffectiveSettings.of(config, ReferencePages.tables()) : config.settings();
        boolean sources = arguments.has(SOURCES);
        stdio.print(arguments.has(CommandOption.JSON) ? json(settings, sources) : toml(settings, sources));
        return 0;
    }

    private static String json(Map<String, SettingValue> settings, boolean sources) {
        return JsonMembers.text(json -> settings.forEach((key, setting) -> {
                    if (sources) {
                        json.object(key, () -> json.put("value", setting.text()).put("source", setting.source()));
                    } else {
                        json.put(key, setting.text());
                    }
                }))
                + "\n";
    }

    private static String toml(Map<String, SettingValue> settings, boolean sources) {
        StringBuilder text = new StringBuilder();
        for (SettingTable table : ReferencePages.tables()) {
            String heading = (text.isEmpty() ? "[" : "\n[") + table.name() + "]\n";
            for (Setting<?> setting : table.settings()) {
                SettingValue value = settings.get(setting.name());
                if (value != null) {
                    String line = setting.key() + " = " + setting.toml(value.text());
                    String whole = sources ? "%-44s # %s".formatted(line, value.source()) : line;
                    text.append(heading + TerminalText.visible(whole) + "\n");
                    heading = "";
                }
            }
        }
        return text.toString();
    }

    public static CommandSpec validate() {
        return new CommandSpec("validate", "[FILE]", ConfigCommands::validate, List.of(CommandOption.COLOR), """
            Check the settings, the service's included, and the policy and tools that they name.

            Without a file: those that hold for this user, from the usual places and the environment.
            Every error is told, and nothing is changed. Ends with 1 when there is one.\
            """, """

                Example: cordon config validate && systemctl restart cordon\
                """);
    }

    private static int validate(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        if (arguments.operands().size() > 1) {
            throw new UsageError("name one file or none, such as: cordon config validate /etc/cordon/config.toml");
        }
        List<String> errors = new ArrayList<>();
        try {
            Config config = arguments.operands().isEmpty()
                    ? Config.load()
                    : Config.load(Path.of(arguments.operands().getFirst()));
            errors.addAll(ServiceCommands.settingsErrors(config));
            named(config, errors);
            if (errors.isEmpty()) {
                stdio.print(config.settings().size() + " settings: fine\n");
            }
        } catch (InvalidConfig e) {
            errors.addAll(e.errors());
        }
        stdio.messages(errors);
        return errors.isEmpty() ? 0 : CommandFailure.NOT_FOUND;
    }

    private static void named(Config config, List<String> errors) {
        try {
            Path policy = config.policyFile();
            if (policy != null) {
                PolicyFile.read(policy);
            }
        } catch (InvalidPolicy e) {
            errors.addAll(e.errors());
        }
        try {
            ToolFile.readAll(config.tools());
        } catch (InvalidTool e) {
            errors.addAll(e.errors());
        }
    }

    public static CommandSpec schema() {
        CommandSpec.Action action = (arguments, stdio) -> {
            stdio.print(ConfigSchema.text(ReferencePages.tables()));
            return 0;
        };
        return new CommandSpec("schema", "", action, List.of(), """
            Print the JSON Schema of the configuration file, for editors and for checks.\
            """);
    }

    public static CommandSpec reload() {
        return new CommandSpec("reload", "", ConfigCommands::reload, List.of(CommandOption.JSON), """
            Have the service read its policy and tools again, and tell which settings need a restart.

            What is invalid is refused as a whole, and the old one stays in force. Jobs are not
            touched. systemctl reload cordon does the same.\
            """);
    }

    private static int reload(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        ServiceClient service = ServiceChoice.service(arguments, stdio);
        if (service == null) {
            throw new UsageError(
                    "there is no service to reload; start one (cordon serve), or name it with CORDON_HOST");
        }
        JsonNode answer = service.post("/v1/admin/reload", ServiceClient.MAPPER.createObjectNode());
        if (arguments.has(CommandOption.JSON)) {
            stdio.print(answer + "\n");
            return 0;
        }
        stdio.print("policy read again; " + answer.path("tools").asInt() + " tools read again\n");
        for (JsonNode key : answer.path("restart_needed")) {
            stdio.message(TerminalText.visible(key.asString("")) + " has changed, and holds after a restart");
        }
        return 0;
    }
}
