package dev.cordon.seccomp.compile;

import dev.cordon.bindings.value.ErrnoException;
import dev.cordon.job.ProfileRef;
import dev.cordon.seccomp.BpfProgram;
import dev.cordon.seccomp.CompiledProfile;
import dev.cordon.seccomp.InvalidProfile;
import dev.cordon.seccomp.PlanRule;
import dev.cordon.seccomp.Profile;
import dev.cordon.seccomp.read.Profiles;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The filters for the profile that a job names. Cordon's own come compiled from the jar; a user's file is read each time, since it may have
 * changed, and compiled once for each content. libseccomp is loaded when the first profile has to be compiled.
 */
public final class ProfileFilters {
    private final Map<String, CompiledProfile> packaged = new ConcurrentHashMap<>();
    private final Supplier<ProfileCompiler> compiler;
    private @Nullable CompiledProfile qemu;

    /**
     * Filters by a compiler that is made when it is needed.
     *
     * @param compiler called when a profile has to be compiled; should return the same one each time, for its cache
     */
    public ProfileFilters(Supplier<ProfileCompiler> compiler) {
        this.compiler = compiler;
    }

    /**
     * The filters of a profile.
     *
     * @param rules what the plan needs beside the profile
     * @throws InvalidProfile when there is no such profile, or it cannot be used
     * @throws ErrnoException when libseccomp fails
     */
    public CompiledProfile of(ProfileRef reference, Set<PlanRule> rules) throws ErrnoException {
        if (reference instanceof ProfileRef.Named named && Profiles.names().contains(named.name())) {
            Optional<CompiledProfile> found = packaged(named.name(), rules);
            if (found.isPresent()) {
                return found.get();
            }
        }
        Profile profile = Profiles.load(reference);
        return compiler.get().compile(profile.with(rules));
    }

    /**
     * The filters of a profile for a job that the policy watches. Compiled when they are needed: few jobs are.
     *
     * @param rules what the plan needs beside the profile
     * @throws InvalidProfile when there is no such profile, or it cannot be used
     * @throws ErrnoException when libseccomp fails
     */
    public CompiledProfile watched(ProfileRef reference, Set<PlanRule> rules) throws ErrnoException {
        Profile profile = Profiles.load(reference);
        return compiler.get().compileWatched(profile.with(rules));
    }

    /**
     * Init's filter in a sandbox that learns.
     *
     * @throws ErrnoException when libseccomp fails
     */
    public BpfProgram observing() throws ErrnoException {
        return compiler.get().observing();
    }

    /**
     * The filters of QEMU's profile.
     *
     * @throws ErrnoException when libseccomp fails
     */
    public synchronized CompiledProfile qemu() throws ErrnoException {
        Optional<CompiledProfile> found = packaged(Profiles.QEMU, Set.of());
        if (found.isPresent()) {
            return found.get();
        }
        CompiledProfile made = qemu;
        if (made == null) {
            made = compiler.get().compileTrusted(Profiles.qemu());
            qemu = made;
        }
        return made;
    }

    private Optional<CompiledProfile> packaged(String name, Set<PlanRule> rules) {
        String file = FilterFile.name(name, rules);
        CompiledProfile known = packaged.get(file);
        if (known == null) {
            Optional<CompiledProfile> found = FilterFile.packaged(name, rules);
            found.ifPresent(compiled -> packaged.put(file, compiled));
            return found;
        }
        return Optional.of(known);
    }
}
