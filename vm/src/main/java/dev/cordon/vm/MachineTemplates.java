package dev.cordon.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.vm.layer.BuildProgress;
import dev.cordon.vm.layer.Layer;
import dev.cordon.vm.layer.LayerStore;
import dev.cordon.vm.qemu.RunningQemu;
import dev.cordon.vm.time.WaitDeadline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The templates of a store: a plain one of each shape, which is booted, and prepared ones, which are made of it. The store keeps so many,
 * those that were used last; the memory of a few is held here.
 */
final class MachineTemplates implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MachineTemplates.class);

    /** Preparations that are remembered for having been asked for, or for having failed. */
    private static final int MOST_REMEMBERED = 1024;

    private final Kernel kernel;
    private final LayerStore layers;
    private final QemuStart start;
    private final BuildProgress progress;
    private final MachineSettings settings;
    private final HeldTemplates held = new HeldTemplates();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final Set<String> hopeless = ConcurrentHashMap.newKeySet();

    MachineTemplates(
            Kernel kernel, LayerStore layers, QemuStart start, BuildProgress progress, MachineSettings settings) {
        this.kernel = kernel;
        this.layers = layers;
        this.start = start;
        this.progress = progress;
        this.settings = settings;
    }

    /**
     * The template of machines that are prepared so; the plain one when they cannot be, or when it does not pay. The caller closes what it
     * gets.
     */
    MachineTemplate obtain(MachineParts parts, TemplatePreparation preparation) throws MachineFailed {
        try {
            return preparation.isNone() || !pays(parts, preparation) ? plain(parts) : prepared(parts, preparation);
        } catch (MachineFailed e) {
            throw e;
        } catch (IOException e) {
            throw MachineFailed.at(MachineFailed.Stage.TEMPLATE, e, "");
        }
    }

    /** A preparation that nobody asks for again would only push out others. */
    private boolean pays(MachineParts parts, TemplatePreparation preparation) throws IOException {
        String key = parts.key(preparation);
        if (hopeless.contains(key)) {
            return false;
        }
        if (asked.size() >= MOST_REMEMBERED) {
            asked.clear();
        }
        boolean again = !asked.add(key);
        return again
                || held.has(key)
                || TemplateStore.hasRoom(layers, parts.shape().owner())
                || layers.has(MachineTemplate.KIND, key);
    }

    private MachineTemplate plain(MachineParts parts) throws IOException {
        String key = parts.key(TemplatePreparation.NONE);
        return held.share(key, () -> load(key, parts, false, (directory, scratch) -> boot(parts, directory)));
    }

    private MachineTemplate prepared(MachineParts parts, TemplatePreparation preparation) throws IOException {
        String key = parts.key(preparation);
        try {
            return held.share(key, () -> prepared(parts, preparation, key));
        } catch (MachineFailed e) {
            LOG.warn("machines of {} are not prepared ahead: {}", parts.shape(), e.problem());
            if (hopeless.size() < MOST_REMEMBERED) {
                hopeless.add(key);
            }
            return plain(parts);
        }
    }

    private MachineTemplate prepared(MachineParts parts, TemplatePreparation preparation, String key)
            throws IOException {
        if (layers.find(MachineTemplate.KIND, key).isPresent()) {
            return load(key, parts, true, (directory, scratch) -> {
                throw new IOException("the template was removed meanwhile");
            });
        }
        // The plain one is there before: a store makes one layer at a time.
        try (MachineTemplate plain = plain(parts)) {
            held.drop(parts.key(TemplatePreparation.NONE));
            return load(key, parts, true, (directory, scratch) -> prepare(parts, plain, preparation, directory));
        }
    }

    private MachineTemplate load(String key, MachineParts parts, boolean prepared, LayerStore.Recipe recipe)
            throws IOException {
        Layer layer = layers.obtain(MachineTemplate.KIND, key, (directory, scratch) -> {
            recipe.make(directory, scratch);
            TemplateStore.describe(directory, parts);
        });
        layer.touch();
        TemplateStore.prune(layers);
        return MachineTemplate.load(kernel, layer, prepared);
    }

    private void boot(MachineParts parts, Path directory) throws IOException {
        progress.step(
                1, 1, "booting once, to make a template of " + parts.shape().image());
        try {
            attemptBoot(parts, directory);
        } catch (MachineFailed first) {
            if (first.stage() != MachineFailed.Stage.BOOT) {
                throw first;
            }
            attemptBoot(parts, directory);
        } finally {
            progress.end();
        }
    }

    private void attemptBoot(MachineParts parts, Path directory) throws IOException {
        try (Fd ram = start.memory(parts.shape())) {
            try (RunningQemu qemu = start.boot(parts, kernel.duplicate(ram), true)) {
                save(qemu, directory);
            }
            MachineTemplate.keep(kernel, ram, parts.shape().memory(), directory);
        }
    }

    private void prepare(MachineParts parts, MachineTemplate plain, TemplatePreparation preparation, Path directory)
            throws IOException {
        progress.step(1, 1, "preparing a template of " + parts.shape().image());
        try (Fd ram = start.memory(parts.shape())) {
            plain.copy(parts.shape().memory(), ram);
            try (RunningQemu qemu = start.restore(parts, plain, kernel.duplicate(ram), true)) {
                try {
                    preparation.work().prepare(qemu.channel());
                } catch (IOException e) {
                    throw MachineFailed.at(MachineFailed.Stage.RENEWAL, e, qemu.console());
                }
                save(qemu, directory);
            }
            MachineTemplate.keep(kernel, ram, parts.shape().memory(), directory);
        } finally {
            progress.end();
        }
    }

    private void save(RunningQemu qemu, Path directory) throws IOException {
        try (Fd state = MachineTemplate.newState(kernel, directory)) {
            qemu.save(state, WaitDeadline.in(settings.restore()));
        }
    }

    /** Has the templates of such machines made anew. */
    void forget(MachineParts parts, TemplatePreparation preparation) throws MachineFailed {
        try {
            forget(parts.key(TemplatePreparation.NONE));
            forget(parts.key(preparation));
        } catch (IOException e) {
            throw MachineFailed.at(MachineFailed.Stage.TEMPLATE, e, "");
        }
    }

    private void forget(String key) throws IOException {
        held.drop(key);
        layers.remove(layers.list(MachineTemplate.KIND, key));
    }

    @Override
    public void close() {
        held.close();
    }
}
