package dev.cordon.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArgumentCubeTest {
    /** Over three bits of two arguments everything can be counted. */
    @Test
    void whatIsCutOutIsGoneAndNothingElse() {
        Random random = new Random(1);
        for (int round = 0; round < 2000; round++) {
            ArgumentCube from = cube(random);
            ArgumentCube cut = cube(random);
            List<ArgumentCube> rest = from.minus(cut);
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
        assertThat(ArgumentCube.of(0, 0xff, 1).meets(ArgumentCube.of(1, 0xff, 2)))
                .isTrue();
        assertThat(ArgumentCube.of(0, 0xff, 1).meets(ArgumentCube.of(0, 0xf, 1)))
                .isTrue();
        assertThat(ArgumentCube.of(0, 0xff, 1).meets(ArgumentCube.of(0, 0xf, 2)))
                .isFalse();
    }

    @Test
    void aCutThatWouldNeverEndIsGivenUp() {
        List<ArgumentCube> cuts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            cuts.add(ArgumentCube.of(i, -1, 0x0123456789abcdefL * (i + 1)));
        }
        assertThatExceptionOfType(TooManyCases.class).isThrownBy(() -> {
            ArgumentCube all = cuts.get(0).and(cuts.get(1)).and(cuts.get(2)).and(cuts.get(3));
            ArgumentCube.minus(
                    ArgumentCube.minus(List.of(ArgumentCube.ALL), List.of(all)),
                    List.of(ArgumentCube.of(5, -1, 7), ArgumentCube.of(4, -1, 9)));
        });
    }

    private static ArgumentCube cube(Random random) {
        return ArgumentCube.of(0, random.nextInt(8), random.nextInt(8))
                .and(ArgumentCube.of(1, random.nextInt(8), random.nextInt(8)));
    }
}
