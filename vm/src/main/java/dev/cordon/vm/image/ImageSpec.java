package dev.cordon.vm.image;

import dev.cordon.vm.layer.ImageProblem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.toml.TomlMapper;

/**
 * A root image as it is asked for: packages of the distribution on top of its minimal base.
 *
 * @param description for people
 * @param packages    the packages, by name
 */
record ImageSpec(String description, List<String> packages) {
    private static final Pattern PACKAGE = Pattern.compile("[a-z0-9][a-z0-9.+-]{1,63}");
    private static final Set<String> KEYS = Set.of("description", "packages");

    ImageSpec {
        packages = List.copyOf(packages);
    }

    /**
     * Reads TOML.
     *
     * @param toml the text
     * @param from where it is from, for messages
     */
    static ImageSpec parse(byte[] toml, String from) throws ImageProblem {
        JsonNode root;
        try {
            root = new TomlMapper().readTree(new String(toml, StandardCharsets.UTF_8));
        } catch (JacksonException e) {
            throw new ImageProblem(
                    from + " is not TOML: " + e.getOriginalMessage(),
                    "mend line " + e.getLocation().getLineNr());
        }
        for (String key : root.propertyNames()) {
            if (!KEYS.contains(key)) {
                throw new ImageProblem(
                        from + ": " + key + " is no setting of an image", "known are description and packages");
            }
        }
        JsonNode list = root.path("packages");
        if (!list.isArray()) {
            throw new ImageProblem(from + ": packages is no list", "write one such as packages = [\"python3\"]");
        }
        List<String> packages = new ArrayList<>();
        for (JsonNode element : list) {
            if (!element.isString() || !PACKAGE.matcher(element.asString()).matches()) {
                throw new ImageProblem(
                        from + ": " + element + " is no name of a package", "use Debian's names of packages");
            }
            packages.add(element.asString());
        }
        return new ImageSpec(root.path("description").asString(""), packages);
    }
}
