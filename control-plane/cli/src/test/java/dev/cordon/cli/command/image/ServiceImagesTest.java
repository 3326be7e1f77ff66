package dev.cordon.cli.command.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.cordon.cli.TestStdio;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code cordon image build} against what stands in for a service: a real build takes minutes and the network. */
class ServiceImagesTest {
    private static final String STEPS = """
        {"event":"progress","id":1,"data":{"step":1,"of":3,"what":"the kernel"}}

        {"event":"progress","id":2,"data":{"step":2,"of":3,"what":"pack\\u001b[2Jages"}}
        """;

    private volatile String events = "";
    private volatile String asked = "";
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/templates", exchange -> {
            boolean build = exchange.getRequestMethod().equals("POST");
            if (build) {
                asked = exchange.getRequestURI() + " "
                        + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            }
            exchange.sendResponseHeaders(200, 0);
            try (var body = exchange.getResponseBody()) {
                String answer = build ? events : "{\"data\":[{\"name\":\"mine\",\"size_bytes\":2097152}]}";
                body.write(answer.getBytes(StandardCharsets.UTF_8));
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private TestStdio run(int code, TestStdio stdio, String... words) {
        stdio.environment(Map.of("CORDON_HOST", host()));
        assertThat(stdio.run(words)).as(stdio.err()).isEqualTo(code);
        return stdio;
    }

    private String host() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Test
    void theServiceBuildsItAndTellsHowFarItIs() {
        events = STEPS + "{\"event\":\"exit\",\"id\":3,\"data\":{\"outcome\":\"ok\"}}\n";
        TestStdio built = run(0, new TestStdio(), "image", "build", "--refresh", "mine");
        assertThat(asked).isEqualTo("/v1/templates/mine/builds {\"refresh\":true}");
        assertThat(built.err()).isEqualTo("cordon: 1 of 3: the kernel\ncordon: 2 of 3: pack^[[2Jages\n");
        assertThat(built.out()).isEqualTo("mine: 2 MiB, of the service at " + host() + "\n");
        TestStdio seen = run(0, new TestStdio().terminal(), "image", "build", "--json", "mine");
        assertThat(seen.err())
                .contains("\rcordon: [-----", "] 2 of 3: pack^[[2Jages, ")
                .endsWith("\r\033[K");
        assertThat(seen.out()).isEqualTo("{\"name\":\"mine\",\"key\":null,\"size\":2097152}\n");
    }

    @Test
    void aBuildThatFailsIsToldWithItsRemedyAndOneWithoutAnEndIsNoSuccess() {
        events = STEPS
                + "{\"event\":\"error\",\"id\":3,\"data\":{\"detail\":\"no such package\",\"remedy\":\"name"
                + " another\"}}\n";
        assertThat(run(125, new TestStdio(), "image", "build", "mine").err())
                .endsWith("cordon: no such package\ncordon: remedy: name another\n");
        events = STEPS;
        TestStdio broken = run(125, new TestStdio(), "image", "build", "mine");
        assertThat(broken.err()).contains("did not tell how the build ended");
        assertThat(broken.out()).isEmpty();
    }
}
