package dev.cordon.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.server.ApiDocument;
import dev.cordon.server.RouteTable;
import dev.cordon.server.TestService;
import dev.cordon.server.job.JsonTree;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every route that is served, against its documentation and against callers who may not use it. */
class RoutesTest {
    @TempDir
    static Path directory;

    static TestService service;

    @BeforeAll
    static void start() throws Exception {
        service = new TestService(directory);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static Set<String> documented() throws IOException {
        return ApiDocument.read().routes();
    }

    private static String concrete(String path) {
        return path.replace("{name}", "dashboard.js")
                .replace("{id}", "unknown")
                .replace("<path>", "a/b")
                .replace("{path}", "a");
    }

    @Test
    void everyRouteIsDocumentedAndEveryDocumentedRouteIsServed() throws Exception {
        assertThat(RouteTable.of(service.routes())).containsExactlyInAnyOrderElementsOf(documented());
        assertThat(service.send(null, "GET", "/openapi.yaml", null).body()).isEqualTo(ApiDocument.text());
    }

    @Test
    void aKeyThatIsInTheDocumentTwiceIsNoticed() throws Exception {
        String twice = ApiDocument.text().replace("        stdout_truncated:", "        stderr_truncated:");
        assertThatThrownBy(() -> ApiDocument.of(twice)).hasMessageContaining("stderr_truncated");
    }

    @Test
    void documentedParametersAreThoseThatAreRead() throws Exception {
        ApiDocument document = ApiDocument.read();
        RouteTable.queries(service.routes()).forEach((route, names) -> {
            assertThat(document.parameters(route, "query")).as(route).isEqualTo(names);
            Set<String> inPath = Pattern.compile("\\{(\\w+)}")
                    .matcher(route)
                    .results()
                    .map(found -> found.group(1))
                    .collect(Collectors.toSet());
            assertThat(document.parameters(route, "path")).as(route).isEqualTo(inPath);
        });
    }

    @Test
    void aQueryParameterThatNobodyReadsIsRefused() throws Exception {
        for (String route : RouteTable.of(service.routes())) {
            String[] parts = route.split(" ", 2);
            HttpResponse<String> answer =
                    service.send(service.admin, parts[0], concrete(parts[1]) + "?no_such=1", null);
            assertThat(answer.statusCode()).as(route + " " + answer.body()).isEqualTo(400);
            assertThat(answer.body()).as(route).contains("invalid_request", "no_such");
            ApiDocument.read().check(route, answer);
        }
    }

    @Test
    void numbersAndWordsOfAQueryAreRefusedBeyondTheirBounds() throws Exception {
        for (String path : new String[] {"/v1/jobs", "/v1/sandboxes", "/v1/admin/audit"}) {
            for (String limit : new String[] {"0", "101", "500", "-1", "x", ""}) {
                HttpResponse<String> answer = service.get(service.admin, path + "?limit=" + limit);
                assertThat(answer.statusCode()).as(path + limit).isEqualTo(400);
                assertThat(answer.body()).contains("limit", "1 to 100");
            }
        }
        assertThat(service.get(service.admin, "/v1/admin/audit?last=10001").body())
                .contains("1 to 10000");
        assertThat(service.get(service.admin, "/v1/jobs/unknown?wait_ms=-1").body())
                .contains("wait_ms");
        assertThat(service.get(service.admin, "/v1/jobs?limit=100").statusCode())
                .isEqualTo(200);
    }

    @Test
    void everyDocumentedRouteAnswers() throws Exception {
        ApiDocument document = ApiDocument.read();
        for (String route : documented()) {
            String[] parts = route.split(" ", 2);
            if (parts[1].equals("/v1/events")) {
                continue; // it answers for ever
            }
            boolean body = !parts[0].equals("GET") && !parts[0].equals("DELETE");
            HttpResponse<String> answer = service.send(service.admin, parts[0], concrete(parts[1]), body ? "{" : null);
            assertThat(answer.statusCode()).as(route + " " + answer.body()).isNotIn(405, 500, 501);
            document.check(route, answer);
            if (answer.statusCode() == 404) {
                assertThat(answer.body()).as(route).doesNotContain("\"code\":\"not_found\"");
            }
            assertThat(answer.headers().firstValue("X-Request-ID")).as(route).isPresent();
            assertThat(answer.headers().firstValue("Server")).as(route).isEmpty();
            assertThat(answer.headers().firstValue("X-Content-Type-Options"))
                    .as(route)
                    .contains("nosniff");
            assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
                    .as(route)
                    .isEmpty();
        }
    }

    @Test
    void nobodyPassesWithoutAValidToken() throws Exception {
        String wrong =
                service.alice.substring(0, service.alice.length() - 1) + (service.alice.endsWith("A") ? "B" : "A");
        int checked = 0;
        for (String route : RouteTable.guarded(service.routes())) {
            String[] parts = route.split(" ", 2);
            for (String token : new String[] {null, wrong, "cordon_x_y", "cordon_", "x".repeat(5_000)}) {
                HttpResponse<String> answer = service.send(token, parts[0], concrete(parts[1]), null);
                assertThat(answer.statusCode()).as(route).isEqualTo(401);
                assertThat(answer.headers().firstValue("WWW-Authenticate")).isPresent();
                assertThat(answer.body()).contains("\"code\":\"unauthenticated\"");
                checked++;
            }
        }
        assertThat(checked).isGreaterThan(100);
    }

    @Test
    void aRoleGoesAsFarAsItSaysAndNotFurther() throws Exception {
        for (String route : RouteTable.forAdmins(service.routes())) {
            String[] parts = route.split(" ", 2);
            assertThat(service.send(service.alice, parts[0], concrete(parts[1]), null)
                            .statusCode())
                    .as(route)
                    .isEqualTo(403);
        }
        for (String route : RouteTable.forSubmitters(service.routes())) {
            String[] parts = route.split(" ", 2);
            assertThat(service.send(service.reader, parts[0], concrete(parts[1]), null)
                            .statusCode())
                    .as(route)
                    .isEqualTo(403);
        }
    }

    @Test
    void aTokenThatWasRevokedIsRefusedAtOnce() throws Exception {
        HttpResponse<String> made = service.post(
                service.admin, "/v1/admin/tokens", "{\"owner\":\"carol\",\"role\":\"read\",\"note\":\"a test\"}");
        assertThat(made.statusCode()).isEqualTo(201);
        String token = JsonTree.read(made.body()).path("token").asString();
        String id = JsonTree.read(made.body()).path("id").asString();
        assertThat(service.get(token, "/v1/info").statusCode()).isEqualTo(200);
        assertThat(service.get(service.admin, "/v1/admin/tokens").body())
                .contains(id)
                .doesNotContain(token);
        assertThat(service.send(service.admin, "DELETE", "/v1/admin/tokens/" + id, null)
                        .statusCode())
                .isEqualTo(204);
        assertThat(service.get(token, "/v1/info").statusCode()).isEqualTo(401);
        assertThat(service.send(service.admin, "DELETE", "/v1/admin/tokens/" + id, null)
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void pagesNameNoOtherHostAndAllowNoForeignScript() throws Exception {
        for (String page : new String[] {"/", "/docs"}) {
            HttpResponse<String> answer = service.send(null, "GET", page, null);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                    .contains("default-src 'none'")
                    .contains("script-src 'self'");
            assertThat(answer.body())
                    .doesNotContain("http://")
                    .doesNotContain("https://")
                    .doesNotContain("<script>");
        }
        for (String asset : new String[] {
            "chart.js", "dashboard.js", "dashboard.css", "docs.js", "swagger-ui-bundle.js", "swagger-ui.css"
        }) {
            assertThat(service.send(null, "GET", "/assets/" + asset, null).statusCode())
                    .as(asset)
                    .isEqualTo(200);
        }
        assertThat(service.send(null, "GET", "/assets/..%2fopenapi.yaml", null).statusCode())
                .isIn(400, 404);
    }
}
