package dev.cordon.cli.command.sandbox;

import dev.cordon.cli.box.BoxConnection;
import dev.cordon.cli.box.BoxFrame;
import dev.cordon.cli.box.OpenBoxes;
import dev.cordon.cli.command.run.JobArguments;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.cli.terminal.CommandEnding;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.EndMessages;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalJob;
import dev.cordon.config.Config;
import dev.cordon.job.Job;
import dev.cordon.job.SandboxSpec;
import dev.cordon.job.Stdin;
import dev.cordon.job.Terminal;
import dev.cordon.job.limit.Limit;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sandboxes that processes of this user hold open. */
record LocalSandboxes(ParsedArguments arguments, StandardStreams stdio, Config config) implements SandboxGateway {
    @Override
    public List<String> ids() throws IOException {
        return new OpenBoxes(config).ids();
    }

    @Override
    public List<List<String>> list() throws IOException {
        List<List<String>> boxes = new ArrayList<>();
        for (String id : ids()) {
            List<String> told = ask(id);
            if (told.size() == PsCommand.FIELDS.size()) {
                boxes.add(told);
            }
        }
        return boxes;
    }

    /** Empty when it ended while the list was made, or its holder died without a word. */
    private List<String> ask(String id) {
        try (BoxConnection box = BoxConnection.to(config, id)) {
            box.send(BoxFrame.of(BoxFrame.INFO));
            return box.receive().words();
        } catch (IOException gone) {
            return List.of();
        }
    }

    @Override
    public boolean end(String id) {
        try (BoxConnection box = BoxConnection.to(config, id)) {
            box.send(BoxFrame.of(BoxFrame.KILL));
            var _ = box.receive();
            return true;
        } catch (IOException gone) {
            // The holder of a shell's sandbox ends with it, and may be faster than its answer.
            return ask(id).isEmpty();
        }
    }

    @Override
    public TerminalJob shell(JobArguments given, List<String> command, Terminal size) throws CommandFailure {
        SandboxSpec spec = given.sandbox(SandboxSpec.create());
        if (!given.errors().isEmpty()) {
            throw EndMessages.failure(new Outcome.Invalid(given.errors()));
        }
        Job job = ShellCommand.job(command, arguments, stdio, this::most)
                .terminal(size.rows(), size.columns())
                .stdin(Stdin.fed())
                .streaming();
        return LocalShell.open(config.recorded(), spec, job, stdio);
    }

    private String most(Limit limit) {
        return limit.show(config.ceilings().getOrDefault(limit, limit.most()));
    }

    @Override
    public TerminalJob exec(String id, List<String> command, Terminal size) throws CommandFailure {
        return BoxCommand.start(config, id, size, command, (source, bytes) -> {});
    }

    @Override
    public AwaitedJob<CommandEnding> exec(
            String id, List<String> command, @Nullable InputStream input, OutputListener listener)
            throws CommandFailure {
        BoxCommand started = BoxCommand.start(config, id, null, command, listener);
        if (input == null) {
            started.sendEnd();
        } else {
            Thread.ofPlatform().daemon().name("cordon-input").start(() -> started.feed(input));
        }
        return started;
    }

    @Override
    public void put(String id, String path, int mode, InputStream content) throws CommandFailure, IOException {
        try (BoxConnection box = BoxConnection.to(config, id)) {
            box.send(BoxFrame.of(BoxFrame.PUT, path, Integer.toString(mode)));
            box.send(BoxFrame.INPUT, content);
            box.send(BoxFrame.of(BoxFrame.INPUT_END));
            BoxFile.check(box.receive());
        }
    }

    @Override
    public Content open(String id, String path) throws CommandFailure, IOException {
        return BoxFile.open(BoxConnection.to(config, id), path);
    }
}
