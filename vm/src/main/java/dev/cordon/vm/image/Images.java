package dev.cordon.vm.image;

import dev.cordon.bindings.NativeParts;
import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.ContentHash;
import dev.cordon.vm.layer.ImageProblem;
import dev.cordon.vm.layer.Layer;
import dev.cordon.vm.layer.LayerStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The images of this host: described by files, built on first use, or imported. */
public final class Images {
    /** The image of machines that name none. */
    public static final String BASE = "base";

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]{0,62}");
    private static final Pattern LAYER = Pattern.compile("image-(?<name>.+)-(?<hash>[0-9a-f]{64})");
    private static final Pattern OLD_TREE = Pattern.compile(RootDirectory.OLD_KIND + "-.+-[0-9a-f]{64}");
    private static final String SUFFIX = ".toml";
    private static final String IMPORTED = "imported";
    private static final List<String> SHIPPED = List.of(BASE);

    private final Map<String, Path> directories = new ConcurrentHashMap<>();
    private final LayerStore layers;
    private final Path descriptions;
    private final BuildProgress progress;
    private final CopiedHashes hashes = new CopiedHashes(Clock.systemUTC());

    /**
     * The images of a store.
     *
     * @param layers       the store
     * @param descriptions the user's directory of descriptions, which need not exist
     * @param progress     hears of builds
     */
    public Images(LayerStore layers, Path descriptions, BuildProgress progress) {
        this.layers = layers;
        this.descriptions = descriptions;
        this.progress = progress;
    }

    /** An image, built first when it has to be. */
    public Image obtain(String name) throws IOException {
        byte[] description = description(name);
        if (description == null) {
            return imported(name).orElseThrow(() -> unknown(name));
        }
        String key = key(name, description);
        try {
            return image(name, layers.obtain(RootImage.KIND, key, recipe(name, description)));
        } finally {
            progress.end();
        }
    }

    /** Whether there is anything of this name, built or not. */
    public boolean has(String name) throws IOException {
        return description(name) != null || imported(name).isPresent();
    }

    /** An image that is there and sound; empty when it would have to be built. */
    public Optional<Image> find(String name) throws IOException {
        byte[] description = description(name);
        if (description == null) {
            return imported(name);
        }
        Optional<Layer> layer = layers.find(RootImage.KIND, key(name, description));
        return layer.isPresent() ? Optional.of(image(name, layer.get())) : Optional.empty();
    }

    /** How an image wants to be run, without building it. */
    public ImageConfig config(String name) throws IOException {
        byte[] description = description(name);
        if (description != null) {
            return ImageSpec.parse(description, name + SUFFIX).config();
        }
        return imported(name).orElseThrow(() -> unknown(name)).config();
    }

    /** An image unpacked, as the root of jails. Verified once by each of these. */
    public Path directory(Image image) throws IOException {
        Path known = directories.get(image.key());
        if (known != null && Files.isDirectory(known)) { // another process may have removed it
            return known;
        }
        try {
            Layer layer = layers.obtain(RootDirectory.KIND, image.key(), (directory, scratch) -> {
                progress.step(1, 1, "unpacking " + image.name() + " for jails");
                RootDirectory.unpack(image, directory, scratch);
            });
            List<Layer> old = oldTrees();
            if (!old.isEmpty()) {
                layers.remove(old);
            }
            Path root = layer.file(RootDirectory.ROOT);
            directories.put(image.key(), root);
            return root;
        } finally {
            progress.end();
        }
    }

    /** Builds an image anew, with the packages as they are now. */
    public Image rebuild(String name) throws IOException {
        byte[] description = description(name);
        if (description == null) {
            throw unknown(name);
        }
        try {
            List<Layer> before = treesOf(name, layersOf(name));
            Layer layer = layers.renew(RootImage.KIND, key(name, description), recipe(name, description));
            layers.remove(before); // the files of jails that still run in it go with it
            return image(name, layer);
        } finally {
            progress.end();
        }
    }

    /** The kernel and the initramfs, made first when they have to be. */
    public BootFiles bootFiles() throws IOException {
        try {
            Layer kernel = layers.obtain(KernelRecipe.KIND, KernelRecipe.key(), new KernelRecipe(progress));
            NativeParts natives = NativeParts.load();
            InitramfsRecipe recipe = new InitramfsRecipe(kernel, natives.guestProgram(), natives.supervisorFile());
            Layer initramfs = layers.obtain(InitramfsRecipe.KIND, recipe.key(), recipe);
            return new BootFiles(recipe.key(), kernel.file(KernelRecipe.KERNEL), initramfs.file(InitramfsRecipe.FILE));
        } finally {
            progress.end();
        }
    }

    /** Fetches the kernel anew, as the distribution has it now. */
    public void renewKernel() throws IOException {
        try {
            layers.renew(KernelRecipe.KIND, KernelRecipe.key(), new KernelRecipe(progress));
        } finally {
            progress.end();
        }
    }

    /** Takes a root file system or an OCI image from an archive, under a name that nothing else has. */
    public Image importArchive(String name, Path archive) throws IOException {
        check(name);
        if (description(name) != null) {
            throw new ImageProblem("an image " + name + " is described by a file", "import it under another name");
        }
        try {
            progress.step(1, 3, "reading " + archive.getFileName());
            String key = name + "-"
                    + new ContentHash()
                            .add(RootImage.FORMAT)
                            .add(ContentHash.ofFile(archive))
                            .hex();
            List<Layer> before = layersOf(name);
            Layer layer = layers.obtain(RootImage.KIND, key, (directory, scratch) -> {
                Path merged = scratch.resolve("merged.tar");
                progress.step(2, 3, "checking and merging its layers");
                ImageConfig config = new ArchiveImport(scratch).merge(archive, merged);
                progress.step(3, 3, "packing the image");
                RootImage.pack(merged, config, directory, scratch);
                Files.writeString(directory.resolve(IMPORTED), archive.getFileName() + "\n");
            });
            List<Layer> old =
                    before.stream().filter(other -> !other.equals(layer)).toList();
            layers.remove(treesOf(name, old));
            layers.remove(old);
            return image(name, layer);
        } finally {
            progress.end();
        }
    }

    /** All images, built or not. */
    public List<ImageListing> list() throws IOException {
        SequencedSet<String> names = new TreeSet<>(SHIPPED);
        if (Files.isDirectory(descriptions)) {
            try (Stream<Path> files = Files.list(descriptions)) {
                files.map(file -> String.valueOf(file.getFileName()))
                        .filter(file -> file.endsWith(SUFFIX))
                        .forEach(file -> names.add(file.substring(0, file.length() - SUFFIX.length())));
            }
        }
        for (Layer layer : layers.list(RootImage.KIND, "")) {
            nameOf(layer).ifPresent(names::add);
        }
        List<ImageListing> listings = new ArrayList<>();
        for (String name : names) {
            listings.add(listing(name));
        }
        return listings;
    }

    /** Removes what was built or imported under a name; false when there was nothing. A description stays, and is built again when asked for. */
    public boolean remove(String name) throws IOException {
        check(name);
        List<Layer> found = layersOf(name);
        layers.remove(treesOf(name, found));
        layers.remove(found);
        return !found.isEmpty();
    }

    private List<Layer> treesOf(String name, List<Layer> images) throws IOException {
        List<Layer> trees = new ArrayList<>(oldTrees());
        for (Layer image : images) {
            if (image.sound()) { // a damaged one was never unpacked
                trees.addAll(layers.list(RootDirectory.KIND, keyOf(name, image)));
            }
        }
        return trees;
    }

    /** Of any image: what is removed for one of them may as well be removed for all. */
    private List<Layer> oldTrees() throws IOException {
        return layers.list(RootDirectory.OLD_KIND, "").stream()
                .filter(layer -> OLD_TREE.matcher(
                                String.valueOf(layer.directory().getFileName()))
                        .matches())
                .toList();
    }

    private static String keyOf(String name, Layer layer) throws IOException {
        return name + "-"
                + new ContentHash()
                        .add(String.valueOf(layer.directory().getFileName()))
                        .add(layer.identity())
                        .hex();
    }

    private ImageListing listing(String name) throws IOException {
        byte[] description = description(name);
        String origin = description == null ? "imported" : "described";
        String text = description == null
                ? ""
                : ImageSpec.parse(description, name + SUFFIX).description();
        List<Layer> found = layersOf(name);
        ImageConfig config = configOf(name, description, found);
        if (found.isEmpty()) {
            return new ImageListing(name, origin, text, false, 0, config);
        }
        Path root = found.getLast().file(RootImage.ROOT);
        return new ImageListing(name, origin, text, true, Files.exists(root) ? Files.size(root) : 0, config);
    }

    private static ImageConfig configOf(String name, byte @Nullable [] description, List<Layer> found)
            throws IOException {
        if (description != null) {
            return ImageSpec.parse(description, name + SUFFIX).config();
        }
        return found.isEmpty()
                ? ImageConfig.NONE
                : ImageConfig.read(found.getLast().file(ImageConfig.FILE));
    }

    private LayerStore.Recipe recipe(String name, byte[] description) throws ImageProblem {
        return (directory, scratch) -> {
            ImageSpec spec = ImageSpec.parse(description, name + SUFFIX);
            new RootRecipe(spec, copied(spec), progress).make(directory, scratch);
        };
    }

    private Optional<Image> imported(String name) throws IOException {
        for (Layer layer : layersOf(name)) {
            if (Files.exists(layer.file(IMPORTED))) {
                if (!layer.sound()) {
                    throw new ImageProblem("the image " + name + " is damaged", "import it again");
                }
                return Optional.of(image(name, layer));
            }
        }
        return Optional.empty();
    }

    private List<Layer> layersOf(String name) throws IOException {
        return layers.list(RootImage.KIND, name + "-").stream()
                .filter(layer -> nameOf(layer).equals(Optional.of(name)))
                .toList();
    }

    private static Optional<String> nameOf(Layer layer) {
        Matcher parts = LAYER.matcher(String.valueOf(layer.directory().getFileName()));
        return parts.matches() ? Optional.of(parts.group("name")) : Optional.empty();
    }

    private static Image image(String name, Layer layer) throws IOException {
        return new Image(
                name,
                keyOf(name, layer),
                layer.file(RootImage.ROOT),
                ImageFacts.read(layer.file(ImageFacts.FILE)),
                ImageConfig.read(layer.file(ImageConfig.FILE)));
    }

    private String key(String name, byte[] description) throws IOException {
        ContentHash hash =
                new ContentHash().add(RootImage.FORMAT).add(description).add(AptDistribution.identity());
        copied(ImageSpec.parse(description, name + SUFFIX)).hash(hash);
        return name + "-" + hash.hex();
    }

    private CopiedFiles copied(ImageSpec spec) {
        return new CopiedFiles(descriptions, spec.copies(), hashes);
    }

    /** The user's description wins over the one that is shipped; null when there is neither. */
    private byte @Nullable [] description(String name) throws IOException {
        check(name);
        Path file = descriptions.resolve(name + SUFFIX);
        if (Files.exists(file)) {
            return Files.readAllBytes(file);
        }
        try (InputStream shipped = Images.class.getResourceAsStream("/dev/cordon/vm/images/" + name + SUFFIX)) {
            return shipped == null ? null : shipped.readAllBytes();
        }
    }

    private static void check(String name) throws ImageProblem {
        if (!NAME.matcher(name).matches()) {
            throw new ImageProblem(
                    "'" + name + "' is not a name of an image",
                    "use up to 63 of a-z, 0-9, '.' and '-', beginning with a letter or digit");
        }
    }

    private ImageProblem unknown(String name) {
        return new ImageProblem(
                "there is no image " + name,
                "describe it in " + descriptions.resolve(name + SUFFIX) + ", import it with: cordon image import "
                        + name + " ARCHIVE, or list what there is with: cordon image ls");
    }
}
