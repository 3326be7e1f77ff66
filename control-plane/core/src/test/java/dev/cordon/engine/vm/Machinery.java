package dev.cordon.engine.vm;

import dev.cordon.Cordon;
import dev.cordon.config.Config;
import dev.cordon.config.VmSettings;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Machines for tests: their images and templates are those of all suites of a clone, because building them takes a minute. */
public final class Machinery {
    private Machinery() {}

    /** Machines that wait ahead make a suite faster; tests of what is left behind have none. */
    public static Config config(int pool) throws IOException {
        Path build = Path.of(System.getProperty("cordon.root", "."), "build").toAbsolutePath();
        Path store = Files.createDirectories(Path.of(System.getProperty(
                "cordon.test.vm.store", build.resolve("vm-store").toString())));
        Path state = Files.createDirectories(build.resolve("vm-state"));
        try {
            Files.createSymbolicLink(state.resolve("vm"), store);
        } catch (FileAlreadyExistsException e) {
            // made by an earlier test
        }
        Config here = Config.load();
        VmSettings vm = new VmSettings(
                true,
                VmSettings.Accel.AUTO,
                here.vm().bootTimeout(),
                VmSettings.Templates.PER_OWNER,
                pool,
                state.resolve("images"));
        return new Config(here.defaults(), here.ceilings(), here.ids(), state, here.runDirectory(), here.settings())
                .withVm(vm);
    }

    /** The caller closes it. */
    public static Cordon open(int pool) throws IOException {
        return Cordon.open(config(pool));
    }

    /** The QEMU processes below this one. */
    public static List<ProcessHandle> machines() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().command().orElse("").contains("qemu-system"))
                .toList();
    }
}
