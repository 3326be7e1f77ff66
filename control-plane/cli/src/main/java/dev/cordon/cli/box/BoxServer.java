package dev.cordon.cli.box;

import dev.cordon.Sandbox;
import dev.cordon.config.Config;
import dev.cordon.files.RunDirectory;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * Lets other commands of the same user reach a sandbox of this process, by a socket that only this user can open. Who connects is asked
 * of the kernel; anybody else is turned away without a word.
 *
 * @param server  null where the door could not be opened
 * @param socket  its name
 * @param sandbox what is reached
 * @param problem why other commands cannot reach the sandbox; empty when they can
 */
public record BoxServer(@Nullable ServerSocketChannel server, Path socket, Sandbox sandbox, String problem)
        implements AutoCloseable {
    /** Connections that wait to be taken. */
    private static final int BACKLOG = 16;

    /** Opens the door. A host where that is not possible still has its sandbox; see {@link #problem}. */
    public static BoxServer open(Config config, Sandbox sandbox) {
        OpenBoxes boxes = new OpenBoxes(config);
        Path socket = boxes.socket(sandbox.id().toString());
        try {
            var _ = RunDirectory.prepare(config.runDirectory(), OpenBoxes.uid());
            var _ = boxes.prepared();
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            BoxServer open = new BoxServer(server, socket, sandbox, "");
            Thread.ofVirtual().name("cordon-box").start(open::serve);
            return open;
        } catch (IOException e) {
            return new BoxServer(null, socket, sandbox, socket + ": " + e.getMessage());
        }
    }

    private void serve() {
        try {
            while (server != null) {
                SocketChannel caller = server.accept();
                Thread.ofVirtual().name("cordon-box-caller").start(() -> serve(caller));
            }
        } catch (ClosedChannelException closed) {
            return;
        } catch (IOException e) {
            close();
        }
    }

    private void serve(SocketChannel caller) {
        try (caller) {
            UserPrincipal owner = Files.getOwner(Path.of("/proc/self"));
            if (caller.getOption(ExtendedSocketOptions.SO_PEERCRED).user().equals(owner)) {
                new BoxSession(sandbox, new BoxConnection(caller)).serve();
            }
        } catch (IOException gone) {
            return;
        }
    }

    @Override
    public void close() {
        if (server != null) {
            try {
                server.close();
                Files.deleteIfExists(socket);
            } catch (IOException e) {
                // The next command that looks removes the socket of a process that is gone.
                return;
            }
        }
    }
}
