package dev.cordon.vm;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may know whom: machines stand on QEMU and images, these on layers, archives, JSON and time. */
class ArchitectureTest {
    private static final JavaClasses MODULE = new ClassFileImporter()
            .importUrl(Machines.class.getProtectionDomain().getCodeSource().getLocation());

    private static final String[] LIBRARIES = {
        "java..",
        "org.jspecify.annotations..",
        "org.slf4j..",
        "tools.jackson..",
        "dev.cordon.bindings",
        "dev.cordon.bindings.value"
    };

    private static final Map<String, List<String>> BELOW = Map.of(
            "dev.cordon.vm",
                    List.of("dev.cordon.vm.image", "dev.cordon.vm.layer", "dev.cordon.vm.qemu", "dev.cordon.vm.time"),
            "dev.cordon.vm.image", List.of("dev.cordon.vm.archive", "dev.cordon.vm.json", "dev.cordon.vm.layer"),
            "dev.cordon.vm.qemu", List.of("dev.cordon.vm.json", "dev.cordon.vm.time"),
            "dev.cordon.vm.layer", List.of(),
            "dev.cordon.vm.archive", List.of(),
            "dev.cordon.vm.json", List.of(),
            "dev.cordon.vm.time", List.of());

    @Test
    void everyPackageIsKnownHere() {
        assertThat(MODULE.stream().map(JavaClass::getPackageName).distinct().filter(name -> !name.isEmpty()))
                .containsExactlyInAnyOrderElementsOf(BELOW.keySet());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.cordon.vm",
                "dev.cordon.vm.image",
                "dev.cordon.vm.qemu",
                "dev.cordon.vm.layer",
                "dev.cordon.vm.archive",
                "dev.cordon.vm.json",
                "dev.cordon.vm.time"
            })
    void knowsOnlyWhatIsBelow(String name) {
        Stream<String> allowed = Stream.concat(BELOW.getOrDefault(name, List.of()).stream(), Stream.of(name));
        classes()
                .that()
                .resideInAPackage(name)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(Stream.concat(Stream.of(LIBRARIES), allowed).toArray(String[]::new))
                .check(MODULE);
    }

    @Test
    void foreignMemoryHasOneDoorAndThatIsElsewhere() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.foreign..")
                .check(MODULE);
    }
}
