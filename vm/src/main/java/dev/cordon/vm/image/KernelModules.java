package dev.cordon.vm.image;

import dev.cordon.vm.layer.ImageProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The modules of an unpacked kernel package. The package has no modules.dep, which is made when it is installed; each module names what
 * it needs in its own {@code .modinfo}.
 */
final class KernelModules {
    private static final Pattern DEPENDS = Pattern.compile("\0depends=([^\0]*)\0");
    private static final String SUFFIX = ".ko";

    private final Map<String, Path> files = new HashMap<>();

    /** Looks at everything below a directory. */
    KernelModules(Path directory) throws IOException {
        try (Stream<Path> found = Files.walk(directory)) {
            found.filter(file -> file.toString().endsWith(SUFFIX)).forEach(file -> files.put(name(file), file));
        }
    }

    /** These modules and all that they need, each after what it needs. */
    List<Path> inOrder(List<String> wanted) throws IOException {
        Map<String, Path> order = new LinkedHashMap<>();
        for (String module : wanted) {
            add(canonical(module), order, new ArrayList<>());
        }
        return List.copyOf(order.values());
    }

    private void add(String module, Map<String, Path> order, List<String> under) throws IOException {
        if (order.containsKey(module)) {
            return;
        }
        Path file = files.get(module);
        if (file == null || under.contains(module)) {
            throw new ImageProblem(
                    "the kernel package has no module " + module + " that could be loaded",
                    "report this with the output of: cordon doctor");
        }
        under.add(module);
        for (String needed : needs(file)) {
            add(canonical(needed), order, under);
        }
        under.remove(module);
        order.put(module, file);
    }

    private static List<String> needs(Path file) throws IOException {
        Matcher found = DEPENDS.matcher(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        return found.find() && !found.group(1).isEmpty()
                ? List.of(found.group(1).split(","))
                : List.of();
    }

    private static String name(Path file) {
        String name = String.valueOf(file.getFileName());
        return canonical(name.substring(0, name.length() - SUFFIX.length()));
    }

    private static String canonical(String module) {
        return module.replace('-', '_');
    }
}
