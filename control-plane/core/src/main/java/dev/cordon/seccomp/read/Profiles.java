package dev.cordon.seccomp.read;

import dev.cordon.job.ProfileRef;
import dev.cordon.seccomp.InvalidProfile;
import dev.cordon.seccomp.Profile;
import dev.cordon.seccomp.ProfileProblem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Where profiles come from: Cordon's own, by name, and files of the user's in the format of Docker and OCI. */
public final class Profiles {
    /** Docker's profile has 14 KB; what is far larger is not a profile. */
    static final int MAX_BYTES = 256 * 1024;

    /** The name of the profile of QEMU in the jail around a virtual machine. */
    public static final String QEMU = "qemu";

    private static final List<String> NAMES = List.of("default", "strict", "jvm", "debug");

    private static final Map<String, Profile> READ = new ConcurrentHashMap<>();

    private Profiles() {}

    /** The names of Cordon's own profiles. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * The profile that a job asks for.
     *
     * @throws InvalidProfile when there is none, or it cannot be used
     */
    public static Profile load(ProfileRef reference) {
        return switch (reference) {
            case ProfileRef.Named named -> named(named.name());
            case ProfileRef.FromFile file -> file(file.file());
        };
    }

    /**
     * One of Cordon's own profiles.
     *
     * @throws InvalidProfile when there is none of that name
     */
    public static Profile named(String name) {
        if (!NAMES.contains(name)) {
            throw invalid(name, "is not a profile of Cordon's", "there are " + String.join(", ", NAMES));
        }
        return READ.computeIfAbsent(name, Profiles::resource);
    }

    /** The profile of QEMU in the jail around a virtual machine; jobs cannot ask for it. */
    public static Profile qemu() {
        return READ.computeIfAbsent(QEMU, Profiles::resource);
    }

    private static Profile resource(String name) {
        try (InputStream content = Profiles.class.getResourceAsStream("/dev/cordon/profiles/" + name + ".json")) {
            if (content == null) {
                throw new IllegalStateException("the profile " + name + " is missing in the jar");
            }
            return ProfileReader.read(name, content.readAllBytes(), KernelRelease.running());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A profile in a file.
     *
     * @throws InvalidProfile with everything that is wrong with it
     */
    public static Profile file(Path file) {
        return parse(file.toString(), content(file));
    }

    /**
     * A profile that was read elsewhere.
     *
     * @param name what messages call it
     * @throws InvalidProfile with everything that is wrong with it
     */
    public static Profile parse(String name, byte[] json) {
        if (json.length > MAX_BYTES) {
            throw invalid(name, "is too large", "a profile has at most " + MAX_BYTES + " bytes");
        }
        return ProfileReader.read(name, json, KernelRelease.running());
    }

    /** Reads a little more than is accepted, never a file that does not end. */
    private static byte[] content(Path file) {
        if (!Files.isRegularFile(file)) {
            throw invalid(
                    file.toString(),
                    "is not a file that can be read",
                    "give a profile's name or the path of a JSON file");
        }
        try (InputStream stream = Files.newInputStream(file)) {
            return stream.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            throw invalid(file.toString(), "cannot be read (" + e + ")", "check its permissions");
        }
    }

    private static InvalidProfile invalid(String name, String rule, String remedy) {
        return new InvalidProfile(name, List.of(new ProfileProblem("", rule, remedy)));
    }
}
