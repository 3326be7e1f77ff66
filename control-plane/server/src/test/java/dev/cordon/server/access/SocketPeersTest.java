package dev.cordon.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SocketPeersTest {
    @Test
    void differentUsersAreDifferentOwners() {
        String longest = "x".repeat(59);
        List<String> users = List.of(
                "alice",
                "DOM\\alice",
                "DOM-alice",
                "DOM/alice",
                longest,
                longest + "1",
                longest + "2",
                "al ice",
                "al-ice");
        assertThat(users.stream().map(SocketPeers::owner))
                .doesNotHaveDuplicates()
                .allMatch(owner -> owner.matches("user-[A-Za-z0-9._@-]{1,59}"))
                .contains("user-alice", "user-DOM-alice");
    }
}
