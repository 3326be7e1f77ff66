package dev.cordon.audit.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cordon.audit.Events;
import dev.cordon.audit.file.LogFiles;
import dev.cordon.audit.write.AuditLog;
import dev.cordon.config.AuditSettings;
import dev.cordon.job.limit.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditFollowerTest {
    private static final int MANY = 500;

    @TempDir
    private Path folder;

    private Path directory() {
        return folder.resolve("audit");
    }

    private AuditLog log() {
        return new AuditLog(new AuditSettings(true, directory(), ByteSize.kib(64), false));
    }

    private static List<Long> sequences(AuditFollower follower, int atOnce) throws IOException {
        List<Long> all = new ArrayList<>();
        for (List<AuditRecord> some = follower.next(atOnce); !some.isEmpty(); some = follower.next(atOnce)) {
            assertThat(some).hasSizeLessThanOrEqualTo(atOnce);
            some.forEach(record -> all.add(record.sequence()));
        }
        return all;
    }

    private static List<Long> range(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    @Test
    void everyRecordComesOnceOverTheEndsOfFiles() throws Exception {
        AuditFollower early = AuditFollower.after(directory(), 0);
        assertThat(early.next(10)).as("no log yet").isEmpty();
        try (AuditLog log = log()) {
            for (int i = 0; i < MANY; i++) {
                log.record(List.of(Events.ended("job_" + i))).get();
            }
            assertThat(new LogFiles(directory()).segments()).hasSizeGreaterThan(2);
            assertThat(sequences(early, 7)).isEqualTo(range(1, MANY));
            assertThat(sequences(AuditFollower.after(directory(), 0), MANY)).isEqualTo(range(1, MANY));
            assertThat(sequences(AuditFollower.after(directory(), MANY - 3), 100))
                    .isEqualTo(range(MANY - 2, MANY));
            AuditFollower late = AuditFollower.atEnd(directory());
            assertThat(late.next(10)).isEmpty();
            log.record(List.of(Events.ended("job_x"))).get();
            assertThat(sequences(late, 10)).containsExactly(MANY + 1L);
            assertThat(sequences(early, 10)).containsExactly(MANY + 1L);
        }
    }

    @Test
    void aLineWithoutItsEndIsNotThereYet() throws Exception {
        try (AuditLog log = log()) {
            log.record(List.of(Events.ended("job_1"))).get();
        }
        Path file = new LogFiles(directory()).segments().getLast();
        AuditFollower follower = AuditFollower.after(directory(), 0);
        Files.writeString(file, "{\"sequence\":2", StandardOpenOption.APPEND);
        assertThat(sequences(follower, 10)).containsExactly(1L);
        Files.writeString(file, "}\n", StandardOpenOption.APPEND);
        assertThat(sequences(follower, 10)).containsExactly(2L);
    }
}
