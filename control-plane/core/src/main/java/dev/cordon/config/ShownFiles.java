package dev.cordon.config;

import dev.cordon.config.setting.Setting;
import dev.cordon.config.setting.SettingType;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The setting host.files: what of the host's /etc and /var jails are shown. The standard list has what programs of a distribution read at their
 * start, and holds no secrets: what may have credentials is left out (maven/settings.xml, pip.conf, npmrc, gitconfig, ssl/private, a site's own
 * Renviron), as is what names the host (machine-id, fstab), and ld.so.preload, which runs code. Of
 * certificates those that were made for the host are covered in each jail, and those that not everybody may read.
 */
final class ShownFiles {
    private static final String STANDARD_NAME = "standard";

    /** Each with a number, such as /etc/java-17-openjdk. */
    private static final String JAVAS = "/etc/java-*";

    /** Each with its reader. */
    private static final List<String> LIST = List.of(
            "/etc/ImageMagick-6/colors.xml", // not its policy, which may have a secret
            "/etc/ImageMagick-6/delegates.xml",
            "/etc/ImageMagick-6/magic.xml",
            "/etc/ImageMagick-6/mime.xml",
            "/etc/ImageMagick-6/quantization-table.xml",
            "/etc/ImageMagick-6/thresholds.xml",
            "/etc/ImageMagick-6/type-ghostscript.xml",
            "/etc/ImageMagick-6/type.xml",
            "/etc/OpenCL/vendors",
            "/etc/R/Makeconf",
            "/etc/R/Renviron",
            "/etc/R/ldpaths",
            "/etc/alternatives", // Debian: /usr/bin/java and others are links through here
            "/etc/chromium.d/default-flags", // Debian: its start script reads every file there; not the keys of
            // interfaces
            "/etc/chromium.d/dev-shm",
            "/etc/chromium.d/extensions",
            "/etc/crypto-policies", // Fedora: included by openssl.cnf
            "/etc/fonts", // fontconfig: headless rendering of Java and matplotlib
            "/etc/ghostscript",
            "/etc/java", // Fedora
            JAVAS, // Debian
            "/etc/ld-musl-x86_64.path", // musl's loader
            "/etc/ld.so.cache",
            "/etc/ld.so.conf",
            "/etc/ld.so.conf.d",
            "/etc/libreoffice",
            "/etc/locale.alias",
            "/etc/matplotlibrc", // Debian: matplotlib is not imported without it
            "/etc/maven/logging",
            "/etc/maven/m2.conf", // Debian: mvn does not start without it
            "/etc/mime.types", // Python's mimetypes, Java's content types
            "/etc/os-release",
            "/etc/papersize",
            "/etc/pki/ca-trust/extracted", // Fedora's certificates
            "/etc/pki/java",
            "/etc/pki/tls/certs",
            "/etc/pki/tls/openssl.cnf",
            "/etc/protocols", // getprotobyname
            "/etc/services", // getservbyname
            "/etc/sgml",
            "/etc/ssl/certs", // Debian's certificates, Java's cacerts below them
            "/etc/ssl/openssl.cnf",
            "/etc/texmf", // TeX, with the formats and lists in /var/lib/texmf
            "/etc/xml", // catalogs, such as those of DocBook
            "/var/lib/aspell",
            "/var/lib/ghostscript",
            "/var/lib/libreoffice",
            "/var/lib/texmf",
            "/var/lib/xml-core");

    /** Never shown: Cordon makes them for each jail, or they hold secrets. */
    private static final List<String> NEVER = List.of(
            "/etc/cordon",
            "/etc/group",
            "/etc/gshadow",
            "/etc/gshadow-",
            "/etc/hostname",
            "/etc/hosts",
            "/etc/krb5.keytab",
            "/etc/ld.so.preload",
            "/etc/letsencrypt",
            "/etc/localtime",
            "/etc/machine-id",
            "/etc/nsswitch.conf",
            "/etc/passwd",
            "/etc/pki/tls/private",
            "/etc/resolv.conf",
            "/etc/security",
            "/etc/shadow",
            "/etc/shadow-",
            "/etc/ssh",
            "/etc/ssl/private",
            "/etc/sudoers",
            "/etc/sudoers.d",
            "/etc/timezone",
            "/var/lib/cordon",
            "/var/lib/private",
            "/var/log",
            "/var/run",
            "/var/spool",
            "/var/tmp");

    static final Setting<SortedSet<String>> PATHS = new Setting<>(
            "host.files",
            SettingType.of(SettingType.Kind.TEXT, ShownFiles::parse)
                    .remedy("give paths below /etc or /var with commas between them; standard stands for Cordon's list,"
                            + " and -/etc/fonts takes something out of it"),
            STANDARD_NAME,
            "What of the host's /etc and /var jails are shown, read-only: paths with commas between them, standard for"
                    + " what the programs of a distribution read there, and with a minus what is taken out again. What"
                    + " may hold secrets is not in standard, and /etc/shadow and its like never are shown. /etc/java-*"
                    + " stands for those of all versions, such as /etc/java-17-openjdk.");

    /** What jails are shown unless the operator says otherwise. */
    static final SortedSet<String> STANDARD = PATHS.standardValue();

    private ShownFiles() {}

    /**
     * The paths in a text.
     *
     * @throws IllegalArgumentException when one of them cannot be shown
     */
    static SortedSet<String> parse(String text) {
        SortedSet<String> paths = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            String item = part.strip();
            if (item.equals(STANDARD_NAME)) {
                paths.addAll(LIST);
            } else if (item.startsWith("-")) {
                takeOut(paths, item.substring(1));
            } else if (!item.isEmpty()) {
                paths.add(checked(item));
            }
        }
        paths.removeIf(path -> paths.stream().anyMatch(above -> !above.equals(path) && isBelow(path, above)));
        return Collections.unmodifiableSortedSet(paths);
    }

    private static void takeOut(SortedSet<String> paths, String item) {
        boolean found = item.startsWith("/") && paths.removeIf(path -> isBelow(path, item));
        if (!found || paths.stream().anyMatch(path -> isBelow(item, path))) {
            throw new IllegalArgumentException(
                    "'-" + item + "' takes out nothing that stands before it, or a part of what is shown whole");
        }
    }

    private static boolean isBelow(String path, String parent) {
        return path.equals(parent) || path.startsWith(parent + "/");
    }

    private static String checked(String path) {
        boolean normal =
                Stream.of(path.split("/", -1)).skip(1).noneMatch(name -> name.isEmpty() || name.matches("\\.\\.?"));
        if (!normal || !(path.startsWith("/etc/") || path.startsWith("/var/"))) {
            throw new IllegalArgumentException("'" + path + "' is not a path below /etc or /var");
        }
        if (path.indexOf('*') >= 0 && !path.equals(JAVAS)) {
            throw new IllegalArgumentException(
                    "'" + path + "' has a star, which only " + JAVAS + " may have; name each path");
        }
        for (String never : NEVER) {
            if (isBelow(never, path) || isBelow(path, never)) {
                throw new IllegalArgumentException("'" + path + "' cannot be shown, because of " + never
                        + ", which Cordon makes itself or never shows");
            }
        }
        return path;
    }
}
