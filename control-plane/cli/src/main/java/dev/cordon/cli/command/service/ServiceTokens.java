package dev.cordon.cli.command.service;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.client.ServiceLost;
import dev.cordon.cli.client.ServiceRefusal;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.job.limit.DurationFormat;
import dev.cordon.server.ServiceCommands;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Tokens, through the service that knows them. */
record ServiceTokens(ServiceClient service) implements TokenGateway {
    private static final String TOKENS = "/v1/admin/tokens";

    @Override
    public String create(String owner, String role, String note, @Nullable Duration lifetime) throws CommandFailure {
        ObjectNode body = ServiceClient.MAPPER
                .createObjectNode()
                .put("owner", owner)
                .put("role", role)
                .put("note", note);
        if (ServiceCommands.NEVER.equals(lifetime)) {
            body.put("never_expires", true);
        } else if (lifetime != null) {
            body.put("expires_in", DurationFormat.format(lifetime));
        }
        try {
            return service.post(TOKENS, body).toString();
        } catch (ServiceRefusal e) {
            throw e.is("invalid_request") ? new UsageError(e.detail()) : e;
        }
    }

    @Override
    public String list() throws ServiceLost, ServiceRefusal {
        return service.text("GET", TOKENS, null);
    }

    @Override
    public boolean revoke(String id, boolean cancelJobs) throws ServiceLost, ServiceRefusal {
        try {
            String jobs = cancelJobs ? "?cancel_jobs=true" : "";
            var _ = service.text("DELETE", TOKENS + "/" + ServiceClient.quoted(id) + jobs, null);
            return true;
        } catch (ServiceRefusal e) {
            if (e.is("token_not_found")) {
                return false;
            }
            throw e;
        }
    }
}
