import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Writes the switches over types in our jars out as comparisons. javac leaves each to the JVM, which spins a class for it when it is first
 * reached; an AOT cache keeps none of those, and together they are one part in fifteen of the start of {@code cordon run}.
 */
final class PlainSwitches {
    private static final String JARS = "cordon-*.jar";
    private static final String BOOTSTRAPS = "SwitchBootstraps";

    /** One switch: the method that takes its place, and the types in their order. */
    private record Site(String name, MethodTypeDesc type, List<ClassDesc> labels) {}

    private final ClassFile classFile;

    private PlainSwitches(List<ZipFile> jars) {
        ClassHierarchyResolver inJars = ClassHierarchyResolver.ofResourceParsing(type -> {
            String descriptor = type.descriptorString();
            String name = descriptor.substring(1, descriptor.length() - 1) + ".class";
            for (ZipFile jar : jars) {
                ZipEntry entry = jar.getEntry(name);
                if (entry != null) {
                    try {
                        return jar.getInputStream(entry);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }
            return null;
        });
        classFile =
                ClassFile.of(ClassHierarchyResolverOption.of(inJars.orElse(ClassHierarchyResolver.defaultResolver())));
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        List<ZipFile> all = new ArrayList<>();
        try (var jars = Files.newDirectoryStream(folder, "*.jar")) {
            for (Path path : jars) {
                all.add(new ZipFile(path.toFile()));
            }
        }
        PlainSwitches plain = new PlainSwitches(all);
        try (var jars = Files.newDirectoryStream(folder, JARS)) {
            for (Path path : jars) {
                Path copy = path.resolveSibling(path.getFileName() + ".new");
                plain.write(path, copy);
                Files.move(copy, path, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        for (ZipFile jar : all) {
            jar.close();
        }
    }

    private void write(Path path, Path copy) throws IOException {
        try (var jar = new ZipFile(path.toFile());
                var out = new ZipOutputStream(Files.newOutputStream(copy))) {
            for (ZipEntry entry : Collections.list(jar.entries())) {
                byte[] content = jar.getInputStream(entry).readAllBytes();
                out.putNextEntry(undated(entry.getName()));
                out.write(entry.getName().endsWith(".class") ? plain(content) : content);
            }
        }
    }

    private byte[] plain(byte[] content) {
        ClassModel model = classFile.parse(content);
        if (model.methods().stream().noneMatch(PlainSwitches::switches)) {
            return content;
        }
        Map<Integer, Site> sites = new LinkedHashMap<>();
        ClassDesc owner = model.thisClass().asSymbol();
        boolean isInterface = model.flags().has(AccessFlag.INTERFACE);
        ClassTransform bodies = ClassTransform.transformingMethodBodies(PlainSwitches::switches, (code, element) -> {
            if (element instanceof InvokeDynamicInstruction call && isSwitch(call)) {
                Site site = sites.computeIfAbsent(call.invokedynamic().index(), _ -> site(call, sites.size()));
                code.invokestatic(owner, site.name(), site.type(), isInterface);
            } else {
                code.with(element);
            }
        });
        ClassTransform methods = ClassTransform.endHandler(builder -> sites.values()
                .forEach(site -> builder.withMethodBody(
                        site.name(),
                        site.type(),
                        ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
                        code -> compare(code, site))));
        return classFile.transformClass(model, bodies.andThen(methods));
    }

    private static boolean switches(MethodModel method) {
        return method.code()
                .map(code -> code.elementStream()
                        .anyMatch(each -> each instanceof InvokeDynamicInstruction call && isSwitch(call)))
                .orElse(false);
    }

    /** Labels that are constants are left alone: they are rare, and no code of a start has them. */
    private static boolean isSwitch(InvokeDynamicInstruction call) {
        return call.bootstrapMethod().owner().displayName().equals(BOOTSTRAPS)
                && call.name().equalsString("typeSwitch")
                && call.bootstrapArgs().stream().allMatch(ClassDesc.class::isInstance);
    }

    private static Site site(InvokeDynamicInstruction call, int number) {
        List<ClassDesc> labels =
                call.bootstrapArgs().stream().map(ClassDesc.class::cast).toList();
        return new Site("plain$switch$" + number, call.typeSymbol(), labels);
    }

    /** As SwitchBootstraps.typeSwitch says: -1 for null, else the first label from the given one on, else their number. */
    private static void compare(CodeBuilder code, Site site) {
        var present = code.newLabel();
        code.aload(0).ifnonnull(present).iconst_m1().ireturn().labelBinding(present);
        for (int i = 0; i < site.labels().size(); i++) {
            var next = code.newLabel();
            code.iload(1).loadConstant(i).if_icmpgt(next);
            code.aload(0).instanceOf(site.labels().get(i)).ifeq(next);
            code.loadConstant(i).return_(TypeKind.INT);
            code.labelBinding(next);
        }
        code.loadConstant(site.labels().size()).return_(TypeKind.INT);
    }

    /** An entry with the date that Gradle gives: the same jar is made whenever it is made. */
    private static ZipEntry undated(String name) {
        var entry = new ZipEntry(name);
        entry.setTimeLocal(LocalDateTime.of(1980, 2, 1, 0, 0));
        return entry;
    }
}
