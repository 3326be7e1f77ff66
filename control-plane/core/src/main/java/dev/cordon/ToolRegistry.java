package dev.cordon;

import dev.cordon.engine.SandboxException;
import dev.cordon.flow.JudgedJob;
import dev.cordon.job.FieldError;
import dev.cordon.job.InvalidJob;
import dev.cordon.job.Job;
import dev.cordon.job.JobId;
import dev.cordon.job.limit.DurationFormat;
import dev.cordon.policy.RateLimit;
import dev.cordon.quota.QuotaAnswer;
import dev.cordon.quota.ToolRates;
import dev.cordon.result.Outcome;
import dev.cordon.result.OutputListener;
import dev.cordon.result.Result;
import dev.cordon.tool.Tool;
import dev.cordon.tool.ToolCall;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The registered tools of one Cordon. A call becomes an ordinary job, so that the policy, quotas and the audit log hold for it as for any
 * other; the log has the tool's name in a member of its own, and its label {@code tool} is that name, too. Safe for use by many threads.
 */
public final class ToolRegistry {
    private final Cordon cordon;
    private final ToolRates rates;
    private volatile Map<String, Tool> tools;

    /** Rates are counted in the state directory, for all processes that have the same one. */
    ToolRegistry(Cordon cordon, Path state, List<Tool> tools) {
        this.cordon = cordon;
        this.rates = new ToolRates(state);
        this.tools = byName(tools);
    }

    private static Map<String, Tool> byName(List<Tool> tools) {
        Map<String, Tool> named = new TreeMap<>();
        tools.forEach(tool -> named.put(tool.name(), tool));
        return named;
    }

    /** Calls that come from now on find these tools; rates go on to count. */
    synchronized void replace(List<Tool> current) {
        tools = byName(current);
    }

    /** Adds a tool; one of the same name is replaced. After {@link Cordon#reloadTools} only those of the files are left. */
    public synchronized void register(Tool tool) {
        Map<String, Tool> more = new TreeMap<>(tools);
        more.put(tool.name(), tool);
        tools = more;
    }

    /** All of them, by name. */
    public List<Tool> list() {
        return new ArrayList<>(tools.values());
    }

    /** The one of this name. */
    public Optional<Tool> find(String name) {
        return Optional.ofNullable(tools.get(name));
    }

    /** Runs a call to its end. An interrupt of the calling thread cancels it. */
    public Result run(ToolCall call) {
        try (RunningJob running = start(Cordon.newId(), call, OutputListener.none())) {
            return running.awaitOrCancel();
        }
    }

    /**
     * The job that a call becomes. Its labels are the caller's and not checked yet: {@link Job#validate} does that.
     *
     * @throws InvalidJob when there is no such tool, or its parameters are not what it takes
     */
    public Job job(ToolCall call) {
        return job(tool(call), call);
    }

    private static Job job(Tool tool, ToolCall call) {
        Job job = tool.job(call.parameters());
        for (Map.Entry<String, String> label : call.labels().entrySet()) {
            job = job.label(label.getKey(), label.getValue());
        }
        return job.label("tool", tool.name()).owner(call.owner()).trust(call.trust());
    }

    private Tool tool(ToolCall call) {
        Map<String, Tool> known = tools;
        Tool tool = known.get(call.tool());
        if (tool == null) {
            throw new InvalidJob(List.of(new FieldError(
                    "/tool",
                    call.tool(),
                    "is not a tool here",
                    known.isEmpty() ? "none is registered" : "one of: " + String.join(", ", known.keySet()))));
        }
        return tool;
    }

    /** Starts a call under an id of {@link Cordon#newId} that was used for no other. */
    public RunningJob start(JobId id, ToolCall call, OutputListener listener) {
        return cordon.start(new ToolEntry(id, call, listener));
    }

    /** The job of a call. Its tool and parameters are checked with it, and the rate of the tool is one more quota. */
    private final class ToolEntry extends JobEntry {
        private final ToolCall call;
        private @Nullable Tool tool;

        ToolEntry(JobId id, ToolCall call, OutputListener listener) {
            super(id, null, listener, cordon, Purpose.START, null);
            this.call = call;
        }

        @Override
        public ToolCall call() {
            return call;
        }

        @Override
        Job asked() {
            Tool called = tool(call);
            tool = called;
            return job(called, call);
        }

        @Override
        public QuotaAnswer admit(JudgedJob judged) throws SandboxException {
            QuotaAnswer.Refused tooOften = tool == null ? null : tooOften(tool, call);
            return tooOften == null ? super.admit(judged) : tooOften;
        }
    }

    private QuotaAnswer.@Nullable Refused tooOften(Tool tool, ToolCall call) throws SandboxException {
        RateLimit rate = tool.rate();
        if (rate == null) {
            return null;
        }
        try {
            Optional<Duration> wait = rates.pass(tool.name() + '\0' + call.owner(), rate);
            String reason = "rate of tool " + tool.name() + " for " + call.owner() + ": " + rate.count() + " calls in "
                    + DurationFormat.format(rate.per()) + ", at most " + rate.burst() + " at once";
            return wait.isEmpty() ? null : new QuotaAnswer.Refused(reason, wait.get());
        } catch (IOException e) {
            throw new SandboxException(new Outcome.SetupFailed(
                    "rates",
                    "",
                    "the rate of tool " + tool.name() + " cannot be counted: " + e,
                    "make the state directory writable"));
        }
    }
}
