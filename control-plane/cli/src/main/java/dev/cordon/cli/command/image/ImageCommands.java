package dev.cordon.cli.command.image;

import dev.cordon.cli.parse.CommandOption;
import dev.cordon.cli.parse.CommandSpec;
import dev.cordon.cli.parse.ParsedArguments;
import dev.cordon.cli.parse.UsageError;
import dev.cordon.cli.terminal.CommandFailure;
import dev.cordon.cli.terminal.StandardStreams;
import dev.cordon.cli.terminal.TerminalText;
import dev.cordon.job.limit.ByteSize;
import dev.cordon.json.JsonMembers;
import dev.cordon.vm.image.ImageConfig;
import dev.cordon.vm.image.ImageListing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code cordon image}: the root file systems of virtual machines and of jails that name one. */
public final class ImageCommands {
    private static final CommandOption REFRESH =
            CommandOption.flag("--refresh", "Build anew, with the packages and the kernel as they are now.");

    private ImageCommands() {}

    public static CommandSpec build() {
        List<CommandOption> options =
                List.of(REFRESH, CommandOption.CONFIG, CommandOption.LOCAL, CommandOption.JSON, CommandOption.COLOR);
        return new CommandSpec("build", "[NAME]", ImageCommands::build, options, """
            Build an image and the kernel of virtual machines, unless they are there.

            NAME is base, or the description NAME.toml in the directory images beside the configuration
            file. The packages come from the sources that this host's apt is configured with; nothing is
            installed here. Where a service is named or there, it builds the image among its own; a build
            goes on there after Ctrl-C.\
            """, """

                The keys of a description, all but packages optional:
                  description   a sentence for people
                  packages      Debian's names of packages; [] for the minimal system
                  copy          where in the image = a file or directory beside the description
                  env           variables that its jobs have
                  workdir       the directory that its jobs work in
                  cmd           what a job runs that brings no command
                Example, agent.toml with agent.py beside it:
                  packages = ["python3", "python3-pil"]
                  workdir = "/app"
                  cmd = ["python3", "agent.py"]
                  [env]
                  MODE = "batch"
                  [copy]
                  "/app/agent.py" = "agent.py"\
                """);
    }

    private static int build(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        ImageGateway images = ImageGateway.of(arguments, stdio);
        if (arguments.operands().size() > 1) {
            throw new UsageError("give one NAME, or none for base");
        }
        String name =
                arguments.operands().isEmpty() ? "base" : arguments.operands().getFirst();
        ImageGateway.Built image = images.build(name, arguments.has(REFRESH));
        stdio.print(arguments.has(CommandOption.JSON) ? json(name, image) : line(name, image));
        return 0;
    }

    private static String json(String name, ImageGateway.Built image) {
        return JsonMembers.text(
                        json -> json.put("name", name).put("key", image.key()).put("size", image.size())) + "\n";
    }

    private static String line(String name, ImageGateway.Built image) {
        return name + ": " + ByteSize.bytes(image.size()) + ", " + image.place() + "\n";
    }

    public static CommandSpec list() {
        List<CommandOption> options =
                List.of(CommandOption.CONFIG, CommandOption.LOCAL, CommandOption.JSON, CommandOption.COLOR);
        return new CommandSpec("ls", "", ImageCommands::list, options, """
            List the images: those that are built, and those that would be on first use.\
            """);
    }

    private static int list(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        StringBuilder text = new StringBuilder();
        for (ImageListing image : ImageGateway.of(arguments, stdio).list()) {
            text.append(arguments.has(CommandOption.JSON) ? json(image) : line(image));
        }
        stdio.print(text.toString());
        return 0;
    }

    private static String line(ImageListing image) {
        String size = image.built() ? ByteSize.bytes(image.size()).toString() : "not built";
        String line = "%-20s %-10s %-12s %s".formatted(image.name(), image.origin(), size, image.description());
        return TerminalText.visible(line) + "\n" + wishes(image.config());
    }

    /** How it wants to be run: as a line of its own, because few images say it. */
    private static String wishes(ImageConfig config) {
        List<String> wishes = new ArrayList<>();
        config.environment()
                .forEach((name, value) ->
                        wishes.add(value.isEmpty() ? name : name + "=" + value)); // a service tells few the values
        if (!config.workdir().isEmpty()) {
            wishes.add("in " + config.workdir());
        }
        if (!config.user().isEmpty()) {
            wishes.add("as " + config.user());
        }
        if (!config.argv().isEmpty()) {
            wishes.add("runs " + String.join(" ", config.argv()));
        }
        return wishes.isEmpty() ? "" : " ".repeat(21) + TerminalText.visible(String.join(", ", wishes)) + "\n";
    }

    private static String json(ImageListing image) {
        ImageConfig config = image.config();
        return JsonMembers.text(json -> json.put("name", image.name())
                        .put("origin", image.origin())
                        .put("built", image.built())
                        .put("size", image.size())
                        .put("description", image.description())
                        .object("env", () -> config.environment().forEach(json::put))
                        .put("workdir", config.workdir())
                        .put("user", config.user())
                        .strings("argv", config.argv()))
                + "\n";
    }

    public static CommandSpec importing() {
        List<CommandOption> options = List.of(CommandOption.CONFIG, CommandOption.LOCAL, CommandOption.COLOR);
        return new CommandSpec("import", "NAME ARCHIVE", ImageCommands::importArchive, options, """
            Take an image from an archive: a tar of a root file system, an OCI image, or what docker save writes.

            Layers and their deletions are applied, hashes are checked, devices and setuid bits are left out.\
            """);
    }

    private static int importArchive(ParsedArguments arguments, StandardStreams stdio)
            throws CommandFailure, IOException {
        ImageGateway images = ImageGateway.of(arguments, stdio);
        if (arguments.operands().size() != 2) {
            throw new UsageError("give NAME and ARCHIVE");
        }
        String name = arguments.operands().getFirst();
        Path archive = Path.of(arguments.operands().getLast());
        stdio.print(line(name, images.importArchive(name, archive)));
        return 0;
    }

    public static CommandSpec remove() {
        List<CommandOption> options = List.of(CommandOption.CONFIG, CommandOption.LOCAL, CommandOption.COLOR);
        return new CommandSpec("rm", "NAME...", ImageCommands::remove, options, """
            Remove images. One that a file describes is built again when it is asked for.\
            """);
    }

    private static int remove(ParsedArguments arguments, StandardStreams stdio) throws CommandFailure, IOException {
        ImageGateway images = ImageGateway.of(arguments, stdio);
        if (arguments.operands().isEmpty()) {
            throw new UsageError("give the NAME of an image");
        }
        int code = 0;
        for (String name : arguments.operands()) {
            if (!images.remove(name)) {
                stdio.message("there is nothing of an image " + name);
                code = CommandFailure.NOT_FOUND;
            }
        }
        return code;
    }
}
