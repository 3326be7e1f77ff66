package dev.cordon.audit.verify;

import dev.cordon.bindings.NativeParts;
import dev.cordon.bindings.value.ErrnoException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * Where heads of the log go that nobody who may write the log can take back: the system's journal by its native protocol, else syslog. Both
 * are sockets for datagrams that every user may write to; what was written belongs to another user.
 *
 * @param socket whose
 * @param kind   which of the two it speaks
 */
public record HeadJournal(Path socket, Kind kind) {
    /** What listens at the socket. */
    public enum Kind {
        /** systemd-journald. */
        JOURNAL,
        /** Whatever syslog daemon there is. */
        SYSLOG
    }

    /** The name under which heads are found there. */
    public static final String IDENTIFIER = "cordon-audit";

    /** The journal's field with the number of the record. */
    public static final String SEQUENCE = "CORDON_AUDIT_SEQUENCE";

    /** The journal's field with its SHA-256. */
    public static final String HASH = "CORDON_AUDIT_SHA256";

    /** The journal's field with the log's directory. */
    public static final String DIRECTORY = "CORDON_AUDIT_DIRECTORY";

    private static final Path NATIVE = Path.of("/run/systemd/journal/socket");
    private static final Path LOG = Path.of("/dev/log");
    private static final int NOTICE = 5;
    private static final int AUTH = 4 << 3;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss", Locale.ROOT);

    /** The one of this host; empty where there is neither. */
    public static Optional<HeadJournal> ofThisHost() {
        return among(NATIVE, LOG);
    }

    public static Optional<HeadJournal> among(Path journal, Path syslog) {
        return Files.exists(journal)
                ? Optional.of(new HeadJournal(journal, Kind.JOURNAL))
                : Files.exists(syslog) ? Optional.of(new HeadJournal(syslog, Kind.SYSLOG)) : Optional.empty();
    }

    /** Sends one head of the log in that directory. */
    public void send(LogVerifier.Anchor head, Path directory) throws IOException {
        String where = directory.toString().replaceAll("\\p{Cntrl}", "?");
        String message = "audit head " + head.sequence() + ":" + head.hash() + " of " + where;
        String datagram = switch (kind) {
            case JOURNAL ->
                "MESSAGE=cordon " + message + "\nPRIORITY=" + NOTICE + "\nSYSLOG_IDENTIFIER=" + IDENTIFIER + "\n"
                        + SEQUENCE + "=" + head.sequence() + "\n" + HASH + "=" + head.hash() + "\n" + DIRECTORY + "="
                        + where + "\n";
            case SYSLOG ->
                "<" + (AUTH + NOTICE) + ">" + TIME.format(LocalDateTime.now(ZoneId.systemDefault())) + " " + IDENTIFIER
                        + ": " + message;
        };
        try {
            NativeParts.load().kernel().sendDatagram(socket.toString(), datagram.getBytes(StandardCharsets.UTF_8));
        } catch (ErrnoException | IllegalArgumentException e) {
            throw new IOException(socket + ": " + e.getMessage(), e);
        }
    }
}
