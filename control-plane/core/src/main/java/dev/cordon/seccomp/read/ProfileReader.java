package dev.cordon.seccomp.read;

import dev.cordon.bindings.filter.FilterAction;
import dev.cordon.seccomp.ArgumentCube;
import dev.cordon.seccomp.CallPolicy;
import dev.cordon.seccomp.InvalidProfile;
import dev.cordon.seccomp.Profile;
import dev.cordon.seccomp.ProfileHash;
import dev.cordon.seccomp.SystemCalls;
import dev.cordon.seccomp.TooManyCases;
import dev.cordon.vm.json.InvalidJson;
import dev.cordon.vm.json.JsonReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a profile in the format of Docker and OCI. All problems are reported together. Entries of one call are read so: those with
 * {@code args} are cases, of which the stricter wins where two overlap; an entry without {@code args}, or one whose condition always holds,
 * says what happens otherwise.
 */
public final class ProfileReader {
    private static final Set<String> FIELDS = Set.of(
            "comment",
            "defaultAction",
            "defaultErrnoRet",
            "defaultErrno",
            "architectures",
            "archMap",
            "syscalls",
            "flags",
            "listenerPath",
            "listenerMetadata");
    private static final Set<String> ENTRY_FIELDS =
            Set.of("comment", "name", "names", "action", "errnoRet", "errno", "args", "includes", "excludes");
    private static final Set<String> FLAGS = Set.of(
            "SECCOMP_FILTER_FLAG_LOG",
            "SECCOMP_FILTER_FLAG_SPEC_ALLOW",
            "SECCOMP_FILTER_FLAG_TSYNC",
            "SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV");

    private static final int MAX_DEPTH = 16;

    private final ProblemList problems;
    private final EntryConditions conditions;
    private final ActionReader actions;
    private final ArgumentReader arguments;
    private final Map<Integer, CallEntries> calls = new TreeMap<>();
    private final Set<String> foreign = new LinkedHashSet<>();

    private ProfileReader(ProblemList problems, KernelRelease kernel) {
        this.problems = problems;
        this.conditions = new EntryConditions(problems, kernel);
        this.actions = new ActionReader(problems);
        this.arguments = new ArgumentReader(problems);
    }

    /**
     * Reads a profile.
     *
     * @param name what messages call it
     * @throws InvalidProfile with everything that is wrong
     */
    public static Profile read(String name, byte[] json, KernelRelease kernel) {
        ProblemList problems = new ProblemList(name);
        Object document = document(json, problems);
        problems.throwIfAny();
        ProfileReader reader = new ProfileReader(problems, kernel);
        Optional<FilterAction> defaultAction =
                JsonObject.of(document, JsonPlace.ROOT, problems, FIELDS).flatMap(reader::document);
        SortedMap<Integer, CallPolicy> policies = new TreeMap<>();
        defaultAction.ifPresent(action -> reader.calls.forEach(
                (number, entries) -> entries.policy(action).ifPresent(policy -> policies.put(number, policy))));
        problems.throwIfAny();
        return new Profile(name, ProfileHash.of(json), defaultAction.orElseThrow(), policies, problems.warnings());
    }

    private static @Nullable Object document(byte[] json, ProblemList problems) {
        try {
            return JsonReader.commented(MAX_DEPTH, Profiles.MAX_BYTES).read(json);
        } catch (InvalidJson e) {
            e.flaws().forEach(flaw -> problems.add(flaw.pointer(), flaw.problem(), ""));
            return null;
        }
    }

    private Optional<FilterAction> document(JsonObject document) {
        document.string("comment");
        new ArchitectureReader(problems).read(document);
        List<String> flags = document.strings("flags");
        for (int i = 0; i < flags.size(); i++) {
            JsonPlace place = document.place().field("flags").item(i);
            if (!FLAGS.contains(flags.get(i))) {
                problems.unknown(
                        place, "flag", flags.get(i), FLAGS.stream().sorted().toList());
            } else {
                problems.warn(place, "ignored: Cordon loads filters with flags of its own");
            }
        }
        for (String listener : List.of("listenerPath", "listenerMetadata")) {
            if (document.string(listener).isPresent()) {
                problems.warn(document.place().field(listener), "ignored: notifications go to Cordon's supervisor");
            }
        }
        document.objects("syscalls", ENTRY_FIELDS).forEach(this::entry);
        if (!foreign.isEmpty()) {
            problems.warn(
                    document.place().field("syscalls"),
                    "ignored, calls of other architectures: " + String.join(", ", foreign));
        }
        return actions.read(document, "defaultAction", "defaultErrnoRet", "defaultErrno");
    }

    private void entry(JsonObject entry) {
        entry.string("comment");
        boolean applies = conditions.apply(entry);
        Optional<FilterAction> action = actions.read(entry, "action", "errnoRet", "errno");
        if (entry.has("errnoRet") && action.isPresent() && !(action.get() instanceof FilterAction.Errno)) {
            problems.warn(entry.place().field("errnoRet"), "ignored: the action is not SCMP_ACT_ERRNO");
        }
        EntryArguments compared = arguments.read(entry);
        for (int number : numbers(entry, applies)) {
            List<ArgumentCube> cubes = cubes(entry, number, compared);
            if (applies && action.isPresent()) {
                calls.computeIfAbsent(number, call -> new CallEntries(call, problems))
                        .add(entry.place(), cubes, !compared.comparisons().isEmpty(), action.get());
            }
        }
    }

    private List<ArgumentCube> cubes(JsonObject entry, int number, EntryArguments compared) {
        try {
            return compared.cubes(number, problems);
        } catch (TooManyCases e) {
            problems.add(
                    entry.place().field("args"), "too many conditions: " + e.getMessage(), "use fewer or simpler ones");
            return List.of();
        }
    }

    private Collection<Integer> numbers(JsonObject entry, boolean applies) {
        List<String> names = entry.strings("names");
        Optional<String> single = entry.string("name");
        if (single.isPresent() && !names.isEmpty()) {
            problems.add(entry.place().field("name"), "stands beside names", "use names alone");
        } else if (single.isEmpty() && names.isEmpty() && !entry.has("name")) {
            problems.add(entry.place().field("names"), "is missing", "list the system calls of this entry");
        }
        List<Integer> numbers = new ArrayList<>();
        single.ifPresent(
                name -> number(entry.place().field("name"), name, applies).ifPresent(numbers::add));
        for (int i = 0; i < names.size(); i++) {
            number(entry.place().field("names").item(i), names.get(i), applies).ifPresent(numbers::add);
        }
        return numbers;
    }

    private Optional<Integer> number(JsonPlace place, String name, boolean applies) {
        if (SystemCalls.number(name).isPresent()) {
            return Optional.of(SystemCalls.require(name));
        }
        if (!SystemCalls.isForeign(name)) {
            problems.add(
                    place,
                    "'" + ProblemList.shown(name) + "' is not a system call of Linux",
                    "correct the name, or remove it when it is newer than"
                            + " this version of Cordon (calls without an entry get the default action)");
        } else if (applies) {
            foreign.add(name);
        }
        return Optional.empty();
    }
}
