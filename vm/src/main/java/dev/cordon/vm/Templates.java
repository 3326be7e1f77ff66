package dev.cordon.vm;

import dev.cordon.bindings.Fd;
import dev.cordon.bindings.Kernel;
import dev.cordon.vm.image.Layer;
import dev.cordon.vm.image.Layers;
import dev.cordon.vm.image.Progress;
import dev.cordon.vm.qemu.Deadline;
import dev.cordon.vm.qemu.Qemu;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The templates of a store: a plain one of each shape, which is booted, and prepared ones, which are made of it. The store keeps so many,
 * those that were used last; the memory of a few is held here.
 */
final class Templates implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Templates.class);

    /** Of the templates that are held: each takes what its guest had touched, some 100 MiB. */
    private static final int MOST_HELD = 4;

    /** Preparations that are remembered for having been asked for, or for having failed. */
    private static final int MOST_REMEMBERED = 1024;

    private final Kernel kernel;
    private final Layers layers;
    private final Ignition ignition;
    private final Progress progress;
    private final MachineSettings settings;
    private final Map<String, Template> held = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<String> asked = new HashSet<>();
    private final Set<String> hopeless = new HashSet<>();

    Templates(Kernel kernel, Layers layers, Ignition ignition, Progress progress, MachineSettings settings) {
        this.kernel = kernel;
        this.layers = layers;
        this.ignition = ignition;
        this.progress = progress;
        this.settings = settings;
    }

    /**
     * The template of machines that are prepared so; the plain one when they cannot be, or when it does not pay. The caller closes what it
     * gets.
     */
    synchronized Template obtain(Parts parts, Preparation preparation) throws MachineFailed {
        try {
            if (preparation.isNone() || !pays(parts, preparation)) {
                return plain(parts).share();
            }
            String key = parts.key(preparation);
            Template known = held.get(key);
            return (known != null ? known : prepared(parts, preparation, key)).share();
        } catch (MachineFailed e) {
            throw e;
        } catch (IOException e) {
            throw MachineFailed.at(MachineFailed.Stage.TEMPLATE, e, "");
        }
    }

    /** A preparation that nobody asks for again would only push out others. */
    private boolean pays(Parts parts, Preparation preparation) throws IOException {
        String key = parts.key(preparation);
        if (hopeless.contains(key)) {
            return false;
        }
        if (asked.size() >= MOST_REMEMBERED) {
            asked.clear();
        }
        boolean again = !asked.add(key);
        return again || held.containsKey(key) || TemplateStore.hasRoom(layers) || layers.has(Template.KIND, key);
    }

    private Template plain(Parts parts) throws IOException {
        String key = parts.key(Preparation.NONE);
        Template known = held.get(key);
        return known != null ? known : hold(key, parts, false, (directory, scratch) -> boot(parts, directory));
    }

    private Template prepared(Parts parts, Preparation preparation, String key) throws IOException {
        if (!layers.has(Template.KIND, key)) {
            plain(parts); // one layer is made at a time
        }
        try {
            return hold(key, parts, true, (directory, scratch) -> prepare(parts, plain(parts), preparation, directory));
        } catch (MachineFailed e) {
            LOG.warn("machines of {} are not prepared ahead: {}", parts.shape(), e.problem());
            if (hopeless.size() < MOST_REMEMBERED) {
                hopeless.add(key);
            }
            return plain(parts);
        }
    }

    private Template hold(String key, Parts parts, boolean prepared, Layers.Recipe recipe) throws IOException {
        Layer layer = layers.obtain(Template.KIND, key, (directory, scratch) -> {
            recipe.make(directory, scratch);
            TemplateStore.describe(directory, parts.image());
        });
        TemplateStore.use(layer);
        TemplateStore.prune(layers);
        Template loaded = Template.load(kernel, layer, prepared);
        held.put(key, loaded);
        if (held.size() > MOST_HELD) {
            // Machines that were restored from it keep its memory.
            String eldest = held.keySet().iterator().next();
            held.remove(eldest).close();
        }
        return loaded;
    }

    private void boot(Parts parts, Path directory) throws IOException {
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

    private void attemptBoot(Parts parts, Path directory) throws IOException {
        try (Fd ram = ignition.memory(parts.shape())) {
            try (Qemu qemu = ignition.boot(parts, kernel.duplicate(ram), true)) {
                save(qemu, directory);
            }
            Template.keep(kernel, ram, parts.shape().memory(), directory);
        }
    }

    private void prepare(Parts parts, Template plain, Preparation preparation, Path directory) throws IOException {
        progress.step(1, 1, "preparing a template of " + parts.shape().image());
        try (Fd ram = ignition.memory(parts.shape())) {
            plain.copy(parts.shape().memory(), ram);
            try (Qemu qemu = ignition.restore(parts, plain, kernel.duplicate(ram), true)) {
                try {
                    preparation.work().prepare(qemu.channel());
                } catch (IOException e) {
                    throw MachineFailed.at(MachineFailed.Stage.RENEWAL, e, qemu.console());
                }
                save(qemu, directory);
            }
            Template.keep(kernel, ram, parts.shape().memory(), directory);
        } finally {
            progress.end();
        }
    }

    private void save(Qemu qemu, Path directory) throws IOException {
        try (Fd state = Template.newState(kernel, directory)) {
            qemu.save(state, Deadline.in(settings.restore()));
        }
    }

    /** Has the templates of such machines made anew. */
    synchronized void forget(Parts parts, Preparation preparation) throws MachineFailed {
        try {
            forget(parts.key(Preparation.NONE));
            forget(parts.key(preparation));
        } catch (IOException e) {
            throw MachineFailed.at(MachineFailed.Stage.TEMPLATE, e, "");
        }
    }

    private void forget(String key) throws IOException {
        Template template = held.remove(key);
        if (template != null) {
            template.close();
        }
        layers.remove(layers.list(Template.KIND, key));
    }

    @Override
    public synchronized void close() {
        held.values().forEach(Template::close);
        held.clear();
    }
}
