package dev.cordon.seccomp.learn;

import dev.cordon.bindings.filter.ArgumentComparison;
import dev.cordon.bindings.filter.ComparisonOperator;
import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.seccomp.ArgumentCube;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes a profile as the shipped ones are written: one entry after the other, each with its reason, names in lines that can be read. It is
 * written by hand, because people read and edit it: the names of an entry fill lines of a certain width, and a comparison has one line.
 * Printers of JSON libraries lay out by the structure alone, and have one line for each name or one for all.
 */
final class ProfileText {
    private static final int LINE = 120;

    private final List<String> entries = new ArrayList<>();
    private final String comment;

    ProfileText(String comment) {
        this.comment = comment;
    }

    /** Calls with any arguments. */
    ProfileText entry(String reason, Collection<String> names, FilterAction action) {
        if (!names.isEmpty()) {
            entries.add(start(reason, names) + action(action) + "\n    }");
        }
        return this;
    }

    /** A call with some arguments: those of each cube. */
    ProfileText entry(String reason, String name, FilterAction action, List<ArgumentCube> cubes) {
        List<ArgumentComparison> alternatives = new ArrayList<>();
        for (ArgumentCube cube : cubes) {
            List<ArgumentComparison> together = cube.comparisons();
            if (together.size() == 1 && sameIndex(alternatives, together.getFirst())) {
                // Comparisons of one argument in one entry: each alone is enough.
                alternatives.add(together.getFirst());
            } else {
                compared(reason, name, action, together);
            }
        }
        if (!alternatives.isEmpty()) {
            compared(reason, name, action, alternatives);
        }
        return this;
    }

    /** What holds for all other calls of this name. */
    ProfileText otherwise(String reason, String name, FilterAction action) {
        compared(reason, name, action, List.of(new ArgumentComparison(0, ComparisonOperator.GE, 0, 0)));
        return this;
    }

    private static boolean sameIndex(List<ArgumentComparison> alternatives, ArgumentComparison next) {
        return alternatives.isEmpty() || alternatives.getFirst().index() == next.index();
    }

    private void compared(String reason, String name, FilterAction action, List<ArgumentComparison> comparisons) {
        String args = comparisons.stream().map(ProfileText::comparison).collect(Collectors.joining(",\n        "));
        entries.add(start(reason, List.of(name)) + action(action) + ",\n      \"args\": [\n        " + args
                + "\n      ]\n    }");
    }

    private static String comparison(ArgumentComparison compare) {
        String text = "{\"index\": " + compare.index() + ", \"op\": \"SCMP_CMP_" + compare.operator()
                + "\", \"value\": " + Long.toUnsignedString(compare.value());
        return compare.operator() == ComparisonOperator.MASKED_EQ
                ? text + ", \"valueTwo\": " + Long.toUnsignedString(compare.valueTwo()) + "}"
                : text + "}";
    }

    private static String start(String reason, Collection<String> names) {
        String list = wrapped(names);
        boolean oneLine = list.indexOf('\n') < 0;
        return "    {\n      \"comment\": " + quoted(reason) + ",\n      \"names\": ["
                + (oneLine ? list : "\n        " + list + "\n      ") + "],\n      \"action\": ";
    }

    private static String wrapped(Collection<String> names) {
        StringBuilder text = new StringBuilder();
        int column = 0;
        for (String name : names) {
            if (!text.isEmpty()) {
                boolean full = column + name.length() > LINE;
                text.append(full ? ",\n        " : ", ");
                column = full ? 0 : column;
            }
            text.append('"').append(name).append('"');
            column += name.length() + 4;
        }
        return text.toString();
    }

    private static String action(FilterAction action) {
        return switch (action) {
            case FilterAction.Allow() -> "\"SCMP_ACT_ALLOW\"";
            case FilterAction.Errno(int error) -> "\"SCMP_ACT_ERRNO\",\n      \"errnoRet\": " + error;
            default -> throw new IllegalArgumentException("no learnt entry is " + action);
        };
    }

    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (next == '"' || next == '\\') {
                quoted.append('\\').append(next);
            } else if (next < ' ' || Character.isSurrogate(next) || next == 0x7f) {
                quoted.append(String.format("\\u%04x", (int) next));
            } else {
                quoted.append(next);
            }
        }
        return quoted.append('"').toString();
    }

    @Override
    public String toString() {
        return "{\n  \"comment\": " + quoted(comment)
                + ",\n  \"defaultAction\": \"SCMP_ACT_ERRNO\",\n  \"defaultErrnoRet\": 38,\n"
                + "  \"architectures\": [\"SCMP_ARCH_X86_64\"],\n  \"syscalls\": [\n"
                + String.join(",\n", entries) + "\n  ]\n}\n";
    }
}
