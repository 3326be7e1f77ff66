package dev.cordon.selftest.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.Cordon;
import dev.cordon.bindings.NativeParts;
import dev.cordon.selftest.rig.ProbeBox;
import dev.cordon.selftest.rig.ProbeFinding;
import dev.cordon.selftest.rig.ProbeVerdict;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * C-02 with more starts than the self-test has time for: {@code -Dcordon.test.starts=N} sets their number. {@link #main} makes ten thousand, or
 * as many as its argument says, and tells how far it is.
 */
@Tag("jail")
@Tag("asUser")
final class HostileDirectoryJailTest {
    private static final int STARTS = Integer.getInteger("cordon.test.starts", 64);

    @Test
    void nothingBehindTheLinksIsTouched() throws Exception {
        ProbeFinding finding = run(STARTS, done -> {});
        assertThat(finding.verdict()).as(finding.detail()).isEqualTo(ProbeVerdict.DENIED);
    }

    private static ProbeFinding run(int starts, IntConsumer progress) throws Exception {
        try (Cordon cordon = Cordon.open();
                ProbeBox box = ProbeBox.open(cordon, NativeParts.load().probesProgram())) {
            return new HostileDirectoryProbe("C-02", "links", starts, progress).run(box);
        }
    }

    /** The soak. */
    public static void main(String[] arguments) throws Exception {
        int starts = arguments.length == 0 ? 10_000 : Integer.parseInt(arguments[0]);
        ProbeFinding finding = run(starts, done -> {
            if (done % 100 == 0) {
                System.err.print("\r" + done + " of " + starts);
            }
        });
        System.err.println();
        System.out.println(finding.verdict() + ": " + finding.detail());
        System.exit(finding.verdict() == ProbeVerdict.DENIED ? 0 : 1);
    }
}
