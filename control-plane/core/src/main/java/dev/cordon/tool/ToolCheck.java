package dev.cordon.tool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Checks a tool before it is registered: a template that could turn a parameter into code is not a tool. */
final class ToolCheck {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
    private static final Pattern INTERPRETER =
            Pattern.compile("(.*/)?((ba|da|a|z|k|mk|c|tc|fi)?sh|busybox|python[0-9.]*|perl[0-9.]*"
                    + "|ruby[0-9.]*|node|nodejs|php[0-9.]*|lua[0-9.]*|tclsh|[gmn]?awk|eval|xargs|ssh|su)");
    private static final Pattern CODE_OPTION =
            Pattern.compile("-[a-zA-Z]*[cerEp]|--(command|eval|print|execute)(=.*)?");
    private static final Set<String> SCALARS = Set.of("string", "integer", "number", "boolean");

    private final ToolSpec spec;
    private final List<String> errors = new ArrayList<>();
    private final Set<String> used = new HashSet<>();

    ToolCheck(ToolSpec spec) {
        this.spec = spec;
    }

    Tool check() {
        if (!NAME.matcher(spec.name()).matches()) {
            errors.add("name: '" + spec.name() + "' is not a name; small letters, digits, '-' and '_', a letter first");
        }
        if (spec.description().isBlank()) {
            errors.add("description: is missing; say in a sentence what the tool does");
        }
        ParameterSchema schema = schema();
        List<ArgumentTemplate> argv = argv(schema);
        Map<String, ArgumentTemplate> files = new LinkedHashMap<>();
        spec.files().forEach((path, text) -> {
            ArgumentTemplate template = content("files." + path, text, schema);
            if (template != null) {
                files.put(path, template);
            }
        });
        ArgumentTemplate stdin = spec.stdin() == null ? null : content("stdin", spec.stdin(), schema);
        for (String property : schema.properties.keySet()) {
            if (!used.contains(property)) {
                errors.add("parameters: " + property + " is used nowhere; put {" + property
                        + "} into argv, files or stdin, or take it out");
            }
        }
        if (!errors.isEmpty()) {
            throw new InvalidTool(
                    errors.stream().map(error -> spec.name() + ": " + error).toList());
        }
        return new Tool(spec, schema, argv, files, stdin);
    }

    private ParameterSchema schema() {
        JsonNode node;
        try {
            node = ParameterValues.JSON.readTree(spec.parameters());
        } catch (JacksonException e) {
            errors.add("parameters: is not JSON: " + e.getOriginalMessage());
            return new ParameterSchema();
        }
        ParameterSchema schema = new ParameterSchemaReader(errors).read(node, "parameters");
        if (schema.type != null && !schema.is("object")) {
            errors.add("parameters: is the schema of no object; write type = \"object\" and properties");
        }
        return schema;
    }

    private List<ArgumentTemplate> argv(ParameterSchema schema) {
        List<ArgumentTemplate> argv = new ArrayList<>();
        boolean interpreted = false;
        boolean code = false;
        for (int i = 0; i < spec.argv().size(); i++) {
            String at = "argv[" + i + "]";
            String text = spec.argv().get(i);
            ArgumentTemplate template = template(at, text);
            if (template == null) {
                continue;
            }
            if (i == 0 && !template.places().isEmpty()) {
                errors.add(at + ": is a parameter; the program is the operator's choice, write its name");
            }
            if (!template.places().isEmpty()
                    && interpreted
                    && (code || CODE_OPTION.matcher(text).lookingAt())) {
                errors.add(
                        at + ": '" + text + "' would become code of an interpreter; pass the parameter as an argument"
                                + " after the code, as a file, or as stdin");
            }
            interpreted |= INTERPRETER.matcher(text).matches();
            code = interpreted && CODE_OPTION.matcher(text).matches();
            template.places().forEach(place -> place(at, place, schema));
            argv.add(template);
        }
        if (argv.isEmpty()) {
            errors.add("argv: is empty; name a program");
        }
        return argv;
    }

    private void place(String at, ArgumentTemplate.Place place, ParameterSchema schema) {
        ParameterSchema property = property(at, place, schema);
        if (property == null) {
            return;
        }
        ParameterSchema shown = place.spread() ? property.items : property;
        if (place.spread() && (!property.is("array") || property.items == null)) {
            errors.add(at + ": {" + place.name() + "...} is not an array with items; write {" + place.name() + "}");
        } else if (shown != null && shown.type != null && !SCALARS.contains(shown.type)) {
            errors.add(at + ": {" + place.name() + "} is " + shown.type
                    + ", which is not an argument; write {name...} for a list, or use files or stdin");
        }
    }

    private @Nullable ParameterSchema property(String at, ArgumentTemplate.Place place, ParameterSchema schema) {
        used.add(place.name());
        ParameterSchema property = schema.properties.get(place.name());
        if (property == null) {
            errors.add(at + ": {" + place.name() + "} is none of the parameters' properties; describe it there");
        }
        return property;
    }

    private @Nullable ArgumentTemplate content(String at, String text, ParameterSchema schema) {
        ArgumentTemplate template = template(at, text);
        if (template == null) {
            return null;
        }
        if (!template.isPlace() || template.places().getFirst().spread()) {
            errors.add(at + ": '" + text + "' is not exactly one parameter; write {name}");
            return null;
        }
        return property(at, template.places().getFirst(), schema) == null ? null : template;
    }

    private @Nullable ArgumentTemplate template(String at, String text) {
        try {
            return ArgumentTemplate.parse(text);
        } catch (IllegalArgumentException e) {
            errors.add(at + ": '" + text + "' " + e.getMessage());
            return null;
        }
    }
}
