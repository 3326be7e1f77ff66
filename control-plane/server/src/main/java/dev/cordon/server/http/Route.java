package dev.cordon.server.http;

import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import java.util.Set;

/**
 * One line of the API.
 *
 * @param method  the HTTP method
 * @param path    with parameters in braces
 * @param access  who may use it
 * @param handler what is done
 * @param query   the names of its query parameters; every other one is refused
 */
public record Route(HandlerType method, String path, RouteAccess access, Handler handler, Set<String> query) {
    public Route {
        query = Set.copyOf(query);
    }

    /** Its method and path, which name what is done. */
    String title() {
        return method.name() + " " + path;
    }

    /** Whether its handler writes down by itself what administrators do, because only it knows to what. */
    boolean toldByItself() {
        return handler instanceof Telling;
    }

    /** A handler that writes down by itself what administrators do. */
    public interface Telling extends Handler {}

    /** This route with something before its handler. */
    public Route after(Handler first) {
        return new Route(
                method,
                path,
                access,
                ctx -> {
                    first.handle(ctx);
                    handler.handle(ctx);
                },
                query);
    }

    public static Route get(String path, RouteAccess access, Handler handler, String... query) {
        return new Route(HandlerType.GET, path, access, handler, Set.of(query));
    }

    public static Route post(String path, RouteAccess access, Handler handler, String... query) {
        return new Route(HandlerType.POST, path, access, handler, Set.of(query));
    }

    public static Route put(String path, RouteAccess access, Handler handler, String... query) {
        return new Route(HandlerType.PUT, path, access, handler, Set.of(query));
    }

    public static Route delete(String path, RouteAccess access, Handler handler, String... query) {
        return new Route(HandlerType.DELETE, path, access, handler, Set.of(query));
    }
}
