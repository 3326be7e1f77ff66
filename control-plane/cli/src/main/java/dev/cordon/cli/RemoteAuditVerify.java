package dev.cordon.cli;

import dev.cordon.audit.Verification;
import dev.cordon.audit.Verifier;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** {@code cordon audit verify} of a service's log, by the service: whoever distrusts it verifies a copy of the files with --dir. */
final class RemoteAuditVerify implements RemoteCommand {
    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        for (Option option : AuditVerifyCommand.HERE) {
            Remote.refuse(arguments, option, "whoever vouches for a log does not leave that to its writer");
        }
        StringBuilder target = new StringBuilder("/v1/admin/audit/verification");
        for (Verifier.Anchor anchor : AuditVerifyCommand.anchors(arguments)) {
            target.append(target.indexOf("?") < 0 ? "?head=" : "&head=")
                    .append(anchor.sequence())
                    .append(':')
                    .append(anchor.hash());
        }
        String text;
        try {
            text = service.text("GET", target.toString(), null);
        } catch (Refusal e) {
            if (!RemoteAudit.absent(e)) {
                throw e;
            }
            return AuditVerifyCommand.missing(Path.of(""), e.detail(), arguments, stdio);
        }
        Verification found = read(ServiceClient.MAPPER.readTree(text));
        stdio.print(arguments.has(Option.JSON) ? text + "\n" : AuditVerifyCommand.text(found));
        return found.intact() ? 0 : AuditVerifyCommand.BROKEN;
    }

    /** What is not said to be intact is not. */
    private static Verification read(JsonNode json) {
        JsonNode removal = json.path("retention");
        JsonNode broken = json.path("broken");
        List<String> notes = new ArrayList<>();
        json.path("notes").forEach(note -> notes.add(TerminalText.visible(note.asString(""))));
        return new Verification(
                json.path("records").asLong(0),
                json.path("files").asInt(0),
                json.path("first").asLong(0),
                json.path("last").asLong(0),
                json.path("sha256").asString(""),
                removal.isObject()
                        ? new Verification.Removal(
                                removal.path("files").asLong(0),
                                removal.path("time").asString(""))
                        : null,
                new Verification.Proof(
                        json.path("anchored_to").asLong(0),
                        json.path("signed_to").asLong(0)),
                json.path("intact").asBoolean(false)
                        ? null
                        : new Verification.Breakage(
                                Path.of(broken.path("file").asString("log")),
                                broken.path("line").asLong(0),
                                broken.path("reason").asString("the service does not say that it is intact")),
                notes);
    }
}
