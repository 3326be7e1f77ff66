package dev.cordon.engine;

import dev.cordon.Cordon;
import dev.cordon.EnginedCordon;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.ReceivedInput;
import dev.cordon.bindings.SocketPair;
import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.bindings.wire.request.Signal;
import dev.cordon.config.Config;
import dev.cordon.engine.supervisor.PlanEncoder;
import dev.cordon.job.Job;
import dev.cordon.plan.Plan;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What every start of a job is made of, on this side of the supervisor. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class StartBenchmark {
    private static final int ROOM = 64 * 1024;
    private static final int SIGTERM = 15;

    private final Job job = Job.argv("/bin/true");
    private final ByteBuffer room = ByteBuffer.allocateDirect(ROOM);
    private Cordon cordon;
    private Kernel kernel;
    private SocketPair channel;
    private Plan plan;

    /** Opens what is used. */
    @Setup
    public void open() throws Exception {
        kernel = NativeParts.load().kernel();
        channel = kernel.channel();
        cordon = Cordon.open(Config.load());
        plan = planned();
    }

    /** Closes it. */
    @TearDown
    public void close() {
        cordon.close();
        channel.ours().close();
        channel.theirs().close();
    }

    /** The least that a call through the foreign function interface costs. */
    @Benchmark
    public int downcall() {
        return kernel.geteuid();
    }

    /** From a job to its plan: checked, judged, planned. */
    @Benchmark
    public Plan planned() {
        return EnginedCordon.plan(cordon, job);
    }

    /** From a plan to the bytes that the supervisor gets. */
    @Benchmark
    public byte[] encoded() {
        return PlanEncoder.sandbox(plan.sandbox(), 1, 1, Optional.empty(), Optional.empty())
                .encode();
    }

    /** One message into a socket and out of it, without a process at the other end. */
    @Benchmark
    public ReceivedInput message() throws ErrnoException {
        kernel.send(channel.ours(), Signal.toGroup(SIGTERM).encode(1, 0), List.of());
        return kernel.receive(channel.theirs(), room);
    }
}
