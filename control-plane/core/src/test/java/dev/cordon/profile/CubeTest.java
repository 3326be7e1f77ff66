package dev.cordon.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CubeTest {
    /** Over three bits of two arguments everything can be counted. */
    @Test
    void whatIsCutOutIsGoneAndNothingElse() {
        Random random = new Random(1);
        for (int round = 0; round < 2000; round++) {
            Cube from = cube(random);
            Cube cut = cube(random);
            List<Cube> rest = from.minus(cut);
            for (long call = 0; call < 64; call++) {
                long[] arguments = {call & 7, call >> 3};
                long holders =
                        rest.stream().filter(each -> each.contains(arguments)).count();
                boolean expected = from.contains(arguments) && !cut.contains(arguments);
                assertThat(holders).as("%s minus %s at %d", from, cut, call).isEqualTo(expected ? 1 : 0);
            }
        }
    }

    @Test
    void meetsWhenOneCallIsInBoth() {
        assertThat(Cube.of(0, 0xff, 1).meets(Cube.of(1, 0xff, 2))).isTrue();
        assertThat(Cube.of(0, 0xff, 1).meets(Cube.of(0, 0xf, 1))).isTrue();
        assertThat(Cube.of(0, 0xff, 1).meets(Cube.of(0, 0xf, 2))).isFalse();
    }

    @Test
    void aCutThatWouldNeverEndIsGivenUp() {
        List<Cube> cuts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            cuts.add(Cube.of(i, -1, 0x0123456789abcdefL * (i + 1)));
        }
        assertThatExceptionOfType(TooManyCases.class).isThrownBy(() -> {
            Cube all = cuts.get(0).and(cuts.get(1)).and(cuts.get(2)).and(cuts.get(3));
            Cube.minus(Cube.minus(List.of(Cube.ALL), List.of(all)), List.of(Cube.of(5, -1, 7), Cube.of(4, -1, 9)));
        });
    }

    private static Cube cube(Random random) {
        return Cube.of(0, random.nextInt(8), random.nextInt(8)).and(Cube.of(1, random.nextInt(8), random.nextInt(8)));
    }
}
