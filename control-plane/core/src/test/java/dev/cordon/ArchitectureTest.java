package dev.cordon;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Files;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Dependencies point one way, and the foreign world has one door. */
@AnalyzeClasses(packages = "dev.cordon", importOptions = MainClasses.class)
class ArchitectureTest {
    private static final String[] VALUES = {
        "java..", "org.jspecify.annotations..", "dev.cordon.job..", "dev.cordon.result.."
    };

    @ArchTest
    static final ArchRule apiIsPlainJava = classes()
            .that()
            .resideInAnyPackage("dev.cordon.job..", "dev.cordon.result..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(VALUES);

    @ArchTest
    static final ArchRule apiDoesNoInputOrOutput = noClasses()
            .that()
            .resideInAnyPackage("dev.cordon.job..", "dev.cordon.result..")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(Files.class, ProcessBuilder.class);

    @ArchTest
    static final ArchRule policyKnowsTheApiAlone = classes()
            .that()
            .resideInAnyPackage("dev.cordon.policy", "dev.cordon.policy.rule")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "org.jspecify.annotations..",
                    "dev.cordon.job..",
                    "dev.cordon.result..",
                    "dev.cordon.policy",
                    "dev.cordon.policy.rule");

    @ArchTest
    static final ArchRule planKnowsOnlyWhatComesBeforeIt = classes()
            .that()
            .resideInAPackage("dev.cordon.plan..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "org.jspecify.annotations..",
                    "dev.cordon.job..",
                    "dev.cordon.result..",
                    "dev.cordon.config..",
                    "dev.cordon.policy",
                    "dev.cordon.policy.rule",
                    "dev.cordon.plan..");

    @ArchTest
    static final ArchRule plansAreMadeWithoutLookingAtTheHost = noClasses()
            .that()
            .resideInAnyPackage("dev.cordon.plan", "dev.cordon.plan.facts", "dev.cordon.plan.planner")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(Files.class, ProcessBuilder.class);

    @ArchTest
    static final ArchRule theEngineIsReachedThroughTheCompositionRootAlone = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.cordon.job..",
                    "dev.cordon.result..",
                    "dev.cordon.config..",
                    "dev.cordon.policy..",
                    "dev.cordon.plan..",
                    "dev.cordon.json..",
                    "dev.cordon.seccomp..",
                    "dev.cordon.cgroup..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.cordon.engine..", "dev.cordon.flow", "dev.cordon");

    @ArchTest
    static final ArchRule foreignMemoryHasOneDoor = noClasses()
            .that()
            .resideOutsideOfPackage("dev.cordon.bindings..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.lang.foreign..");

    @ArchTest
    static final ArchRule generatedCodeStaysBelowTheFacade = noClasses()
            .that()
            .resideOutsideOfPackage("dev.cordon.bindings..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.cordon.bindings.generated..");

    @ArchTest
    static final ArchRule jsonStaysAtTheEdges = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.cordon",
                    "dev.cordon.flow",
                    "dev.cordon.job..",
                    "dev.cordon.result..",
                    "dev.cordon.policy",
                    "dev.cordon.policy.rule",
                    "dev.cordon.plan..",
                    "dev.cordon.engine..",
                    "dev.cordon.cgroup..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("tools.jackson..", "com.fasterxml..");

    @Test
    void everyPackageSaysWhatMayBeNull() {
        JavaClasses all =
                new ClassFileImporter().withImportOption(new MainClasses()).importPackages("dev.cordon");
        assertThat(all.stream()
                        .map(type -> type.getPackage())
                        .distinct()
                        .filter(part -> !part.getName().contains(".generated"))
                        .filter(part -> !part.isAnnotatedWith(NullMarked.class))
                        .map(part -> part.getName()))
                .isEmpty();
    }
}
