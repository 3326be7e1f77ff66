package dev.cordon.cli.command.tool;

import dev.cordon.Cordon;
import dev.cordon.ToolRegistry;
import dev.cordon.cli.command.run.LocalJob;
import dev.cordon.cli.command.run.RunOptions;
import dev.cordon.cli.parse.CordonOpening;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.terminal.AwaitedJob;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.json.ToolJson;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import dev.cordon.tool.InvalidTool;
import dev.cordon.tool.Tool;
import dev.cordon.tool.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Tools of this process. */
record LocalTools(ParsedArguments arguments, StandardStreams stdio) implements ToolGateway {
    @Override
    public List<Listing> list() throws CommandFailure {
        try (Cordon cordon = CordonOpening.of(arguments)) {
            List<Listing> tools = new ArrayList<>();
            for (Tool tool : cordon.tools().list()) {
                tools.add(new Listing(tool.name(), tool.description(), new TreeSet<>(tool.names()), ToolJson.of(tool)));
            }
            return tools;
        } catch (InvalidTool e) {
            throw new CommandFailure(CommandFailure.NOT_FOUND, e.errors());
        }
    }

    @Override
    public AwaitedJob<Result> start(Request request, OutputListener listener) throws CommandFailure {
        Cordon cordon = CordonOpening.recorded(arguments, stdio);
        try {
            ToolRegistry tools = cordon.tools();
            String whole = request.parameters();
            String parameters = whole == null
                    ? tools.find(request.name())
                            .map(tool -> tool.typed(request.typed()))
                            .orElse("{}")
                    : whole;
            String owner = arguments.value(RunOptions.OWNER).orElse("local");
            ToolCall call = new ToolCall(request.name(), parameters, owner, request.labels(), request.trust());
            return new LocalJob(cordon, tools.start(Cordon.newId(), call, listener), null);
        } catch (InvalidTool e) {
            cordon.close();
            throw new CommandFailure(CommandFailure.NOT_FOUND, e.errors());
        } catch (RuntimeException | Error e) {
            cordon.close();
            throw e;
        }
    }
}
