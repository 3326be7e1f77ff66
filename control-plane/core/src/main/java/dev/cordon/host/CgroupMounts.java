package dev.cordon.host;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where control groups are mounted.
 *
 * @param unified the mount point of the v2 hierarchy; empty when there is none
 * @param controllers which controller is found where: the mount point of its v1 hierarchy, or of v2
 */
record CgroupMounts(String unified, SortedMap<String, String> controllers) {

    /** The controllers that hold a job's limits. */
    static final List<String> NEEDED = List.of("cpu", "memory", "pids");

    /** Reads /proc/self/mountinfo; the optional fields in the middle end with a hyphen (proc_pid_mountinfo(5)). */
    static CgroupMounts of(HostFiles files) {
        String unified = "";
        SortedMap<String, String> controllers = new TreeMap<>();
        for (String line : files.lines("/proc/self/mountinfo")) {
            int hyphen = line.indexOf(" - ");
            String[] before = line.split(" ", 6);
            if (hyphen < 0 || before.length < 6) {
                continue;
            }
            String[] after = line.substring(hyphen + 3).split(" ", -1);
            if (after[0].equals("cgroup2") && unified.isEmpty()) {
                unified = before[4];
                for (String name :
                        files.line(unified + "/cgroup.controllers").orElse("").split(" ", -1)) {
                    controllers.putIfAbsent(name, unified);
                }
            } else if (after[0].equals("cgroup") && after.length > 2) {
                for (String name : after[2].split(",", -1)) {
                    controllers.put(name, before[4]);
                }
            }
        }
        return new CgroupMounts(unified, controllers);
    }

    /** Whether one of the needed controllers is bound to a v1 hierarchy. */
    boolean usesOldHierarchies() {
        for (String name : NEEDED) {
            String place = controllers.getOrDefault(name, unified);
            if (!place.equals(unified)) {
                return true;
            }
        }
        return false;
    }

    List<String> missing() {
        List<String> missing = new ArrayList<>(NEEDED);
        missing.removeAll(controllers.keySet());
        return missing;
    }
}
