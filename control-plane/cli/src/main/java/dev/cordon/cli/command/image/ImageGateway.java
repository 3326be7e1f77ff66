package dev.cordon.cli.command.image;

import dev.cordon.cli.client.ServiceClient;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.ServiceChoice;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.vm.image.ImageListing;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The images that sandboxes run in: of this user, or of a service. */
interface ImageGateway {
    /** The one that a command line means. */
    static ImageGateway of(ParsedArguments arguments, StandardStreams stdio) throws UsageError {
        ServiceClient service = ServiceChoice.service(arguments, stdio);
        return service == null ? new LocalImages(arguments, stdio) : new ServiceImages(service, stdio);
    }

    /** Those that are built, and those that would be. */
    List<ImageListing> list() throws CommandFailure;

    /** Builds one unless it is there, or in any case. */
    Built build(String name, boolean refresh) throws CommandFailure;

    /** Takes one from an archive. */
    Built importArchive(String name, Path archive) throws CommandFailure;

    /** Removes one; false when there is nothing of it. */
    boolean remove(String name) throws CommandFailure;

    /**
     * An image that is there now.
     *
     * @param key   what it was built from; null where that is not told
     * @param size  its bytes
     * @param place where it is
     */
    record Built(@Nullable String key, long size, String place) {}
}
