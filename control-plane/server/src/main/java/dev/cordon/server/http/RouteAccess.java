package dev.cordon.server.http;

import dev.cordon.server.access.Role;
import io.javalin.security.RouteRole;
import java.util.Optional;

/** Who may use a route. A route without one is used by nobody. */
public enum RouteAccess implements RouteRole {
    PUBLIC,
    READ,
    SUBMIT,
    ADMIN;

    /** The role that is asked for; empty when none is. */
    Optional<Role> role() {
        return this == PUBLIC ? Optional.empty() : Optional.of(Role.valueOf(name()));
    }
}
