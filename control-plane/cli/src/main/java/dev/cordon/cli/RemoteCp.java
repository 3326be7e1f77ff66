package dev.cordon.cli;

import dev.cordon.cli.service.Exchange;
import dev.cordon.cli.service.Refusal;
import dev.cordon.cli.service.ServiceClient;
import dev.cordon.cli.service.ServiceLost;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.stream.Collectors;

/** {@code cordon cp} to and from a service's sandboxes. */
final class RemoteCp implements RemoteCommand {
    private static final String WORKSPACE = "/workspace/";
    private static final String BYTES = "application/octet-stream";

    @Override
    public int run(Arguments arguments, Stdio stdio, ServiceClient service)
            throws UsageError, IOException, ServiceLost, Refusal {
        CopyPlaces places = CopyPlaces.of(arguments);
        String target = target(new RemoteBoxes(service).named(places.box()), places.insidePath());
        try {
            if (places.source().inside()) {
                return fetched(service, target, places);
            }
            places.checkRegular();
            put(service, target, places, stdio);
            return 0;
        } catch (Refusal e) {
            stdio.message(e.detail());
            return CpCommand.FAILED;
        } catch (IOException e) {
            stdio.message("not copied: " + e.getMessage());
            return CpCommand.FAILED;
        }
    }

    /** Each part is quoted by itself. What is below the workspace needs no beginning. */
    private static String target(String id, String path) {
        String below = path.startsWith(WORKSPACE) ? path.substring(WORKSPACE.length()) : path;
        return RemoteBoxes.target(id) + "/files/"
                + Arrays.stream(below.split("/", -1)).map(ServiceClient::quoted).collect(Collectors.joining("/"));
    }

    private static void put(ServiceClient service, String target, CopyPlaces places, Stdio stdio)
            throws IOException, ServiceLost, Refusal {
        try (InputStream content = Files.newInputStream(places.local());
                TransferBar bar = new TransferBar(stdio, Files.size(places.local()))) {
            service.put(target + "?mode=" + Integer.toOctalString(places.mode()), shown(content, bar));
        }
    }

    /** Opened first: a file that is not there leaves nothing behind here. */
    private static int fetched(ServiceClient service, String target, CopyPlaces places)
            throws IOException, ServiceLost, Refusal {
        try (Exchange exchange = service.open("GET", target, null, BYTES)) {
            if (!exchange.header("Content-Type").startsWith(BYTES)) {
                throw new IOException("it is a directory; see cordon cp --help");
            }
            return CpCommand.<ServiceLost>received(places, file -> {
                try (OutputStream content = Files.newOutputStream(file)) {
                    exchange.copyTo(content);
                }
                return 0;
            });
        }
    }

    private static InputStream shown(InputStream content, TransferBar bar) {
        return new FilterInputStream(content) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int got = super.read(into, offset, length);
                if (got > 0) {
                    bar.moved(got);
                }
                return got;
            }
        };
    }
}
