package dev.cordon.profile;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
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
 */
public record CompiledProfile(
        BpfProgram initFilter,
        Optional<BpfProgram> jobFilter,
        String hash,
        List<String> warnings,
        SortedMap<Integer, String> tripwires) {
    /** Copies the collections. */
    public CompiledProfile {
        warnings = List.copyOf(warnings);
        tripwires = Collections.unmodifiableSortedMap(new TreeMap<>(tripwires));
    }
}
