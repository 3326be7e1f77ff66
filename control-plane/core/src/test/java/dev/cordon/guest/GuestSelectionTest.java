package dev.cordon.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the guest is told to run, and to leave out, exists: a name that nobody has is not missed in there. */
final class GuestSelectionTest {
    static Stream<List<String>> selections() {
        return Stream.of(
                GuestSelection.installedPackage(),
                GuestSelection.rootInAService(),
                GuestSelection.userInAService(),
                GuestSelection.userInASession());
    }

    @ParameterizedTest
    @MethodSource("selections")
    void everyNameIsATest(List<String> selection) throws ClassNotFoundException {
        assertThat(selection).isNotEmpty().doesNotHaveDuplicates();
        for (String name : selection) {
            String[] parts = name.replaceFirst("^-", "").split("#", -1);
            Class<?> type = Class.forName(parts[0], false, getClass().getClassLoader());
            if (parts.length > 1) {
                assertThat(Stream.of(type.getDeclaredMethods()).map(Method::getName))
                        .as(parts[0])
                        .contains(parts[1]);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("selections")
    void whatIsLeftOutBelongsToAClassThatIsRun(List<String> selection) {
        assertThat(selection)
                .filteredOn(name -> name.startsWith("-"))
                .allSatisfy(name -> assertThat(selection).contains(name.substring(1, name.indexOf('#'))));
    }
}
