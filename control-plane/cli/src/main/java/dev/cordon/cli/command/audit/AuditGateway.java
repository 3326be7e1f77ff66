package dev.cordon.cli.command.audit;

import dev.cordon.audit.verify.AuditReader.Visitor;
import dev.cordon.audit.verify.AuditRecord;
import dev.cordon.audit.verify.LogVerification;
import dev.cordon.audit.verify.LogVerifier;
import dev.cordon.audit.verify.VerificationJson;
import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceChoice;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The log of what was decided and what happened: of this process, or of a service. One that is not there yet has no records, and the user is told. */
interface AuditGateway {
    /** The one that a command line means. */
    static AuditGateway of(ParsedArguments arguments, StandardStreams stdio) throws UsageError {
        ServiceClient service = ServiceChoice.service(arguments, stdio);
        return service == null ? new LocalAudit(arguments, stdio) : new ServiceAudit(service, arguments, stdio);
    }

    /**
     * What records have in common.
     *
     * @param owner whose jobs; null for all, and an empty one is nobody's
     * @param kind  of the record; null for all
     */
    record Filter(@Nullable String owner, @Nullable String kind) {
        boolean passes(AuditRecord record) {
            return (owner == null || record.text("owner").equals(owner))
                    && (kind == null || record.text("kind").equals(kind));
        }
    }

    /** Everything that is there now. */
    void read(Filter filter, Visitor visitor) throws CommandFailure, IOException;

    /** The last records, and after them for ever those that come, if that is asked for. */
    void tail(int count, Filter filter, boolean follow, Visitor visitor) throws CommandFailure, IOException;

    /** All about a job or another object, or the record of a sequence number. */
    List<AuditRecord> about(String wanted) throws CommandFailure, IOException;

    /** Whether it is as it was written, compared with heads that were kept elsewhere. */
    Verified verify(List<LogVerifier.Anchor> heads) throws CommandFailure, IOException;

    /**
     * What was found.
     *
     * @param found   for people
     * @param json    for programs
     * @param missing why there is no log; null for one that was read
     */
    record Verified(
            LogVerification found, String json, @Nullable String missing) {
        /** A log that is not there is not intact. */
        static Verified missing(Path directory, String reason) {
            LogVerification.Breakage breakage = new LogVerification.Breakage(directory, 0, reason);
            LogVerification found =
                    new LogVerification(0, 0, 0, 0, "", null, LogVerification.Proof.NONE, breakage, List.of());
            return new Verified(found, VerificationJson.of(found), reason);
        }
    }
}
