package dev.cordon.server.access;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.cordon.server.store.TokenStore;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** I-03: whoever knows a secret compares it in constant time, in the one place that does so. */
class ConstantTimeTest {
    private static final JavaClasses SERVER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.cordon.server");

    @Test
    void secretsAreComparedByOneMethodAlone() {
        classes()
                .that()
                .belongToAnyOf(TokenSecret.class)
                .should()
                .callMethod(MessageDigest.class, "isEqual", byte[].class, byte[].class)
                .check(SERVER);
        noClasses()
                .that()
                .belongToAnyOf(TokenSecret.class, CredentialTokens.class, TokenStore.class)
                .should()
                .callMethod(String.class, "equals", Object.class)
                .orShould()
                .callMethod(String.class, "compareTo", String.class)
                .orShould()
                .callMethod(Object.class, "equals", Object.class)
                .orShould()
                .callMethod(Objects.class, "equals", Object.class, Object.class)
                .check(SERVER);
    }

    @Test
    void nobodyElseComparesBytesOrSecrets() {
        noClasses()
                .should()
                .callMethod(Arrays.class, "equals", byte[].class, byte[].class)
                .orShould()
                .callMethod(TokenSecret.class, "equals", Object.class)
                .check(SERVER);
    }
}
