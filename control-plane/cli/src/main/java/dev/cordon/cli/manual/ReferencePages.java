package dev.cordon.cli.manual;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.config.CoreTables;
import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingTable;
import dev.cordon.config.setting.SettingType;
import dev.cordon.policy.file.PolicyFile;
import dev.cordon.server.config.ServerTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The manual pages of Cordon's files, made of the tables that read them. */
public final class ReferencePages {
    private ReferencePages() {}

    public static List<ManPage> all() {
        return List.of(settings(), policy());
    }

    /** Every table of the configuration file: those of the library, and the service's. */
    public static List<SettingTable> tables() {
        List<SettingTable> tables = new ArrayList<>(CoreTables.ALL);
        tables.add(ServerTable.TABLE);
        return tables;
    }

    private static ManPage settings() {
        RoffText roff = new RoffText("cordon.toml", 5, "the settings of Cordon");
        roff.heading("SYNOPSIS")
                .verbatim(List.of(
                        "/etc/cordon/config.toml",
                        "/etc/cordon/conf.d/*.toml",
                        "~/.config/cordon/config.toml",
                        "~/.config/cordon/conf.d/*.toml"));
        roff.heading("DESCRIPTION")
                .paragraph(
                        "TOML. Root and the service of the package read the files in /etc, anybody else their own.",
                        "Files of conf.d are read after config.toml in the order of their names, and a later value",
                        "stands above an earlier one. A variable of the environment stands above all files: the",
                        "tables of its name are set apart by two underscores, CORDON_LIMITS__MEMORY is limits.memory.",
                        "--config FILE or CORDON_CONFIG names one file to be read instead.")
                .paragraph(
                        "A key that is not listed here is an error, and so is a value that is invalid: a misspelt",
                        "ceiling would be none. Root reads no file that somebody else could change.")
                .paragraph(
                        "cordon config validate tells every error. cordon config show --effective --sources tells what",
                        "holds and where it comes from. cordon config schema prints a JSON Schema.")
                .paragraph(
                        "A service reads its policy and its tools again when it is reloaded (systemctl reload cordon,",
                        "or cordon config reload); everything else that has changed is named then, and holds after a",
                        "restart.");
        for (SettingTable table : tables()) {
            roff.heading("[" + table.name() + "]").paragraph(table.text());
            for (Setting<?> setting : table.settings()) {
                roff.term(setting.name(), value(setting.type()), setting.text() + standard(setting));
            }
        }
        roff.heading("EXAMPLE")
                .verbatim(List.of(
                        "[ceilings]", "memory = \"2G\"", "timeout = \"10m\"", "", "[server]", "max_running = 16"));
        roff.seeAlso(List.of("cordon(1)", "cordon-config(1)", "cordon-policy(5)", "cordon.service(8)"));
        return new ManPage("cordon.toml", 5, roff.toString());
    }

    static String value(SettingType<?> type) {
        return type.choices().isEmpty() ? type.kind().label() : String.join(" | ", type.choices());
    }

    private static String standard(Setting<?> setting) {
        return setting.standard().isEmpty() ? "" : " Default: " + setting.standard() + ".";
    }

    private static ManPage policy() {
        RoffText roff = new RoffText("cordon-policy", 5, "who may run what, and behind which boundary");
        roff.heading("SYNOPSIS").verbatim(List.of("/etc/cordon/policy.toml, or the file that policy.file names"));
        roff.heading("DESCRIPTION")
                .paragraph(
                        "TOML. Without the file the policy holds that ships with Cordon; cordon policy default prints",
                        "it, and it is the example below. The first rule that matches decides, and every decision",
                        "carries its reasons: cordon policy explain shows them without running anything.")
                .paragraph(
                        "A key that is not listed here is an error. cordon policy check FILE tells every error. A",
                        "service reads the file again when it is reloaded; one that is invalid is refused, and the",
                        "old one goes on to hold.");
        JsonNode schema = ServiceClient.MAPPER.readTree(PolicyFile.schemaText());
        keys(roff, "KEYS", schema);
        for (Map.Entry<String, JsonNode> definition : schema.path("$defs").properties()) {
            if (definition.getValue().has("properties")) {
                keys(roff, "KEYS OF " + definition.getKey(), definition.getValue());
            }
        }
        roff.heading("EXAMPLE").verbatim(PolicyFile.standardText().lines().toList());
        roff.seeAlso(List.of("cordon-policy(1)", "cordon.toml(5)"));
        return new ManPage("cordon-policy", 5, roff.toString());
    }

    private static void keys(RoffText roff, String title, JsonNode object) {
        roff.heading(title);
        if (object.has("description")) {
            roff.paragraph(object.path("description").asString());
        }
        for (Map.Entry<String, JsonNode> key : object.path("properties").properties()) {
            JsonNode value = key.getValue();
            roff.term(key.getKey(), kind(value), value.path("description").asString(""));
        }
    }

    /** What a value looks like, as far as the schema tells in a few words. */
    private static String kind(JsonNode value) {
        if (value.has("$ref")) {
            String reference = value.path("$ref").asString();
            return reference.substring(reference.lastIndexOf('/') + 1);
        }
        List<String> words = new ArrayList<>();
        value.path("enum").forEach(each -> words.add(each.asString()));
        if (words.isEmpty() && value.path("type").isArray()) {
            value.path("type").forEach(each -> words.add(each.asString()));
        }
        if (words.isEmpty() && value.has("items")) {
            return "list of " + kind(value.path("items"));
        }
        return words.isEmpty() ? value.path("type").asString("") : String.join(" | ", words);
    }
}
