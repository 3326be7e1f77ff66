package dev.cordon.plan.host;

import dev.cordon.config.IdRange;
import dev.cordon.plan.HostIds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The ids that /etc/subuid and /etc/subgid give to a user, usable when both set-uid programs are there and may gain privileges.
 *
 * @param root where the host's files are
 * @param uid  the user
 * @param user the user's name
 */
record SubordinateIds(Path root, long uid, String user) {
    Optional<HostIds.Subordinate> find(String noNewPrivs) {
        boolean programs = Files.isExecutable(root.resolve("usr/bin/newuidmap"))
                && Files.isExecutable(root.resolve("usr/bin/newgidmap"));
        if (!programs || !noNewPrivs.equals("0")) {
            return Optional.empty();
        }
        Optional<IdRange> uids = range("etc/subuid");
        Optional<IdRange> gids = range("etc/subgid");
        return uids.flatMap(u -> gids.map(g -> new HostIds.Subordinate(u, g)));
    }

    private Optional<IdRange> range(String file) {
        return lines(file).stream().flatMap(line -> parse(line).stream()).findFirst();
    }

    /** {@code user:first:count}, subuid(5). Lines that are none are skipped, as newuidmap does. */
    private Optional<IdRange> parse(String line) {
        String[] parts = line.split(":", -1);
        boolean ours = parts.length == 3 && (parts[0].equals(user) || parts[0].equals(Long.toString(uid)));
        if (!ours) {
            return Optional.empty();
        }
        try {
            return Optional.of(new IdRange(Long.parseLong(parts[1].strip()), Long.parseLong(parts[2].strip())));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private List<String> lines(String file) {
        try {
            return Files.readAllLines(root.resolve(file), StandardCharsets.ISO_8859_1);
        } catch (IOException absent) {
            return List.of();
        }
    }
}
