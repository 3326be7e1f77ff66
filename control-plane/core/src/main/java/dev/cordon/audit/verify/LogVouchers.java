package dev.cordon.audit.verify;

import dev.cordon.audit.file.ChainLinks;
import dev.cordon.audit.file.VerifyingKey;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Who vouches for a log beside the log itself: heads that were kept elsewhere, and signatures. */
final class LogVouchers {
    private static final JsonMapper MAPPER = new JsonMapper();

    private final Map<Long, Set<String>> anchors = new HashMap<>();
    private final Map<String, VerifyingKey> keys = new HashMap<>();
    private final Set<String> strangers = new TreeSet<>();
    private long anchoredTo;
    private long signedTo;

    LogVouchers(List<LogVerifier.Anchor> anchors, List<VerifyingKey> keys) {
        anchors.forEach(anchor -> this.anchors
                .computeIfAbsent(anchor.sequence(), _ -> new TreeSet<>())
                .add(anchor.hash()));
        keys.forEach(key -> this.keys.put(key.id(), key));
    }

    /** A record stands in the log; what is wrong with it, null when nothing is. */
    @Nullable
    String see(long sequence, String hash) {
        Set<String> wanted = anchors.get(sequence);
        if (wanted == null) {
            return null;
        }
        if (!wanted.equals(Set.of(hash))) {
            return "record " + sequence + " is not the one that was anchored";
        }
        anchoredTo = Math.max(anchoredTo, sequence);
        return null;
    }

    /** A checkpoint stands in the log; what is wrong with it, null when nothing is. */
    @Nullable
    String signed(byte[] line, ChainLinks links) {
        if (keys.isEmpty()) {
            return null;
        }
        try {
            JsonNode json = MAPPER.readTree(line);
            String id = json.path("key").asString("");
            VerifyingKey key = keys.get(id);
            if (key == null) {
                strangers.add(id.replaceAll("[^0-9a-f]", "?"));
                return null;
            }
            long before = links.sequence() - 1;
            if (!key.vouches(before, links.previous(), json.path("signature").asString(""))) {
                return "record " + links.sequence() + " has a signature that the key " + id + " did not make";
            }
            signedTo = Math.max(signedTo, before);
            return null;
        } catch (JacksonException e) {
            return "is not a record";
        }
    }

    /** What is wrong with the whole; null when nothing is. */
    LogVerification.@Nullable Breakage judge(Path file, long line, List<String> notes) {
        if (!strangers.isEmpty()) {
            notes.add("checkpoints are signed with other keys, too, which were not given: " + strangers);
        }
        return !keys.isEmpty() && signedTo == 0
                ? new LogVerification.Breakage(
                        file, line, "no record of the log is signed with the key that was given " + keys.keySet())
                : null;
    }

    LogVerification.Proof proof() {
        return new LogVerification.Proof(anchoredTo, signedTo);
    }
}
