package dev.cordon.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.cordon.bindings.Kernel;
import dev.cordon.bindings.NativeParts;
import dev.cordon.vm.layer.ContentHash;
import dev.cordon.vm.qemu.MachineEnd;
import dev.cordon.vm.qemu.MachineShape;
import dev.cordon.vm.qemu.ProcessLauncher;
import dev.cordon.vm.qemu.QemuLaunch;
import dev.cordon.vm.qemu.QemuLauncher;
import dev.cordon.vm.qemu.QemuProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Machines that fail: each with a clear end, and nothing left behind. */
@Tag("vm")
final class MachineFaultVmTest {
    private static final MachineShape SHAPE = new MachineShape("base", 256L << 20, 1);
    private static final Kernel KERNEL = NativeParts.load().kernel();
    private static final long PATIENCE = 60;

    /** Beside the store, whose files are linked. */
    @TempDir(factory = BesideTheStore.class)
    private Path folder;

    static final class BesideTheStore implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.createTempDirectory(Store.DIRECTORY.toAbsolutePath().getParent(), "vm-store-");
        }
    }

    private final List<QemuProcess> started = new ArrayList<>();

    /** The image and the template are there before a deadline is shortened. */
    @BeforeAll
    static void prepare() throws IOException {
        try (Machines machines =
                Store.machines(new ProcessLauncher(KERNEL), MachineSettings.standard(), Store.DIRECTORY)) {
            machines.restore(SHAPE, TemplatePreparation.NONE).close();
        }
    }

    private QemuProcess launch(QemuLaunch launch) throws IOException {
        QemuProcess process = new ProcessLauncher(KERNEL).launch(launch);
        started.add(process);
        return process;
    }

    /** A program that takes everything and does nothing, in QEMU's place. */
    private QemuProcess hang(QemuLaunch launch) throws IOException {
        return launch(new QemuLaunch(
                List.of("/bin/sleep", "600"), launch.descriptors(), launch.memory(), launch.cpus(), false));
    }

    private static MachineSettings within(Duration deadline) {
        return new MachineSettings(MachineSettings.Choice.TCG, deadline, deadline, true, 0);
    }

    private Machines machines(QemuLauncher launcher, MachineSettings settings) {
        return Store.machines(launcher, settings, Store.DIRECTORY);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        for (QemuProcess process : started) {
            process.exited().get(PATIENCE, TimeUnit.SECONDS);
        }
    }

    @Test
    void aKilledQemuIsToldAndClosesTheChannel() throws Exception {
        try (Machines machines = machines(this::launch, MachineSettings.standard());
                Machine machine = machines.restore(SHAPE, TemplatePreparation.NONE)) {
            started.getLast().kill();
            MachineEnd end = machine.ended().get(PATIENCE, TimeUnit.SECONDS);
            assertThat(end.kind()).isEqualTo(MachineEnd.Kind.DIED);
            assertThat(KERNEL.read(machine.channel(), ByteBuffer.allocateDirect(1)))
                    .isZero();
        }
    }

    @Test
    void aGuestWhoseInitEndsPanicsAndIsToldSo() throws Exception {
        try (Machines machines = machines(this::launch, MachineSettings.standard());
                Machine machine = machines.restore(SHAPE, TemplatePreparation.NONE)) {
            ByteBuffer rubbish = ByteBuffer.allocateDirect(4096);
            while (rubbish.hasRemaining()) {
                KERNEL.write(machine.channel(), rubbish);
            }
            MachineEnd end = machine.ended().get(PATIENCE, TimeUnit.SECONDS);
            assertThat(end.kind()).isIn(MachineEnd.Kind.PANIC, MachineEnd.Kind.SHUT_DOWN);
            assertThat(end.console() + end.detail()).isNotBlank();
        }
    }

    @Test
    void aHungQemuIsGivenUpAndTheTemplateStays() throws Exception {
        try (Machines machines = machines(this::hang, within(Duration.ofSeconds(2)))) {
            assertThatThrownBy(() -> machines.restore(SHAPE, TemplatePreparation.NONE))
                    .asInstanceOf(type(MachineFailed.class))
                    .satisfies(failed -> {
                        assertThat(failed.stage()).isEqualTo(MachineFailed.Stage.LAUNCH);
                        assertThat(failed.problem()).contains("in time");
                        assertThat(failed.remedy()).isNotEmpty();
                    });
        }
        assertThat(started).hasSize(1);
        try (Stream<Path> entries = Files.list(Store.DIRECTORY)) {
            assertThat(entries.map(Path::toString)).anyMatch(name -> name.contains("/template-"));
        }
    }

    @Test
    void aGuestThatIsNeverUpIsTriedTwiceAndShowsItsConsole() {
        try (Machines machines = machines(this::launch, within(Duration.ofMillis(1500)))) {
            assertThatThrownBy(() -> machines.boot(SHAPE))
                    .asInstanceOf(type(MachineFailed.class))
                    .satisfies(failed -> {
                        assertThat(failed.stage()).isIn(MachineFailed.Stage.BOOT, MachineFailed.Stage.LAUNCH);
                        assertThat(failed.problem()).contains("in time");
                    });
        }
    }

    @Test
    void aQemuThatRefusesItsArgumentsIsTold() {
        QemuLauncher other = launch -> {
            List<String> arguments = new ArrayList<>(launch.arguments());
            arguments.addAll(List.of("-device", "nonsense"));
            return launch(new QemuLaunch(arguments, launch.descriptors(), launch.memory(), launch.cpus(), false));
        };
        try (Machines machines = machines(other, MachineSettings.standard())) {
            assertThatThrownBy(() -> machines.boot(SHAPE))
                    .asInstanceOf(type(MachineFailed.class))
                    .satisfies(failed -> {
                        assertThat(failed.stage()).isEqualTo(MachineFailed.Stage.LAUNCH);
                        assertThat(failed.console()).contains("nonsense");
                    });
        }
    }

    @Test
    void aLauncherThatFailsLeaksNothing() throws IOException {
        QemuLauncher broken = launch -> {
            launch.close();
            throw new IOException("no room in the inn");
        };
        try (Machines machines = machines(broken, within(Duration.ofSeconds(2)))) {
            assertThatThrownBy(() -> machines.restore(SHAPE, TemplatePreparation.NONE))
                    .hasMessageContaining("no room");
            long before = descriptors();
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(() -> machines.restore(SHAPE, TemplatePreparation.NONE))
                        .isInstanceOf(MachineFailed.class);
            }
            assertThat(descriptors()).isLessThanOrEqualTo(before + 2);
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.count();
        }
    }

    @Test
    void aTemplateThatQemuDoesNotTakeIsMadeAnew() throws Exception {
        Path store = copyOfTheStore();
        try (Machines machines = Store.machines(this::launch, within(Duration.ofSeconds(90)), store);
                Machine machine = machines.restore(SHAPE, TemplatePreparation.NONE)) {
            assertThat(machine.ended()).isNotDone();
        }
        assertThat(started).hasSize(3); // the one that refused, the one that booted, the one that was restored
    }

    /** Everything but the template is linked; the template's state is rubbish with the right hash. */
    private Path copyOfTheStore() throws IOException {
        Path store = Files.createDirectory(folder.resolve("store"));
        try (Stream<Path> entries = Files.list(Store.DIRECTORY)) {
            for (Path entry : entries.toList()) {
                String name = String.valueOf(entry.getFileName());
                if (name.startsWith("template-") && Files.size(entry.resolve("ram")) == SHAPE.memory()) {
                    Path template = Files.createDirectory(store.resolve(name));
                    Files.createLink(template.resolve("ram"), entry.resolve("ram"));
                    Files.writeString(template.resolve("state"), "rubbish");
                    Files.writeString(template.resolve("contents"), contents(template));
                } else if (name.matches("(image|kernel|initramfs)-.*")) {
                    link(entry, Files.createDirectory(store.resolve(name)));
                }
            }
        }
        return store;
    }

    private static void link(Path layer, Path copy) throws IOException {
        try (Stream<Path> files = Files.list(layer)) {
            for (Path file : files.toList()) {
                Files.createLink(copy.resolve(file.getFileName()), file);
            }
        }
    }

    private static String contents(Path template) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (String name : List.of("ram", "state")) {
            lines.append(ContentHash.ofSparseFile(template.resolve(name)))
                    .append(' ')
                    .append(name)
                    .append('\n');
        }
        return lines.toString();
    }
}
