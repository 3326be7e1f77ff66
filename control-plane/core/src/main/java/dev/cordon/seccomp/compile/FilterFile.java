package dev.cordon.seccomp.compile;

import dev.cordon.seccomp.BpfProgram;
import dev.cordon.seccomp.CompiledProfile;
import dev.cordon.seccomp.PlanRule;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Compiled filters as a file of the jar. Reading a profile and compiling it costs a young JVM several times what the rest of a short job
 * takes; Cordon's own profiles are compiled when Cordon is built.
 */
final class FilterFile {
    private static final int MAGIC = 0x43464c31; // "CFL1"

    private FilterFile() {}

    /** The file's name for a profile, beside the profile. */
    static String name(String profile, Set<PlanRule> rules) {
        StringBuilder name = new StringBuilder(profile);
        for (PlanRule rule : PlanRule.values()) {
            if (rules.contains(rule)) {
                name.append('-').append(rule.suffix());
            }
        }
        return name.append(".filters").toString();
    }

    /** What the jar has for a profile, if it has been built with filters. */
    static Optional<CompiledProfile> packaged(String profile, Set<PlanRule> rules) {
        String resource = "/dev/cordon/profiles/" + name(profile, rules);
        try (InputStream stream = FilterFile.class.getResourceAsStream(resource)) {
            return stream == null ? Optional.empty() : Optional.of(read(stream));
        } catch (IOException e) {
            throw new IllegalStateException(resource + " is damaged; build or install Cordon again", e);
        }
    }

    static byte[] write(CompiledProfile compiled) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        out.writeUTF(compiled.hash());
        write(out, compiled.initFilter().bytes());
        write(out, compiled.jobFilter().map(BpfProgram::bytes).orElse(new byte[0]));
        out.writeInt(compiled.warnings().size());
        for (String warning : compiled.warnings()) {
            out.writeUTF(warning);
        }
        out.writeInt(compiled.tripwires().size());
        for (Map.Entry<Integer, String> wire : compiled.tripwires().entrySet()) {
            out.writeInt(wire.getKey());
            out.writeUTF(wire.getValue());
        }
        return bytes.toByteArray();
    }

    static CompiledProfile read(InputStream stream) throws IOException {
        DataInputStream in = new DataInputStream(stream);
        if (in.readInt() != MAGIC) {
            throw new IOException("not a file of filters");
        }
        String hash = in.readUTF();
        BpfProgram init = new BpfProgram(bytes(in));
        byte[] second = bytes(in);
        Optional<BpfProgram> job = second.length == 0 ? Optional.empty() : Optional.of(new BpfProgram(second));
        List<String> warnings = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            warnings.add(in.readUTF());
        }
        SortedMap<Integer, String> tripwires = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            tripwires.put(in.readInt(), in.readUTF());
        }
        return new CompiledProfile(init, job, hash, warnings, tripwires);
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        byte[] bytes = in.readNBytes(length);
        if (bytes.length != length) {
            throw new IOException("ends too early");
        }
        return bytes;
    }
}
