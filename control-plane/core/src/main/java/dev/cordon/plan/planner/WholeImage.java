package dev.cordon.plan.planner;

import dev.cordon.plan.RootStep.Bind;
import dev.cordon.plan.RootStep.Directory;
import dev.cordon.plan.RootStep.Symlink;
import dev.cordon.plan.Tier;
import dev.cordon.plan.facts.HostEntry;
import dev.cordon.plan.facts.ImageRoot;
import dev.cordon.plan.facts.ImageSettings;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An image as the jail's root, read-only and whole: its programs, its /etc, /var, /opt and whatever else it has. Only what names the host
 * and the job is made up, as in containers, and the job's user is known to it.
 */
final class WholeImage {
    private WholeImage() {}

    static void build(RootLayout layout, ImageRoot image, ImageSettings settings, boolean watched) {
        String tree = image.tree().toString();
        layout.layBelow(new Bind("/", tree, false, tree, false));
        layout.add(new Directory("/etc", 0755));
        HostImage.text(layout, "/etc/passwd", with(settings.users(), HostImage.PASSWD));
        HostImage.text(layout, "/etc/group", with(settings.groups(), HostImage.GROUP));
        HostImage.text(layout, "/etc/hosts", HostImage.HOSTS);
        HostImage.text(layout, "/etc/hostname", JailPlanner.HOSTNAME + "\n");
        HostImage.text(layout, "/etc/resolv.conf", watched ? HostImage.WATCHED_RESOLVER : "");
        HostImage.text(layout, "/etc/machine-id", ""); // the machine's own, if it has one, says which machine it is
        layout.add(new Directory("/sys", 0755));
        if (!(image.entries().get("/var") instanceof HostEntry.Link)) {
            layout.add(new Directory("/var", 0755));
            layout.add(new Symlink("/var/tmp", "/tmp"));
        }
    }

    /** The image's own lines, and the job's where it has none of that number: then another of the job's name gives way. */
    private static String with(String own, String usual) {
        if (own.isBlank()) {
            return usual;
        }
        String number = String.valueOf(Tier.Jail.INSIDE_ID);
        if (own.lines().anyMatch(line -> field(line, 2).equals(number))) {
            return own;
        }
        Stream<String> others = own.stripTrailing().lines().filter(line -> !isJobs(line));
        return Stream.concat(others, usual.lines().filter(WholeImage::isJobs))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private static boolean isJobs(String line) {
        return field(line, 0).equals(JailPlanner.HOSTNAME);
    }

    private static String field(String line, int index) {
        String[] fields = line.split(":", -1);
        return index < fields.length ? fields[index] : "";
    }

    /** The link of the image that a path leads through. */
    static Optional<Map.Entry<String, HostEntry>> linkAbove(ImageRoot image, String path) {
        return image.entries().entrySet().stream()
                .filter(entry -> entry.getValue() instanceof HostEntry.Link && RootLayout.isBelow(path, entry.getKey()))
                .findFirst();
    }
}
