package dev.cordon.server;

import dev.cordon.config.AuditSettings;
import dev.cordon.server.config.ServiceRefused;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One service alone writes an audit log, beside commands of its user: at its start a service gives an end to what the log knows of its
 * predecessor's jobs, and would end another's that run.
 */
final class AuditClaim implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditClaim.class);
    private static final int MOST_READ = 4096;

    private final @Nullable FileChannel channel;

    private AuditClaim(@Nullable FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Claims the log for the service of that state directory. A log whose directory cannot be written is claimed by nobody: it admits no job.
     *
     * @throws ServiceRefused naming who has it, or why nobody can tell
     */
    static AuditClaim of(AuditSettings settings, Path state) throws ServiceRefused {
        if (!settings.enabled()) {
            return new AuditClaim(null);
        }
        try {
            return new AuditClaim(claimed(settings.directory(), state));
        } catch (IOException e) {
            if (Files.isDirectory(settings.directory()) && Files.isWritable(settings.directory())) {
                throw new ServiceRefused("the audit log in " + settings.directory() + " cannot be claimed (" + e
                        + "), so that another service may write it; see to service.lock in there");
            }
            LOG.warn("the audit log in {} cannot be claimed: {}", settings.directory(), e.toString());
            return new AuditClaim(null);
        }
    }

    private static FileChannel claimed(Path directory, Path state) throws IOException, ServiceRefused {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory.toAbsolutePath().getParent());
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        FileChannel channel = FileChannel.open(
                directory.resolve("service.lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            if (!StateDirectory.locked(channel)) {
                throw new ServiceRefused("another service (" + text(channel) + ") writes the audit log in " + directory
                        + "; stop it, or give this one a log of its own: audit.directory, or --state without it");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(("process " + ProcessHandle.current().pid() + ", state " + state)
                    .getBytes(StandardCharsets.UTF_8)));
            return channel;
        } catch (IOException | ServiceRefused e) {
            channel.close();
            throw e;
        }
    }

    private static String text(FileChannel channel) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(MOST_READ);
        channel.read(content, 0);
        return new String(content.array(), 0, content.position(), StandardCharsets.UTF_8)
                .replaceAll("[^\\x20-\\x7e]", "?");
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }
}
