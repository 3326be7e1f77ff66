package dev.cordon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.Pipe;
import dev.cordon.bindings.PollSet;
import dev.cordon.bindings.ReceivedInput;
import dev.cordon.bindings.SocketPair;
import dev.cordon.bindings.SpawnedProgram;
import dev.cordon.bindings.value.WindowSize;
import dev.cordon.bindings.wire.reply.AddressedReply;
import dev.cordon.bindings.wire.reply.Exited;
import dev.cordon.bindings.wire.request.DescriptorRole;
import dev.cordon.bindings.wire.request.Exec;
import dev.cordon.bindings.wire.request.ExecFlag;
import dev.cordon.bindings.wire.request.Open;
import dev.cordon.bindings.wire.request.ViolationAction;
import dev.cordon.config.Config;
import dev.cordon.engine.supervisor.PlanEncoder;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.plan.Plan;
import dev.cordon.plan.facts.HostView;
import dev.cordon.plan.host.HostSurvey;
import dev.cordon.plan.planner.JobPlanner;
import dev.cordon.policy.Decision;
import dev.cordon.policy.rule.Policy;
import dev.cordon.seccomp.CompiledProfile;
import dev.cordon.seccomp.compile.ProfileCompiler;
import dev.cordon.seccomp.read.Profiles;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Descriptors beside standard input, output and error, over the supervisor's own protocol. */
@Tag("jail")
@Tag("asUser")
final class ExtraDescriptorsJailTest {
    /** The last number is the directory that ls itself opens. */
    private static final String LIST = "ls /proc/self/fd | tr '\\n' ' '";

    @TempDir
    Path directory;

    private final NativeParts natives = NativeParts.load();
    private final Kernel kernel = natives.kernel();

    ExtraDescriptorsJailTest() throws Exception {}

    @Test
    void becomeThreeAndUp() throws Exception {
        String seen = run("cat /proc/self/fd/3 /proc/self/fd/4; " + LIST, "one ", "two ");
        assertThat(seen).isEqualTo("one two 0 1 2 3 4 5 ");
    }

    @Test
    void areNoneUnlessAskedFor() throws Exception {
        assertThat(run(LIST)).isEqualTo("0 1 2 3 ");
    }

    private String run(String script, String... contents) throws Exception {
        try (SocketPair channel = kernel.channel();
                Pipe output = kernel.pipe()) {
            SpawnedProgram supervisor = kernel.spawn(natives.supervisorProgram(), channel.theirs(), null, null, false);
            channel.theirs().close();
            open(channel.ours());
            List<Fd> fds = new ArrayList<>(List.of(kernel.duplicate(output.sink()), output.sink()));
            for (String content : contents) {
                fds.add(kernel.sealed("extra", content.getBytes(StandardCharsets.UTF_8)));
            }
            send(channel.ours(), exec(script, contents.length).encode(1, fds.size()), fds);
            Exited exited = awaitEnd(channel.ours());
            assertThat(exited.error()).isZero();
            String seen = read(output.source());
            channel.ours().close();
            await(supervisor.pidfd());
            assertThat(kernel.reap(supervisor.pidfd())).isPresent();
            supervisor.pidfd().close();
            return seen;
        }
    }

    private void open(Fd socket) throws Exception {
        Config config = Config.load();
        Job job = Job.argv("true");
        Decision.Allowed allowed =
                (Decision.Allowed) new Policy(config.ceilings()).decide(job.validate(config.defaults()));
        HostSurvey survey = new HostSurvey(config.ids(), directory);
        Plan plan = JobPlanner.plan(
                new JobId("job_extra"),
                job.validate(config.defaults()),
                allowed,
                HostView.of(survey.facts(job.validate(config.defaults()))));
        CompiledProfile profile =
                new ProfileCompiler(spec -> natives.seccomp().compile(spec)).compile(Profiles.named("default"));
        long uid = Sandboxes.root() ? config.ids().base() : Sandboxes.uid();
        List<Fd> fds = List.of(
                kernel.sealed(
                        "plan",
                        PlanEncoder.sandbox(plan.sandbox(), uid, uid, Optional.empty(), Optional.empty())
                                .encode()),
                kernel.sealed("filter", profile.initFilter().bytes()));
        send(socket, new Open(List.of(DescriptorRole.PLAN, DescriptorRole.FILTER)).encode(0, fds.size()), fds);
    }

    private static Exec exec(String script, int extraFds) {
        return new Exec(
                Set.of(ExecFlag.FINAL, ExecFlag.STDIN_NULL),
                Duration.ofSeconds(60),
                Optional.empty(),
                "/workspace",
                List.of("sh", "-c", script),
                List.of("PATH=/usr/bin:/bin"),
                Map.of(),
                ViolationAction.REFUSE,
                WindowSize.NONE,
                extraFds);
    }

    private void send(Fd socket, byte[] packet, List<Fd> fds) throws Exception {
        assertThat(kernel.send(socket, packet, fds)).isTrue();
        fds.forEach(Fd::close);
    }

    private Exited awaitEnd(Fd socket) throws Exception {
        for (; ; ) {
            switch (kernel.receive(socket)) {
                case ReceivedInput.Nothing ignored -> await(socket);
                case ReceivedInput.EndOfFile ignored ->
                    throw new AssertionError("the supervisor said nothing of the end");
                case ReceivedInput.Message message -> {
                    message.fds().forEach(Fd::close);
                    if (AddressedReply.decode(message.packet()).reply() instanceof Exited exited) {
                        return exited;
                    }
                }
            }
        }
    }

    private void await(Fd fd) throws Exception {
        try (PollSet poll = kernel.pollSet()) {
            poll.set(fd, PollSet.READABLE, 1);
            poll.await(60_000, (token, happened) -> {});
        }
    }

    /** All of it: the job is dead, and its ends of the pipe are shut. */
    private String read(Fd source) throws Exception {
        ByteBuffer room = ByteBuffer.allocateDirect(4096);
        while (kernel.read(source, room) > 0) {
            // until its end
        }
        return StandardCharsets.UTF_8.decode(room.flip()).toString();
    }
}
