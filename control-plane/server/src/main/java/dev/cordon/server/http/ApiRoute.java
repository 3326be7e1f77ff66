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
public record ApiRoute(HandlerType method, String path, RouteAccess access, Handler handler, Set<String> query) {
    public ApiRoute {
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
    public ApiRoute after(Handler first) {
        return new ApiRoute(
                method,
                path,
                access,
                ctx -> {
                    first.handle(ctx);
                    handler.handle(ctx);
                },
                query);
    }

    public static ApiRoute get(String path, RouteAccess access, Handler handler, String... query) {
        return new ApiRoute(HandlerType.GET, path, access, handler, Set.of(query));
    }

    public static ApiRoute post(String path, RouteAccess access, Handler handler, String... query) {
        return new ApiRoute(HandlerType.POST, path, access, handler, Set.of(query));
    }

    public static ApiRoute put(String path, RouteAccess access, Handler handler, String... query) {
        return new ApiRoute(HandlerType.PUT, path, access, handler, Set.of(query));
    }

    public static ApiRoute delete(String path, RouteAccess access, Handler handler, String... query) {
        return new ApiRoute(HandlerType.DELETE, path, access, handler, Set.of(query));
    }
}
