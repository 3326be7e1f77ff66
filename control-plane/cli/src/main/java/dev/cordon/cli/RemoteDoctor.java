package dev.cordon.cli;

import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import dev.cordon.host.Check;
import dev.cordon.host.Diagnosis;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** {@code cordon doctor} of a service's host. */
final class RemoteDoctor implements RemoteCommand {
    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        Colour colour = Colour.of(arguments, stdio.outIsTerminal(), stdio);
        String text = service.text("GET", "/v1/doctor", null);
        JsonNode json = ServiceClient.MAPPER.readTree(text);
        if (!json.path("summary").has("pass")) {
            return brief(json.path("summary").path("usable").asBoolean(false), text, arguments, stdio);
        }
        Diagnosis diagnosis = read(json);
        stdio.print(arguments.has(Option.JSON) ? text + "\n" : DoctorCommand.table(diagnosis, colour));
        return diagnosis.usable() ? 0 : 1;
    }

    /** What a service tells those who are not its administrators. */
    private static int brief(boolean usable, String text, Arguments arguments, Stdio stdio) throws IOException {
        stdio.print((arguments.has(Option.JSON) ? text : usable ? "jobs can run here" : "jobs cannot run here") + "\n");
        if (!arguments.has(Option.JSON)) {
            stdio.message("the checks are for administrators of the service; --local checks this host");
        }
        return usable ? 0 : 1;
    }

    private static Diagnosis read(JsonNode json) {
        List<Check> checks = new ArrayList<>();
        for (JsonNode check : json.path("checks")) {
            checks.add(new Check(
                    check.path("id").asString(""),
                    Check.Status.valueOf(check.path("status").asString("")),
                    check.path("found").asString(""),
                    check.path("why").asString(""),
                    check.path("remedy").asString("")));
        }
        return new Diagnosis(checks);
    }
}
