package dev.cordon.cli;

import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.IOException;

/** A command that a service does. What it prints is what the same command prints in this process. */
interface RemoteCommand {
    /**
     * Does it.
     *
     * @return the exit code of the process
     * @throws UsageError  when the arguments make no sense together, or not to a service
     * @throws IOException when standard output is gone
     * @throws ServiceLost when the service is
     * @throws Refusal     when the service refuses, and the command has no better way to say it
     */
    int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal;
}
