package dev.cordon.server.http;

import java.util.List;
import java.util.function.Predicate;

/** The routes as METHOD path, for tests. */
public final class RouteTable {
    private RouteTable() {}

    public static List<String> of(Api api) {
        return list(api, route -> true);
    }

    public static List<String> guarded(Api api) {
        return list(api, route -> route.access() != Access.PUBLIC);
    }

    public static List<String> forAdmins(Api api) {
        return list(api, route -> route.access() == Access.ADMIN);
    }

    public static List<String> forSubmitters(Api api) {
        return list(api, route -> route.access() == Access.SUBMIT);
    }

    private static List<String> list(Api api, Predicate<Route> wanted) {
        return api.routes().stream()
                .filter(wanted)
                .map(route -> route.method().name() + " " + route.path().replace("<path>", "{path}"))
                .toList();
    }
}
