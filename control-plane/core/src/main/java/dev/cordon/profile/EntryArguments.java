package dev.cordon.profile;

import java.util.ArrayList;
import java.util.List;

/**
 * The conditions of one entry. They must all hold; but when two are of the same argument, each alone is enough, as runc reads them.
 *
 * @param comparisons the conditions, in the order of the file
 * @param eachAlone whether one is enough
 */
record EntryArguments(List<Located> comparisons, boolean eachAlone) {

    /**
     * A condition and where it stands.
     *
     * @param place where
     * @param comparison what
     */
    record Located(Place place, Comparison comparison) {}

    EntryArguments {
        comparisons = List.copyOf(comparisons);
    }

    /**
     * The calls for which the conditions hold. Conditions that cannot be meant for this call are reported.
     *
     * @throws TooManyCases when they are too many to be told apart
     */
    List<Cube> cubes(int syscall, Problems problems) {
        List<Cube> all = List.of(Cube.ALL);
        List<Cube> alternatives = new ArrayList<>();
        for (Located located : comparisons) {
            Comparison comparison = located.comparison();
            int bits = ArgumentWidths.bits(syscall, comparison.index());
            comparison
                    .misfit(bits)
                    .ifPresent(
                            why -> problems.add(located.place(), name(syscall) + ": " + why, "use a value that fits"));
            List<Cube> cubes = comparison.cubes(bits);
            alternatives.addAll(cubes);
            if (!eachAlone) {
                all = product(all, cubes);
            }
        }
        return eachAlone ? alternatives : all;
    }

    private static String name(int syscall) {
        return SystemCalls.name(syscall).orElseThrow();
    }

    private static List<Cube> product(List<Cube> left, List<Cube> right) {
        TooManyCases.check(left.size() * right.size());
        List<Cube> both = new ArrayList<>();
        for (Cube a : left) {
            for (Cube b : right) {
                both.add(a.and(b));
            }
        }
        return both;
    }
}
