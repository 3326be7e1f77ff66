package dev.cordon.cli;

import dev.cordon.api.ByteSize;
import dev.cordon.vm.image.ImageListing;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** {@code cordon image ls}. */
final class ImageListCommand implements Command {

    @Override
    public String name() {
        return "ls";
    }

    @Override
    public List<String> description() {
        return List.of("List the images: those that are built, and those that would be on first use.");
    }

    @Override
    public List<Option> options() {
        return List.of(Option.CONFIG, Option.LOCAL, Option.JSON, Option.COLOR);
    }

    @Override
    public String operands() {
        return "";
    }

    @Override
    public Optional<RemoteCommand> remote() {
        return Optional.of(new RemoteImages());
    }

    @Override
    public int run(Arguments arguments, Stdio stdio) throws UsageError, IOException {
        return ImageStore.use(arguments, stdio, images -> {
            StringBuilder text = new StringBuilder();
            for (ImageListing image : images.list()) {
                text.append(arguments.has(Option.JSON) ? json(image) : line(image));
            }
            stdio.print(text.toString());
            return 0;
        });
    }

    static String line(ImageListing image) {
        String size = image.built() ? ByteSize.bytes(image.size()).toString() : "not built";
        return "%-20s %-10s %-12s %s\n".formatted(image.name(), image.origin(), size, image.description());
    }

    static String json(ImageListing image) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), line)) {
            json.writeStartObject()
                    .writeStringProperty("name", image.name())
                    .writeStringProperty("origin", image.origin())
                    .writeBooleanProperty("built", image.built())
                    .writeNumberProperty("size", image.size())
                    .writeStringProperty("description", image.description())
                    .writeEndObject();
        }
        return line.append('\n').toString();
    }
}
