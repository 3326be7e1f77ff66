package dev.cordon.seccomp.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads {@code architectures} and {@code archMap}. Cordon's filters are for the native architecture alone: calls by another table kill. */
record ArchitectureReader(ProblemList problems) {
    private static final Set<String> MAP_FIELDS = Set.of("architecture", "subArchitectures");
    private static final String NATIVE = "SCMP_ARCH_X86_64";
    private static final List<String> KNOWN = List.of(
            "SCMP_ARCH_NATIVE",
            NATIVE,
            "SCMP_ARCH_X86",
            "SCMP_ARCH_X32",
            "SCMP_ARCH_AARCH64",
            "SCMP_ARCH_ARM",
            "SCMP_ARCH_LOONGARCH64",
            "SCMP_ARCH_M68K",
            "SCMP_ARCH_MIPS",
            "SCMP_ARCH_MIPS64",
            "SCMP_ARCH_MIPS64N32",
            "SCMP_ARCH_MIPSEL",
            "SCMP_ARCH_MIPSEL64",
            "SCMP_ARCH_MIPSEL64N32",
            "SCMP_ARCH_PARISC",
            "SCMP_ARCH_PARISC64",
            "SCMP_ARCH_PPC",
            "SCMP_ARCH_PPC64",
            "SCMP_ARCH_PPC64LE",
            "SCMP_ARCH_RISCV64",
            "SCMP_ARCH_S390",
            "SCMP_ARCH_S390X",
            "SCMP_ARCH_SH",
            "SCMP_ARCH_SHEB");

    void read(JsonObject document) {
        JsonPlace list = document.place().field("architectures");
        List<String> architectures = document.strings("architectures");
        check(list, architectures);
        List<String> mapped = new ArrayList<>();
        for (JsonObject entry : document.objects("archMap", MAP_FIELDS)) {
            List<String> main = entry.string("architecture").stream().toList();
            List<String> others = entry.strings("subArchitectures");
            check(entry.place().field("architecture"), main);
            check(entry.place().field("subArchitectures"), others);
            mapped.addAll(main);
            if (main.contains(NATIVE)) {
                warnOfOthers(entry.place().field("subArchitectures"), others);
            }
        }
        if (!architectures.isEmpty() && !mapped.isEmpty()) {
            problems.add(list, "stands beside archMap", "use one of the two");
        }
        warnOfOthers(list, architectures);
        requireNative(list, architectures);
        requireNative(document.place().field("archMap"), mapped);
    }

    private void check(JsonPlace place, List<String> names) {
        for (String name : names) {
            if (!KNOWN.contains(name)) {
                problems.unknown(place, "architecture", name, KNOWN);
            }
        }
    }

    private void warnOfOthers(JsonPlace place, List<String> names) {
        List<String> others = names.stream().filter(name -> !isNative(name)).toList();
        if (!others.isEmpty()) {
            problems.warn(
                    place, "calls by the tables of " + String.join(", ", others) + " kill the process all the same");
        }
    }

    private void requireNative(JsonPlace place, List<String> names) {
        if (!names.isEmpty() && names.stream().noneMatch(ArchitectureReader::isNative)) {
            problems.add(place, "does not have " + NATIVE + ", this machine's architecture", "add it");
        }
    }

    private static boolean isNative(String name) {
        return name.equals(NATIVE) || name.equals("SCMP_ARCH_NATIVE");
    }
}
