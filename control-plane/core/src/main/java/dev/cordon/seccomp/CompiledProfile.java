package dev.cordon.seccomp;

import dev.cordon.result.Violation;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A profile as init loads it.
 *
 * @param initFilter init's own filter, which all processes of the sandbox inherit; its listener answers the tripwires
 * @param jobFilter a second one, stacked in each command just before exec; present when the profile refuses what init needs
 * @param hash what identifies the profile
 * @param warnings what the profile's author should know
 * @param tripwires the calls that raise a notification, by number, with their names
 * @param counted those of them that are not tripwires, but counted and refused as the profile says; only of a watched job
 */
public record CompiledProfile(
        BpfProgram initFilter,
        Optional<BpfProgram> jobFilter,
        String hash,
        List<String> warnings,
        SortedMap<Integer, String> tripwires,
        Set<Integer> counted) {
    /** The number that the supervisor gives to an attempt to reach the network. */
    private static final int NETWORK = -1;

    /** Copies the collections. */
    public CompiledProfile {
        warnings = List.copyOf(warnings);
        tripwires = Collections.unmodifiableSortedMap(new TreeMap<>(tripwires));
        counted = Set.copyOf(counted);
    }

    /** One that counts nothing. */
    public CompiledProfile(
            BpfProgram initFilter,
            Optional<BpfProgram> jobFilter,
            String hash,
            List<String> warnings,
            SortedMap<Integer, String> tripwires) {
        this(initFilter, jobFilter, hash, warnings, tripwires, Set.of());
    }

    /** What a notification is about, in words. */
    public String callName(int number) {
        return number == NETWORK ? Violation.NETWORK : tripwires.getOrDefault(number, "system call " + number);
    }
}
