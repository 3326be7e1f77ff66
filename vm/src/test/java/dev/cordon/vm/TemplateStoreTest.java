package dev.cordon.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TemplateStoreTest {
    @Test
    void anOwnerPushesOutItsOwnFirst() {
        List<String> newest = new ArrayList<>(templates("alice", TemplateStore.MOST_OF_OWNER + 2));
        newest.addAll(templates("bob", 3));
        assertThat(surplus(newest)).containsExactly("alice 8", "alice 9");
    }

    @Test
    void theOldestOfAllGoWhenThereAreTooMany() {
        List<String> newest = new ArrayList<>();
        for (String owner : List.of("a", "b", "c", "d")) {
            newest.addAll(templates(owner, 5));
        }
        assertThat(surplus(newest)).containsExactly("d 1", "d 2", "d 3", "d 4");
    }

    private static List<String> templates(String owner, int count) {
        return IntStream.range(0, count).mapToObj(i -> owner + " " + i).toList();
    }

    private static List<String> surplus(List<String> newest) {
        return TemplateStore.surplus(newest, name -> name.substring(0, name.indexOf(' ')));
    }
}
