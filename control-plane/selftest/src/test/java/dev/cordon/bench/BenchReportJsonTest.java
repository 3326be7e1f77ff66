package dev.cordon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BenchReportJsonTest {
    @Test
    void rowsWithTheirBars() {
        String json = BenchReportJson.of(Reports.known());
        assertThat(json)
                .startsWith("{\"rows\":[{\"name\":\"cold start\",\"value\":2.0,\"unit\":\"ms\",\"baseline\":8.0,"
                        + "\"ratio\":0.25,\"bar\":0.6,\"met\":true,\"bar_is\":\"at_most\",\"bar_of\":\"ratio\","
                        + "\"compared_with\":\"bwrap\",\"note\":\"median of 3\"},"
                        + "{\"name\":\"throughput\",\"value\":150.0,\"unit\":\"jobs/s\",\"baseline\":100.0,"
                        + "\"ratio\":1.5,\"bar\":2.0,\"met\":false,\"bar_is\":\"at_least\"");
    }

    @Test
    void aBarOfItsOwnAndAComparisonThatIsNotThere() {
        String json = BenchReportJson.of(Reports.known());
        assertThat(json)
                .contains("{\"name\":\"idle sandbox\",\"value\":0.25,\"unit\":\"MiB\",\"baseline\":null,"
                        + "\"ratio\":null,\"bar\":0.5,\"met\":true,")
                .contains("{\"name\":\"warm start\",\"value\":1.0,\"unit\":\"ms\",\"baseline\":null,"
                        + "\"ratio\":null,\"bar\":0.6,\"met\":false,");
    }

    @Test
    void startsAndTheMachine() {
        assertThat(BenchReportJson.of(Reports.known()))
                .contains("\"starts\":[{\"name\":\"Cordon, cold\",\"parallel\":1,\"samples\":3,\"median_ms\":2.0,"
                        + "\"p95_ms\":2.9,\"p99_ms\":2.98,\"jobs_per_second\":500.0},")
                .contains("\"missing\":[\"runc is not installed\"]")
                .endsWith("\"machine\":{\"cpus\":2,\"kernel\":\"6.18\",\"java\":\"25\",\"load_before\":0.25,"
                        + "\"load_after\":1.5,\"seconds\":61.4}}");
    }
}
