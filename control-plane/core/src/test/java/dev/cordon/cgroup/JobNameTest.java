package dev.cordon.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobNameTest {

    private static final ControlPlaneName OWNER = new ControlPlaneName("c254d7de", 4026531836L, 4711, 987654);

    @Test
    void carriesBootProcessSlotAndJob() {
        JobName name = OWNER.job(3, "job_01J-x");
        assertThat(name.fileName()).isEqualTo("c254d7de-4026531836-4711-987654-3-job_01J-x");
        assertThat(JobName.parse(name.fileName())).contains(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "lost+found",
                "c254d7de",
                "c254d7de-1-2-3-4",
                "c254d7de-1-2-3-4-",
                "c254d7de-1-0-3-4-job",
                "C254D7DE-1-2-3-4-job",
                "c254d7de-1-2-3-4-a/b",
                "c254d7de-1-2-3-99999999999-job",
                "c254d7de-1-99999999999999999999-3-4-job"
            })
    void namesOfOthersAreNotRead(String name) {
        assertThat(JobName.parse(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "a b", "ä"})
    void idsThatAreNoFileNamesAreRefused(String job) {
        assertThatIllegalArgumentException().isThrownBy(() -> OWNER.job(0, job)).withMessageStartingWith("job:");
    }

    @Test
    void negativeSlotIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OWNER.job(-1, "job"))
                .withMessageStartingWith("slot:");
    }
}
