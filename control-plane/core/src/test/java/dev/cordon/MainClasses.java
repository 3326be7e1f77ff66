package dev.cordon;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import dev.cordon.fixture.Rooms;
import dev.cordon.fixture.UserNamespaces;
import java.net.URL;
import java.util.List;
import java.util.stream.Stream;

/** Everything but the tests and their fixtures, wherever the build or a suite's staging has put them. */
public final class MainClasses implements ImportOption {
    private static final List<URL> TESTS = Stream.of(MainClasses.class, UserNamespaces.class, Rooms.class)
            .map(test -> test.getProtectionDomain().getCodeSource().getLocation())
            .toList();

    @Override
    public boolean includes(Location location) {
        return TESTS.stream().noneMatch(tests -> location.contains(tests.getPath()));
    }
}
