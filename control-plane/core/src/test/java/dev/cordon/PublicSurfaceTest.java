package dev.cordon;

import static java.util.stream.Collectors.joining;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.cordon.fixture.Rooms;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What an embedder can call is written down, so that nothing is exported or taken away by accident. */
class PublicSurfaceTest {
    private static final Set<String> EXPORTED = Rooms.around(Cordon.class).exported();

    /** What every record or enum has. */
    private static final Set<String> GIVEN = Set.of("equals", "hashCode", "toString", "values", "valueOf");

    @Test
    void whatIsExportedIsWhatWasWrittenDown() {
        List<String> lines = new ArrayList<>();
        new ClassFileImporter()
                .withImportOption(new MainClasses()).importPackages(EXPORTED).stream()
                        .filter(type -> EXPORTED.contains(type.getPackageName()))
                        .map(JavaClass::reflect)
                        .filter(PublicSurfaceTest::isReachable)
                        .sorted((a, b) -> a.getName().compareTo(b.getName()))
                        .forEach(type -> describe(type, lines));
        Golden.check("public-surface.txt", String.join("\n", lines) + "\n");
    }

    private static boolean isReachable(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        return isVisible(type.getModifiers()) && !type.isSynthetic() && (outer == null || isReachable(outer));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static void describe(Class<?> type, List<String> lines) {
        lines.add(kind(type) + " " + type.getName());
        Set<String> members = new TreeSet<>();
        Stream.<Member[]>of(type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
                .flatMap(Stream::of)
                .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
                .filter(member -> !GIVEN.contains(member.getName()))
                .forEach(member -> members.add("    " + signature(member)));
        lines.addAll(members);
    }

    private static String kind(Class<?> type) {
        String kind = type.isRecord() ? "record" : type.isEnum() ? "enum" : type.isInterface() ? "interface" : "class";
        return type.isSealed() && !type.isEnum() ? "sealed " + kind : kind;
    }

    private static String signature(Member member) {
        String modifier = Modifier.isStatic(member.getModifiers()) ? "static " : "";
        return modifier
                + switch (member) {
                    case Field field -> field.getGenericType().getTypeName() + " " + field.getName();
                    case Constructor<?> constructor -> "new" + parameters(constructor);
                    case Method method ->
                        method.getGenericReturnType().getTypeName() + " " + method.getName() + parameters(method);
                    default -> throw new AssertionError(member);
                };
    }

    private static String parameters(Executable executable) {
        return Stream.of(executable.getGenericParameterTypes())
                .map(Type::getTypeName)
                .collect(joining(", ", "(", ")"));
    }
}
