package dev.cordon.selftest.rig;

import dev.cordon.job.Job;
import dev.cordon.result.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A probe that needs nothing but itself: once outside, once inside.
 *
 * @param outside its arguments outside, given a directory of its own
 * @param inside  its arguments inside
 * @param tuning  what else the job has
 */
public record PlainProbe(
        String id, String title, Function<Path, List<String>> outside, List<String> inside, UnaryOperator<Job> tuning)
        implements Probe {
    public PlainProbe {
        inside = List.copyOf(inside);
    }

    /** Without arguments. */
    public static PlainProbe of(String id, String title) {
        return new PlainProbe(id, title, directory -> List.of(), List.of(), job -> job);
    }

    /** With a directory to work in as its argument. */
    public static PlainProbe in(String id, String title, String directory) {
        return new PlainProbe(id, title, own -> List.of(own.toString()), List.of(directory), job -> job);
    }

    @Override
    public ProbeFinding run(ProbeBox box) throws IOException, InterruptedException {
        Path directory = box.subdirectory(id);
        ProbeTranscript control = box.outside(directory, Map.of(), with(outside.apply(directory)));
        Result result = box.inside(tuning.apply(box.job(with(inside))));
        ProbeTranscript said = ProbeTranscript.of(result);
        return TripwireCheck.check(ControlComparison.of(control, said), said, result);
    }

    private String[] with(List<String> arguments) {
        return Stream.concat(Stream.of(id), arguments.stream()).toArray(String[]::new);
    }
}
