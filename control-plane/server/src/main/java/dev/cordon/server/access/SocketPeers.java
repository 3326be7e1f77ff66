package dev.cordon.server.access;

import dev.cordon.audit.file.Sha256Hex;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipal;
import java.util.Arrays;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a unix socket, as the kernel says (SO_PEERCRED, unix(7)): root and the service's own user may do everything,
 * members of the socket's group run jobs of their own. The file's rights keep everybody else out already; this is the second look, which
 * also stops a descriptor that was handed on and a user namespace whose root is nobody here.
 */
public final class SocketPeers {
    private final UserPrincipal self;
    private final UserPrincipal root;
    private final @Nullable GroupPrincipal group;

    private SocketPeers(UserPrincipal self, UserPrincipal root, @Nullable GroupPrincipal group) {
        this.self = self;
        this.root = root;
        this.group = group;
    }

    /**
     * For the socket of this process.
     *
     * @param group the group whose members may connect; null for none
     */
    public static SocketPeers of(@Nullable String group) throws IOException {
        var names = FileSystems.getDefault().getUserPrincipalLookupService();
        return new SocketPeers(
                Files.getOwner(Path.of("/proc/self")),
                names.lookupPrincipalByName("root"),
                group == null ? null : names.lookupPrincipalByGroupName(group));
    }

    /** Who it is; empty when that user has no business here. */
    public Optional<Caller> caller(SocketChannel channel) throws IOException {
        UnixDomainPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
        String name = peer.user().getName();
        if (peer.user().equals(self) || peer.user().equals(root)) {
            return Optional.of(new Caller("user:" + name, "local", Role.ADMIN));
        }
        if (group != null && (peer.group().equals(group) || isMember(name))) {
            return Optional.of(new Caller("user:" + name, owner(name), Role.SUBMIT));
        }
        return Optional.empty();
    }

    /** The peer's name as the kernel tells it, for the log; the number of a user without one. */
    public static String name(SocketChannel channel) throws IOException {
        return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
    }

    /** The kernel names the peer's main group only; the others are looked up by its name. */
    private boolean isMember(String user) throws IOException {
        if (group == null) {
            return false;
        }
        String prefix = group.getName() + ":";
        try (var lines = Files.lines(Path.of("/etc/group"))) {
            return lines.filter(line -> line.startsWith(prefix))
                    .map(line -> line.substring(line.lastIndexOf(':') + 1))
                    .anyMatch(members -> Arrays.asList(members.split(",", -1)).contains(user));
        }
    }

    /** A name that an owner cannot have is told apart from those that look like it by its hash. */
    static String owner(String user) {
        if (user.matches("[A-Za-z0-9._@-]{1,59}")) {
            return "user-" + user;
        }
        String plain = user.replaceAll("[^A-Za-z0-9._@-]", "-");
        return "user-" + plain.substring(0, Math.min(plain.length(), 26)) + "-"
                + Sha256Hex.of(user).substring(0, 32);
    }
}
