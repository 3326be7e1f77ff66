package dev.cordon.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests to one service. Each has a connection of its own: a command has few of them, and some last as long as a job. */
public final class ServiceClient {
    /** Reads and writes JSON. */
    public static final JsonMapper MAPPER = new JsonMapper();

    private static final int PAGE = 100;
    private static final int FAILED = 400;
    private static final int MOST_PROBLEM = 1 << 20;
    private static final String JSON = "application/json";
    private static final String BYTES = "application/octet-stream";

    private final ServiceAddress address;
    private final Map<String, String> always = new LinkedHashMap<>();

    /**
     * For a service.
     *
     * @param token sent with each request; null for none
     */
    public ServiceClient(ServiceAddress address, @Nullable String token) {
        this.address = address;
        if (token != null) {
            always.put("Authorization", "Bearer " + token);
        }
    }

    /** Where it is, for messages. */
    public String where() {
        return address.toString();
    }

    /** A part of a path. */
    public static String quoted(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** A path, each part of it quoted by itself. */
    public static String quotedPath(String path) {
        return Arrays.stream(path.split("/", -1)).map(ServiceClient::quoted).collect(Collectors.joining("/"));
    }

    /** The first ones of a list that comes in pages, in the API's shape: with a cursor where there are more. */
    public ObjectNode list(String target, int most) throws ServiceLost, ServiceRefusal {
        ObjectNode answer = MAPPER.createObjectNode();
        ArrayNode data = answer.putArray("data");
        String cursor = "";
        do {
            JsonNode page = get(target + (target.contains("?") ? "&" : "?") + "limit="
                    + Math.min(PAGE, most - data.size()) + (cursor.isEmpty() ? "" : "&cursor=" + quoted(cursor)));
            page.path("data").forEach(data::add);
            cursor = page.path("next_cursor").asString("");
        } while (!cursor.isEmpty() && data.size() < most);
        return answer.put("next_cursor", cursor.isEmpty() ? null : cursor);
    }

    /** An answer that is read as JSON. */
    public JsonNode get(String target) throws ServiceLost, ServiceRefusal {
        return parsed(text("GET", target, null));
    }

    /** An answer as it stands. */
    public String text(String method, String target, @Nullable JsonNode body) throws ServiceLost, ServiceRefusal {
        try (HttpExchange exchange = open(method, target, body, JSON)) {
            return exchange.text();
        }
    }

    /** Sends JSON and reads JSON. */
    public JsonNode post(String target, JsonNode body) throws ServiceLost, ServiceRefusal {
        return parsed(text("POST", target, body));
    }

    /** Hands a job in without waiting for it, and returns its id. */
    public String started(String target, JsonNode body) throws ServiceLost, ServiceRefusal {
        Map<String, String> headers = headers(JSON, JSON);
        headers.put("Prefer", "respond-async");
        byte[] bytes = MAPPER.writeValueAsBytes(body);
        return parsed(answered(connection -> connection.send("POST", target, headers, bytes)))
                .path("id")
                .asString("");
    }

    /** Sends bytes; nothing is read. */
    public void put(String method, String target, byte[] body) throws ServiceLost, ServiceRefusal {
        var _ = answered(connection -> connection.send(method, target, headers(JSON, BYTES), body));
    }

    /** Sends a stream; nothing is read. */
    public void put(String target, InputStream body) throws ServiceLost, ServiceRefusal {
        var _ = answered(connection -> connection.send("PUT", target, headers(JSON, BYTES), body));
    }

    /** Opens an exchange whose answer is read by the caller, who closes it. */
    public HttpExchange open(String method, String target, @Nullable JsonNode body, String accept)
            throws ServiceLost, ServiceRefusal {
        byte[] bytes = body == null ? new byte[0] : MAPPER.writeValueAsBytes(body);
        return exchange(
                connection -> connection.send(method, target, headers(accept, body == null ? "" : JSON), bytes));
    }

    /** Opens a WebSocket; the caller closes it. */
    public WebSocket socket(String target) throws ServiceLost, ServiceRefusal {
        HttpConnection connection = connected();
        Map<String, String> headers = WebSocket.opening(always);
        var _ = answer(
                connection,
                opened -> opened.send("GET", target, headers, new byte[0]),
                status -> status == HttpAnswer.SWITCHING);
        return new WebSocket(connection);
    }

    private HttpConnection connected() throws ServiceLost {
        try {
            return HttpConnection.to(address);
        } catch (IOException | RuntimeException e) {
            throw new ServiceLost("the service at " + address + " cannot be reached", e);
        }
    }

    private Map<String, String> headers(String accept, String type) {
        Map<String, String> headers = new LinkedHashMap<>(always);
        headers.put("Accept", accept);
        if (!type.isEmpty()) {
            headers.put("Content-Type", type);
        }
        return headers;
    }

    @FunctionalInterface
    private interface Sending {
        HttpAnswer over(HttpConnection connection) throws IOException;
    }

    private String answered(Sending sending) throws ServiceLost, ServiceRefusal {
        try (HttpExchange exchange = exchange(sending)) {
            return exchange.text();
        }
    }

    private HttpExchange exchange(Sending sending) throws ServiceLost, ServiceRefusal {
        HttpConnection connection = connected();
        HttpAnswer answer = answer(connection, sending, status -> status < FAILED);
        return new HttpExchange(connection, answer, answer.lines(), where());
    }

    /** The connection is closed unless the answer is as it should be. */
    private HttpAnswer answer(HttpConnection connection, Sending sending, IntPredicate expected)
            throws ServiceLost, ServiceRefusal {
        try {
            HttpAnswer answer = sending.over(connection);
            if (!expected.test(answer.status())) {
                throw refusal(answer);
            }
            return answer;
        } catch (IOException e) {
            connection.close();
            throw new ServiceLost("the service at " + address + " broke off", e);
        } catch (ServiceRefusal e) {
            connection.close();
            throw e;
        }
    }

    private ServiceRefusal refusal(HttpAnswer answer) throws IOException {
        String text = new String(answer.body().readNBytes(MOST_PROBLEM), StandardCharsets.UTF_8);
        String retry = answer.header("Retry-After");
        Duration after = retry.matches("[0-9]{1,9}") ? Duration.ofSeconds(Long.parseLong(retry)) : null;
        try {
            return new ServiceRefusal(where(), answer.status(), MAPPER.readTree(text), after);
        } catch (JacksonException e) {
            return new ServiceRefusal(where(), answer.status(), MAPPER.createObjectNode(), after);
        }
    }

    private JsonNode parsed(String text) throws ServiceLost {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw new ServiceLost("the service at " + address + " answered what is not JSON");
        }
    }
}
