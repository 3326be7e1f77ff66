package dev.cordon.seccomp.read;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether an entry of a profile applies to a job: {@code includes} and {@code excludes} by capability, architecture and kernel, as Docker
 * reads them. A job has no capabilities, so that an entry that is included for one never applies, and none is excluded for one.
 */
record EntryConditions(ProblemList problems, KernelRelease kernel) {
    private static final Set<String> FIELDS = Set.of("caps", "arches", "minKernel");
    private static final String NATIVE = "amd64";
    private static final List<String> ARCHES = List.of(
            NATIVE,
            "x86",
            "x32",
            "arm",
            "arm64",
            "loong64",
            "mips",
            "mips64",
            "mips64n32",
            "mips64p32",
            "mipsel",
            "mipsel64",
            "mipsel64n32",
            "mipsel64p32",
            "ppc",
            "ppc64",
            "ppc64le",
            "riscv64",
            "s390",
            "s390x");

    boolean apply(JsonObject entry) {
        Filter includes = filter(entry, "includes");
        Filter excludes = filter(entry, "excludes");
        boolean included = includes.caps.isEmpty()
                && (includes.arches.isEmpty() || includes.arches.contains(NATIVE))
                && includes.minKernel.map(kernel::atLeast).orElse(true);
        boolean excluded = excludes.arches.contains(NATIVE)
                || excludes.minKernel.map(kernel::atLeast).orElse(false);
        return included && !excluded;
    }

    private record Filter(List<String> caps, List<String> arches, Optional<KernelRelease> minKernel) {}

    private Filter filter(JsonObject entry, String name) {
        return entry.object(name, FIELDS).map(this::filter).orElse(new Filter(List.of(), List.of(), Optional.empty()));
    }

    private Filter filter(JsonObject object) {
        List<String> caps = object.strings("caps");
        for (int i = 0; i < caps.size(); i++) {
            if (!caps.get(i).matches("CAP_[A-Z_]+")) {
                problems.unknown(
                        object.place().field("caps").item(i),
                        "capability",
                        caps.get(i),
                        List.of("CAP_SYS_ADMIN and its like"));
            }
        }
        List<String> arches = object.strings("arches");
        for (int i = 0; i < arches.size(); i++) {
            if (!ARCHES.contains(arches.get(i))) {
                problems.unknown(object.place().field("arches").item(i), "architecture", arches.get(i), ARCHES);
            }
        }
        return new Filter(caps, arches, object.string("minKernel").flatMap(text -> minKernel(object, text)));
    }

    private Optional<KernelRelease> minKernel(JsonObject object, String text) {
        Optional<KernelRelease> least = KernelRelease.parse(text);
        if (least.isEmpty()) {
            problems.unknown(object.place().field("minKernel"), "kernel version", text, List.of("two numbers, as 4.8"));
        }
        return least;
    }
}
