package dev.cordon.server.http;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

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

    /** The query parameters that each route reads. */
    public static Map<String, Set<String>> queries(Api api) {
        return api.routes().stream().collect(Collectors.toMap(RouteTable::title, Route::query));
    }

    private static String title(Route route) {
        return route.method().name() + " " + route.path().replace("<path>", "{path}");
    }

    private static List<String> list(Api api, Predicate<Route> wanted) {
        return api.routes().stream().filter(wanted).map(RouteTable::title).toList();
    }
}
