package dev.cordon.policy.file;

import dev.cordon.job.Isolation;
import dev.cordon.policy.RateLimit;
import dev.cordon.tool.InvalidTool;
import dev.cordon.tool.Tool;
import dev.cordon.tool.ToolSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Reads tools from TOML, one in each file. What is not understood is an error: a misspelt limit would not be a limit. */
public final class ToolFile {
    static final List<String> KEYS = List.of(
            "name", "description", "argv", "stdin", "files", "parameters", "limits", "isolation", "rate", "burst");
    private static final long MOST_BYTES = 1 << 20;

    private ToolFile() {}

    /**
     * Reads every {@code *.toml} of a directory; none when it is not there.
     *
     * @throws InvalidTool with the errors of all files
     */
    public static List<Tool> readAll(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        List<Tool> tools = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Path file : files(directory)) {
            try {
                Tool tool = read(file);
                if (!names.add(tool.name())) {
                    errors.add(file + ": " + tool.name() + " is another tool's name; give each its own");
                }
                tools.add(tool);
            } catch (InvalidTool e) {
                errors.addAll(e.errors());
            }
        }
        if (!errors.isEmpty()) {
            throw new InvalidTool(errors);
        }
        return tools;
    }

    private static List<Path> files(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> entry.toString().endsWith(".toml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new InvalidTool(List.of(directory + ": cannot be listed; make the directory readable"));
        }
    }

    /**
     * Reads a file.
     *
     * @throws InvalidTool with all errors
     */
    public static Tool read(Path file) {
        return parse(file.toString(), TomlTable.text(file, MOST_BYTES, "; write less", InvalidTool::new));
    }

    /**
     * Reads a text.
     *
     * @param source what it is called in messages
     * @throws InvalidTool with all errors
     */
    public static Tool parse(String source, String text) {
        JsonNode root = TomlTable.tree(source, text, InvalidTool::new);
        List<String> errors = new ArrayList<>();
        ToolSpec spec = spec(TomlTable.of(source, "", root, KEYS, errors), root);
        if (!errors.isEmpty()) {
            throw new InvalidTool(errors);
        }
        try {
            return Tool.of(spec);
        } catch (InvalidTool e) {
            throw new InvalidTool(
                    e.errors().stream().map(error -> source + ": " + error).toList());
        }
    }

    private static ToolSpec spec(TomlTable table, JsonNode root) {
        if (!root.path("argv").isArray()) {
            table.wrong("argv", "is not a list", "write argv = [\"program\", \"--\", \"{parameter}\"]");
        }
        Map<String, String> files = new LinkedHashMap<>();
        TomlTable contents = table.table("files", null);
        contents.names().forEach(path -> files.put(path, contents.text(path, "")));
        JsonNode parameters = root.path("parameters");
        String stdin = table.value("stdin", Function.identity(), "{parameter}");
        Isolation isolation = table.value("isolation", Isolation::parse, "process, jail or vm");
        RateLimit rate = PolicyFile.rate(table);
        return new ToolSpec(
                table.text("name", ""),
                table.text("description", ""),
                table.values("argv", Function.identity(), "a list of texts"),
                stdin,
                files,
                parameters.isMissingNode() ? "{\"type\":\"object\"}" : parameters.toString(),
                PolicyFile.limits(table.table("limits", PolicyKeys.LIMITS)),
                isolation,
                rate);
    }
}
