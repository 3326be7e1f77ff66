package dev.cordon.doctor;

/** Whose identity a job has on the host: the one difference between root and rootless that a job's owner should know. */
final class IdMapChecks {

    private static final CheckSubject ID_MAPS = new CheckSubject(
            "id_maps",
            "the jail's uid 1000 is some uid of the host: one of its own keeps jobs apart from each "
                    + "other and from the caller, should the jail ever leak");

    /** What the JVM calls a user that /etc/passwd does not know. */
    private static final String UNKNOWN = "?";

    private final HostFiles files;
    private final long uid;
    private final String user;

    IdMapChecks(HostFiles files, String user) {
        this.files = files;
        this.uid = effectiveUid(files);
        this.user = user.equals(UNKNOWN) ? "uid " + uid : user;
    }

    boolean root() {
        return uid == 0;
    }

    HostCheck check() {
        if (root()) {
            return ID_MAPS.pass("root: every sandbox gets a host uid and gid of its own, and no supplementary groups");
        }
        boolean programs = files.program("newuidmap").isPresent()
                && files.program("newgidmap").isPresent();
        boolean ranges = hasRange("/etc/subuid") && hasRange("/etc/subgid");
        boolean noNewPrivileges =
                files.field("/proc/self/status", "NoNewPrivs").orElse("0").equals("1");
        if (programs && ranges && !noNewPrivileges) {
            return ID_MAPS.pass("rootless with newuidmap: jobs run as a uid of " + user
                    + "'s range in /etc/subuid, not as " + user);
        }
        return ID_MAPS.warn(
                "rootless with one id (" + reason(programs, ranges) + "): jobs run as " + user
                        + " on the host, all of them as the same, and supplementary groups of the caller stay"
                        + " effective for file access (jobs with strict limits are refused then). The jail is"
                        + " otherwise the one that root gets",
                remedy(programs, ranges));
    }

    private static String reason(boolean programs, boolean ranges) {
        if (!programs) {
            return "newuidmap and newgidmap are not installed";
        }
        return ranges ? "no_new_privs keeps newuidmap from working" : "no range in /etc/subuid and /etc/subgid";
    }

    private String remedy(boolean programs, boolean ranges) {
        if (programs && ranges) {
            return "start Cordon without no_new_privs (in a systemd unit: NoNewPrivileges=no)";
        }
        String newRange = user.startsWith("uid ")
                ? "add the line " + uid + ":100000:65536 to /etc/subuid and /etc/subgid"
                : "usermod --add-subuids 100000-165535 --add-subgids 100000-165535 " + user;
        return (programs ? "" : "apt install uidmap; ") + newRange + "; or run Cordon as root";
    }

    private boolean hasRange(String path) {
        return files.lines(path).stream().anyMatch(line -> line.startsWith(user + ":") || line.startsWith(uid + ":"));
    }

    /** The second of the four numbers: real, effective, saved, file system. */
    private static long effectiveUid(HostFiles files) {
        String[] numbers = files.field("/proc/self/status", "Uid").orElse("").split("\\s+", -1);
        return numbers.length < 2 ? -1 : Long.parseLong(numbers[1]);
    }
}
