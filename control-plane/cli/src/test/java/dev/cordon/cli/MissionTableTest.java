package dev.cordon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MissionTableTest {
    @Test
    void everyRowIsThereOnceAndShowsSomething() throws Exception {
        List<MissionTable.Row> rows = MissionTable.rows();
        assertThat(rows.stream().map(MissionTable.Row::number))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 68).boxed().toList());
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.lines()).as(row.title()).isNotEmpty();
            assertThat(row.reason().isEmpty()).as(row.title()).isEqualTo(row.state() == MissionTable.State.WORKS);
        });
    }
}
