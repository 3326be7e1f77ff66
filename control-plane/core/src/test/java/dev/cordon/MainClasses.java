package dev.cordon;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import java.net.URL;

/** Everything but the tests, wherever the build or a suite's staging has put them. */
public final class MainClasses implements ImportOption {
    private static final URL TESTS =
            MainClasses.class.getProtectionDomain().getCodeSource().getLocation();

    @Override
    public boolean includes(Location location) {
        return !location.contains(TESTS.getPath());
    }
}
