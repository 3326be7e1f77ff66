package dev.cordon.server;

import dev.cordon.server.http.ApiRoute;
import dev.cordon.server.http.RouteAccess;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The routes as METHOD path, for tests. */
public final class RouteTable {
    private RouteTable() {}

    public static List<String> of(HttpApi api) {
        return list(api, route -> true);
    }

    public static List<String> guarded(HttpApi api) {
        return list(api, route -> route.access() != RouteAccess.PUBLIC);
    }

    public static List<String> forAdmins(HttpApi api) {
        return list(api, route -> route.access() == RouteAccess.ADMIN);
    }

    public static List<String> forSubmitters(HttpApi api) {
        return list(api, route -> route.access() == RouteAccess.SUBMIT);
    }

    /** The query parameters that each route reads. */
    public static Map<String, Set<String>> queries(HttpApi api) {
        return api.routes().stream().collect(Collectors.toMap(RouteTable::title, ApiRoute::query));
    }

    private static String title(ApiRoute route) {
        return route.method().name() + " " + route.path().replace("<path>", "{path}");
    }

    private static List<String> list(HttpApi api, Predicate<ApiRoute> wanted) {
        return api.routes().stream().filter(wanted).map(RouteTable::title).toList();
    }
}
