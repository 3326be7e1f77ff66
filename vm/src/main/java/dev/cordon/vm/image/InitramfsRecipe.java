package dev.cordon.vm.image;

import dev.cordon.vm.archive.CpioWriter;
import dev.cordon.vm.layer.ContentHash;
import dev.cordon.vm.layer.Layer;
import dev.cordon.vm.layer.LayerStore;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes the first root of a guest: our init, the supervisor that it starts, and the modules in the order in which they are loaded. */
final class InitramfsRecipe implements LayerStore.Recipe {
    static final String KIND = "initramfs";
    static final String FILE = "initramfs.cpio";

    private static final String FORMAT = "initramfs 1";

    private final Layer kernel;
    private final byte[] guest;
    private final byte[] supervisor;

    /**
     * A recipe.
     *
     * @param kernel     the layer that the modules come from
     * @param guest      the program that becomes /init
     * @param supervisor the program that builds jails inside the guest
     */
    InitramfsRecipe(Layer kernel, byte[] guest, byte[] supervisor) {
        this.kernel = kernel;
        this.guest = guest;
        this.supervisor = supervisor;
    }

    String key() throws IOException {
        return new ContentHash()
                .add(FORMAT)
                .add(Files.readString(kernel.file("contents")))
                .add(guest)
                .add(supervisor)
                .hex();
    }

    @Override
    public void make(Path directory, Path scratch) throws IOException {
        try (CpioWriter archive =
                new CpioWriter(new BufferedOutputStream(Files.newOutputStream(directory.resolve(FILE))))) {
            for (String place : new String[] {"dev", "proc", "sys", "root", "modules"}) {
                archive.directory(place);
            }
            archive.file("init", 0755, guest);
            archive.file("cordon-supervisor", 0755, supervisor);
            byte[] order = Files.readAllBytes(kernel.file(KernelRecipe.ORDER));
            archive.file("modules/order", 0644, order);
            for (String module : Files.readAllLines(kernel.file(KernelRecipe.ORDER))) {
                archive.file("modules/" + module, 0644, Files.readAllBytes(kernel.file(module)));
            }
        }
    }
}
