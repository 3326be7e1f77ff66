package dev.cordon.seccomp.compile;

import dev.cordon.bindings.NativeParts;
import dev.cordon.seccomp.PlanRule;
import dev.cordon.seccomp.Profile;
import dev.cordon.seccomp.read.Profiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A step of the build: compiles Cordon's own profiles into a folder that goes into the jar. */
public final class ProfilePackager {
    private ProfilePackager() {}

    /** Writes the files of filters into the folder that the only argument names. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            throw new IllegalArgumentException("usage: ProfilePackager FOLDER");
        }
        write(Path.of(arguments[0]), new ProfileCompiler(NativeParts.load().seccomp()::compile));
    }

    static void write(Path folder, ProfileCompiler compiler) throws IOException {
        Files.createDirectories(folder);
        for (String name : Profiles.names()) {
            Profile profile = Profiles.named(name);
            for (Set<PlanRule> rules : combinations()) {
                Files.write(
                        folder.resolve(FilterFile.name(name, rules)),
                        FilterFile.write(compiler.compile(profile.with(rules))));
            }
        }
        Files.write(
                folder.resolve(FilterFile.name(Profiles.QEMU, Set.of())),
                FilterFile.write(compiler.compileTrusted(Profiles.qemu())));
    }

    /** Every set of rules that a plan can ask for. */
    static List<Set<PlanRule>> combinations() {
        List<Set<PlanRule>> sets = new ArrayList<>();
        sets.add(Set.of());
        for (PlanRule rule : PlanRule.values()) {
            for (Set<PlanRule> smaller : List.copyOf(sets)) {
                Set<PlanRule> larger = EnumSet.of(rule);
                larger.addAll(smaller);
                sets.add(larger);
            }
        }
        return sets;
    }
}
