package dev.cordon.seccomp.read;

import dev.cordon.bindings.filter.FilterAction;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * What a shipped profile says, read a second time and in another way: no masks are taken apart, nothing is compiled. Entries are tried in the
 * order of the file; the one that always holds comes last. The shipped profiles are written so that this is what they mean.
 */
final class WrittenPolicy {
    private final JsonNode document;
    private final Map<String, List<JsonNode>> entries = new HashMap<>();

    WrittenPolicy(byte[] json) {
        this.document = new ObjectMapper().readTree(json);
        for (JsonNode entry : document.get("syscalls")) {
            for (JsonNode name : entry.get("names")) {
                entries.computeIfAbsent(name.asString(), each -> new ArrayList<>())
                        .add(entry);
            }
        }
    }

    /** The entries of a call. */
    List<JsonNode> entries(String name) {
        return entries.getOrDefault(name, List.of());
    }

    FilterAction verdict(String name, long... arguments) {
        FilterAction otherwise = action(
                document.get("defaultAction").asString(),
                document.path("defaultErrnoRet").asInt(1));
        for (JsonNode entry : entries(name)) {
            FilterAction action = action(
                    entry.get("action").asString(), entry.path("errnoRet").asInt(1));
            if (isOtherwise(entry)) {
                otherwise = action;
            } else if (holds(entry, arguments)) {
                return action;
            }
        }
        return otherwise;
    }

    private static boolean isOtherwise(JsonNode entry) {
        JsonNode args = entry.path("args");
        return args.isMissingNode()
                || (args.size() == 1
                        && args.get(0).get("op").asString().equals("SCMP_CMP_GE")
                        && args.get(0).get("value").asInt() == 0);
    }

    private static boolean holds(JsonNode entry, long... arguments) {
        TreeSet<Integer> indexes = new TreeSet<>();
        boolean repeated = false;
        int holding = 0;
        for (JsonNode arg : entry.get("args")) {
            repeated |= !indexes.add(arg.get("index").asInt());
            holding += holdsAlone(arg, arguments) ? 1 : 0;
        }
        return repeated ? holding > 0 : holding == entry.get("args").size();
    }

    private static boolean holdsAlone(JsonNode arg, long... arguments) {
        int index = arg.get("index").asInt();
        long argument = index < arguments.length ? arguments[index] : 0;
        long value = number(arg.get("value"));
        return switch (arg.get("op").asString()) {
            case "SCMP_CMP_EQ" -> argument == value;
            case "SCMP_CMP_MASKED_EQ" -> (argument & value) == number(arg.get("valueTwo"));
            default -> throw new IllegalArgumentException("the shipped profiles do not use " + arg);
        };
    }

    static long number(JsonNode node) {
        return new BigInteger(node.asString()).longValue();
    }

    private static FilterAction action(String name, int errno) {
        return Objects.requireNonNull(Map.of(
                        "SCMP_ACT_ALLOW", new FilterAction.Allow(),
                        "SCMP_ACT_NOTIFY", new FilterAction.Notify(),
                        "SCMP_ACT_ERRNO", new FilterAction.Errno(errno))
                .get(name));
    }
}
