package dev.cordon.server.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cordon.json.InvalidRequest;
import dev.cordon.json.JobRequest;
import dev.cordon.json.RequestFields;
import dev.cordon.server.access.Caller;
import dev.cordon.server.access.Role;
import dev.cordon.server.job.JsonTree;
import dev.cordon.server.problem.ProblemCode;
import dev.cordon.server.problem.RequestProblem;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Objects with as many members as a request can have: what they cost is in proportion to them. */
class JobReaderTest {
    private static final int MANY = 40_000;

    private static String joined(String open, IntFunction<String> member, String close) {
        return IntStream.range(0, MANY).mapToObj(member).collect(Collectors.joining(",", open, close));
    }

    private static JobRequest read(String body) {
        return new JobReader(1 << 20)
                .read(new RequestFields(JsonTree.read(body)), new Caller("tok_1", "alice", Role.SUBMIT));
    }

    private static RequestProblem refusal(String body) {
        InvalidRequest wrong = catchThrowableOfType(InvalidRequest.class, () -> read(body));
        return RequestProblem.of(ProblemCode.INVALID_REQUEST, wrong.errors());
    }

    @Test
    void ofManyUnknownMembersSomeAreNamed() {
        RequestProblem problem = refusal(joined("{\"argv\":[\"true\"],", i -> "\"a" + i + "\":1", "}"));
        assertThat(problem.errors()).hasSize(100);
        assertThat(problem.detail()).contains("is not a known field", "more");
    }

    @Test
    void tooManyMembersAreOneMistake() {
        for (String body : new String[] {
            joined("{\"argv\":[\"true\"],\"env\":{", i -> "\"a" + i + "\":\"\"", "}}"),
            joined("{\"argv\":[\"true\"],\"labels\":{", i -> "\"a" + i + "\":\"\"", "}}"),
            joined("{\"argv\":[\"true\"],\"artifacts\":[", i -> "\"a" + i + "\"", "]}"),
            joined("{\"argv\":[\"true\"],\"files\":[", i -> "{}", "]}"),
            joined("{\"argv\":[", i -> "\"a" + i + "\"", "]}")
        }) {
            assertThat(refusal(body).detail()).contains(MANY + " members", "more than 10000", "send fewer");
        }
    }

    /** Each of them was copied for each that came after it. */
    @Test
    void asManyAsThereCanBeAreRead() {
        String env = IntStream.range(0, 9_000)
                .mapToObj(i -> "\"a" + i + "\":\"\"")
                .collect(Collectors.joining(",", "{\"argv\":[\"true\"],\"env\":{", "}}"));
        assertThat(read(env).labels()).isEmpty();
    }
}
