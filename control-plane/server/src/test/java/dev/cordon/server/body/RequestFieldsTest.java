package dev.cordon.server.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cordon.server.job.JsonTree;
import dev.cordon.server.problem.Problem;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Objects with as many members as a request can have: what they cost is in proportion to them. */
class RequestFieldsTest {
    private static final int MANY = 40_000;

    private static String joined(String open, IntFunction<String> member, String close) {
        return IntStream.range(0, MANY).mapToObj(member).collect(Collectors.joining(",", open, close));
    }

    private static Problem refusal(String body) {
        JobReader reader = new JobReader(1 << 20);
        Problem[] problem = new Problem[1];
        assertThatThrownBy(() -> reader.read(new RequestFields(JsonTree.read(body))))
                .isInstanceOfSatisfying(Problem.class, each -> problem[0] = each);
        return problem[0];
    }

    @Test
    void ofManyUnknownMembersSomeAreNamed() {
        Problem problem = refusal(joined("{\"argv\":[\"true\"],", i -> "\"a" + i + "\":1", "}"));
        assertThat(problem.errors()).hasSize(100);
        assertThat(problem.detail()).contains("is no known field", "more");
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
        assertThat(new JobReader(1 << 20)
                        .read(new RequestFields(JsonTree.read(env)))
                        .labels())
                .isEmpty();
    }
}
