package dev.cordon.cli;

import dev.cordon.cli.service.ServiceClient;
import dev.cordon.config.Config;
import dev.cordon.config.EffectiveSettings;
import dev.cordon.config.Setting;
import dev.cordon.config.SettingTable;
import dev.cordon.config.SettingValue;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** {@code cordon config show}: what is set, or what holds, and where that comes from. */
final class ConfigShowCommand implements Command {

    private static final Option EFFECTIVE =
            Option.flag("--effective", "Also what nobody has set: the defaults as they hold on this host.");
    private static final Option SOURCES =
            Option.flag("--sources", "Where each one comes from: a file, a variable of the environment, the default.");

    @Override
    public String name() {
        return "show";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Print the settings of this process, as TOML.",
                "",
                "The environment stands above /etc/cordon/conf.d/*.toml, and those above",
                "/etc/cordon/config.toml. A service has the same files, but its own environment.");
    }

    @Override
    public List<Option> options() {
        return List.of(EFFECTIVE, SOURCES, Option.CONFIG, Option.JSON);
    }

    @Override
    public String operands() {
        return "";
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        Config config = Opening.config(arguments);
        Map<String, SettingValue> settings =
                arguments.has(EFFECTIVE) ? EffectiveSettings.of(config, ReferencePages.tables()) : config.settings();
        boolean sources = arguments.has(SOURCES);
        stdio.print(arguments.has(Option.JSON) ? json(settings, sources) : toml(settings, sources));
        return 0;
    }

    private static String json(Map<String, SettingValue> settings, boolean sources) {
        ObjectNode object = ServiceClient.MAPPER.createObjectNode();
        settings.forEach((key, setting) -> {
            if (sources) {
                object.putObject(key).put("value", setting.text()).put("source", setting.source());
            } else {
                object.put(key, setting.text());
            }
        });
        return object + "\n";
    }

    private static String toml(Map<String, SettingValue> settings, boolean sources) {
        StringBuilder text = new StringBuilder();
        for (SettingTable table : ReferencePages.tables()) {
            String heading = (text.isEmpty() ? "[" : "\n[") + table.name() + "]\n";
            for (Setting<?> setting : table.settings()) {
                SettingValue value = settings.get(setting.name());
                if (value != null) {
                    String line = setting.key() + " = " + setting.toml(value.text());
                    text.append(heading)
                            .append(TerminalText.visible(sources ? "%-44s # %s".formatted(line, value.source()) : line))
                            .append('\n');
                    heading = "";
                }
            }
        }
        return text.toString();
    }
}
