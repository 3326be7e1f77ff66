package dev.cordon.bindings;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the module lets out, and what it does before it is asked. */
class FacadeTest {
    private static final JavaClasses MODULE = new ClassFileImporter()
            .importUrl(NativeParts.class.getProtectionDomain().getCodeSource().getLocation());

    private final List<JavaClass> facade = MODULE.stream()
            .filter(type -> !type.getPackageName().contains(".generated"))
            .toList();

    @Test
    void noForeignTypeIsInAPublicSignature() {
        Stream<JavaCodeUnit> units = facade.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .flatMap(type -> type.getCodeUnits().stream())
                .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC)
                        || unit.getModifiers().contains(JavaModifier.PROTECTED));
        assertThat(units)
                .isNotEmpty()
                .allSatisfy(unit -> assertThat(
                                Stream.concat(unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType())))
                        .as(unit.getFullName())
                        .noneMatch(type -> type.getPackageName().startsWith("java.lang.foreign")
                                || type.getPackageName().contains(".generated")));
    }

    @Test
    void noPublicFieldIsForeign() {
        assertThat(facade.stream()
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .flatMap(type -> type.getFields().stream())
                        .filter(field -> field.getModifiers().contains(JavaModifier.PUBLIC)))
                .isNotEmpty()
                .noneMatch(field -> field.getRawType().getPackageName().startsWith("java.lang.foreign"));
    }

    @Test
    void staticInitialisersNeitherLinkNorLoad() {
        assertThat(facade.stream()
                        .flatMap(type -> type.getStaticInitializer().stream())
                        .flatMap(initialiser -> initialiser.getMethodCallsFromSelf().stream())
                        .map(call -> call.getTarget().getName()))
                .isNotEmpty()
                .doesNotContain("downcallHandle", "libraryLookup", "load", "loadLibrary", "find", "loaderLookup");
    }

    @Test
    void theWireFormatStaysClearOfForeignMemory() {
        noClasses()
                .that()
                .resideInAPackage("dev.cordon.bindings.wire..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.foreign")
                .check(MODULE);
    }
}
