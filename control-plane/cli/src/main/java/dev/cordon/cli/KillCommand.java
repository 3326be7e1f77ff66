package dev.cordon.cli;

import dev.cordon.config.Config;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code cordon kill}: ends sandboxes that processes of this user hold open. */
final class KillCommand implements Command {
    private static final int NOT_ENDED = 125;

    @Override
    public String name() {
        return "kill";
    }

    @Override
    public List<String> description() {
        return List.of(
                "End open sandboxes of yours.",
                "",
                "Everything in them ends, their files with it. BOX is an id or a part of it.",
                "Through a service it can be a job, too, by its whole id (job_...), which cordon ps --jobs lists.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.CONFIG, Option.LOCAL, Option.JSON);
    }

    @Override
    public String operands() {
        return "BOX|JOB...";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteKill());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        check(arguments);
        Config config = Opening.config(arguments);
        int code = 0;
        List<String> told = new ArrayList<>();
        for (String part : arguments.operands()) {
            String id = new Boxes(config).named(part);
            boolean ended = ended(config, id);
            told.add(json(id, ended ? "ended" : "open"));
            if (!ended) {
                stdio.message("sandbox " + id + " does not answer; its process can be ended, see cordon ps --json");
                code = NOT_ENDED;
            }
        }
        print(told, arguments, stdio);
        return code;
    }

    /** What is told of a sandbox that was to end. */
    static String json(String id, String state) {
        return "{\"id\":\"" + id + "\",\"object\":\"sandbox\",\"state\":\"" + state + "\"}";
    }

    static void print(List<String> told, Arguments arguments, Stdio stdio) throws IOException {
        if (arguments.has(Option.JSON)) {
            stdio.print("{\"data\":[" + String.join(",", told) + "],\"next_cursor\":null}\n");
        }
    }

    static void check(Arguments arguments) throws UsageError {
        if (arguments.operands().isEmpty()) {
            throw new UsageError("a sandbox is needed; cordon ps lists them");
        }
    }

    private static boolean ended(Config config, String id) {
        try (BoxClient box = BoxClient.to(config, id)) {
            box.send(BoxFrame.of(BoxFrame.KILL));
            var _ = box.receive();
            return true;
        } catch (IOException gone) {
            // The holder of a shell's sandbox ends with it, and may be faster than its answer.
            return !there(config, id);
        }
    }

    private static boolean there(Config config, String id) {
        try (BoxClient box = BoxClient.to(config, id)) {
            box.send(BoxFrame.of(BoxFrame.INFO));
            var _ = box.receive();
            return true;
        } catch (IOException gone) {
            return false;
        }
    }
}
