package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.junit.jupiter.api.Test;

/** A connection that became a terminal's is no longer waited for at the head of a request. */
class HeaderDeadlineTest {
    private static Connection connection(Class<?>... kinds) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), kinds, (self, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> System.identityHashCode(self) == System.identityHashCode(arguments[0]);
                    default -> method.getReturnType() == long.class ? (Object) 0L : null;
                });
    }

    @Test
    void onlyConnectionsOfHttpAreWatched() {
        try (HeaderDeadline deadline = new HeaderDeadline()) {
            Connection http = connection(Connection.class, ConnectionMetaData.class);
            deadline.onOpened(http);
            assertThat(deadline.watched()).isEqualTo(1);
            deadline.onOpened(connection(Connection.class));
            assertThat(deadline.watched()).isEqualTo(1);
            deadline.onClosed(http);
            assertThat(deadline.watched()).isZero();
        }
    }
}
