package dev.cordon.profile;

import dev.cordon.bindings.Natives;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A step of the build: compiles Cordon's own profiles into a folder that goes into the jar. */
public final class ProfilePackager {
    private ProfilePackager() {}

    /** Writes the files of filters into the folder that the only argument names. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            throw new IllegalArgumentException("usage: ProfilePackager FOLDER");
        }
        write(Path.of(arguments[0]), new ProfileCompiler(Natives.load().seccomp()::compile));
    }

    static void write(Path folder, ProfileCompiler compiler) throws IOException {
        Files.createDirectories(folder);
        for (String name : Profiles.names()) {
            Profile profile = Profiles.named(name);
            Files.write(folder.resolve(FilterFile.name(name, true)), FilterFile.write(compiler.compile(profile)));
            Files.write(
                    folder.resolve(FilterFile.name(name, false)),
                    FilterFile.write(compiler.compile(profile.withoutOpenat2())));
        }
    }
}
