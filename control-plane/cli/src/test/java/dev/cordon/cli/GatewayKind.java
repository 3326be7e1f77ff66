package dev.cordon.cli;

import dev.cordon.cli.terminal.RunningService;
import java.util.Map;

/** The gateways that the contract suites run over: this process, and a service by its socket and by its port. */
enum GatewayKind {
    HERE,
    UNIX,
    TCP;

    /** The environment of a command that is to use this one. */
    Map<String, String> environment(RunningService service) {
        return switch (this) {
            case HERE -> Map.of("CORDON_HOST", "none");
            case UNIX -> service.unix();
            case TCP -> service.tcp();
        };
    }
}
