package dev.cordon.server.http;

import io.javalin.http.Handler;
import io.javalin.http.HandlerType;

/**
 * One line of the API.
 *
 * @param method  the HTTP method
 * @param path    with parameters in braces
 * @param access  who may use it
 * @param handler what is done
 */
record Route(HandlerType method, String path, Access access, Handler handler) {
    static Route get(String path, Access access, Handler handler) {
        return new Route(HandlerType.GET, path, access, handler);
    }

    static Route post(String path, Access access, Handler handler) {
        return new Route(HandlerType.POST, path, access, handler);
    }

    static Route put(String path, Access access, Handler handler) {
        return new Route(HandlerType.PUT, path, access, handler);
    }

    static Route delete(String path, Access access, Handler handler) {
        return new Route(HandlerType.DELETE, path, access, handler);
    }
}
