package dev.cordon.seccomp.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.job.ProfileRef;
import dev.cordon.seccomp.CompiledProfile;
import dev.cordon.seccomp.InvalidProfile;
import dev.cordon.seccomp.PlanRule;
import dev.cordon.seccomp.TestFilters;
import dev.cordon.seccomp.read.Profiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters by reference, and the files of filters that go into the jar. */
class ProfileFiltersTest {
    private static final String PROFILE =
            "{\"defaultAction\": \"SCMP_ACT_ALLOW\", \"flags\": [\"SECCOMP_FILTER_FLAG_LOG\"]}";

    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "jvm", "debug"})
    void packagedFiltersAreThoseOfTheProfile(String name, @TempDir Path folder) throws IOException {
        ProfileCompiler compiler = TestFilters.compiler();
        ProfilePackager.write(folder, compiler);
        assertThat(ProfilePackager.combinations()).hasSize(4).doesNotHaveDuplicates();
        for (Set<PlanRule> rules : ProfilePackager.combinations()) {
            CompiledProfile expected = compiler.compile(Profiles.named(name).with(rules));
            byte[] file = Files.readAllBytes(folder.resolve(FilterFile.name(name, rules)));
            assertThat(FilterFile.read(new ByteArrayInputStream(file))).isEqualTo(expected);
        }
    }

    @Test
    void packagedFiltersOfQemuAreThoseOfItsProfile(@TempDir Path folder) throws IOException {
        ProfileCompiler compiler = TestFilters.compiler();
        ProfilePackager.write(folder, compiler);
        byte[] file = Files.readAllBytes(folder.resolve(FilterFile.name(Profiles.QEMU, Set.of())));
        assertThat(FilterFile.read(new ByteArrayInputStream(file))).isEqualTo(compiler.compileTrusted(Profiles.qemu()));
    }

    @Test
    void damagedFilesAreNoticed() throws IOException {
        byte[] file = FilterFile.write(TestFilters.compiler().compile(Profiles.named("default")));
        for (int length : new int[] {0, 3, 50, 100, file.length - 1}) {
            assertThatIOException()
                    .isThrownBy(() -> FilterFile.read(new ByteArrayInputStream(Arrays.copyOf(file, length))));
        }
        byte[] other = file.clone();
        other[0] ^= 1;
        assertThatIOException().isThrownBy(() -> FilterFile.read(new ByteArrayInputStream(other)));
    }

    @Test
    void filtersByReference(@TempDir Path folder) throws IOException {
        ProfileCompiler compiler = TestFilters.compiler();
        ProfileFilters filters = new ProfileFilters(() -> compiler);
        CompiledProfile named = filters.of(new ProfileRef.Named("strict"), Set.of());
        assertThat(named.hash()).isEqualTo(Profiles.named("strict").hash());
        assertThat(filters.of(new ProfileRef.Named("strict"), Set.of())).isSameAs(named);
        assertThat(filters.of(new ProfileRef.Named("strict"), Set.of(PlanRule.HOST_FILES)))
                .isNotEqualTo(named);

        Path file = folder.resolve("mine.json");
        Files.writeString(file, PROFILE, StandardCharsets.UTF_8);
        CompiledProfile mine = filters.of(new ProfileRef.FromFile(file), Set.of());
        assertThat(mine.warnings()).singleElement().asString().contains("/flags/0");
        assertThat(filters.of(new ProfileRef.FromFile(file), Set.of())).isSameAs(mine);
        Files.writeString(file, PROFILE.replace("ALLOW", "LOG"), StandardCharsets.UTF_8);
        assertThat(filters.of(new ProfileRef.FromFile(file), Set.of()))
                .as("a changed file")
                .isNotEqualTo(mine);
    }

    @Test
    void unknownNames() throws ErrnoException {
        ProfileFilters filters = new ProfileFilters(TestFilters::compiler);
        assertThatExceptionOfType(InvalidProfile.class)
                .isThrownBy(() -> filters.of(new ProfileRef.Named("defualt"), Set.of()))
                .withMessageContaining("defualt")
                .withMessageContaining("default, strict, jvm, debug");
    }
}
