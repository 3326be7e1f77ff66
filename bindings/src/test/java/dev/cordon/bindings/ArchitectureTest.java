package dev.cordon.bindings;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** The messages are built on the calls, and both on nothing but the JDK and what jextract made. */
class ArchitectureTest {
    private static final JavaClasses MODULE = new ClassFileImporter()
            .importUrl(NativeParts.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void callsKnowNothingOfMessages() {
        noClasses()
                .that()
                .resideInAPackage("dev.cordon.bindings")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.cordon.bindings.wire")
                .check(MODULE);
    }

    @Test
    void nothingElseIsNeeded() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify.annotations..", "dev.cordon.bindings..")
                .check(MODULE);
    }
}
