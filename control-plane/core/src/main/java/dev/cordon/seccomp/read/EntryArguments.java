package dev.cordon.seccomp.read;

import dev.cordon.seccomp.ArgumentCube;
import dev.cordon.seccomp.SystemCalls;
import dev.cordon.seccomp.TooManyCases;
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
    record Located(JsonPlace place, EntryComparison comparison) {}

    EntryArguments {
        comparisons = List.copyOf(comparisons);
    }

    /**
     * The calls for which the conditions hold. Conditions that cannot be meant for this call are reported.
     *
     * @throws TooManyCases when they are too many to be told apart
     */
    List<ArgumentCube> cubes(int syscall, ProblemList problems) {
        List<ArgumentCube> all = List.of(ArgumentCube.ALL);
        List<ArgumentCube> alternatives = new ArrayList<>();
        for (Located located : comparisons) {
            EntryComparison comparison = located.comparison();
            int bits = ArgumentWidths.bits(syscall, comparison.index());
            comparison
                    .misfit(bits)
                    .ifPresent(
                            why -> problems.add(located.place(), name(syscall) + ": " + why, "use a value that fits"));
            List<ArgumentCube> cubes = comparison.cubes(bits);
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

    private static List<ArgumentCube> product(List<ArgumentCube> left, List<ArgumentCube> right) {
        TooManyCases.check(left.size() * right.size());
        List<ArgumentCube> both = new ArrayList<>();
        for (ArgumentCube a : left) {
            for (ArgumentCube b : right) {
                both.add(a.and(b));
            }
        }
        return both;
    }
}
