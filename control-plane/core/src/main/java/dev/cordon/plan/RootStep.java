package dev.cordon.plan;

import dev.cordon.job.limit.ByteSize;

/**
 * One step of building a jail's root. The kinds stand in the order of {@code enum plan_op_code} in {@code cordon_wire.h}; init applies a
 * plan's operations in the order in which the plan lists them. Paths are absolute, inside the jail.
 */
public sealed interface RootStep {
    /** Where, inside the jail. */
    String path();

    /**
     * A directory.
     *
     * @param path where
     * @param mode its permission bits
     */
    record Directory(String path, int mode) implements RootStep {}

    /**
     * A file with a fixed content.
     *
     * @param path    where
     * @param mode    its permission bits
     * @param content what it holds
     */
    record TextFile(String path, int mode, String content) implements RootStep {}

    /**
     * A symbolic link.
     *
     * @param path   where
     * @param target what it says
     */
    record Symlink(String path, String target) implements RootStep {}

    /**
     * A host file or directory, without devices and setuid.
     *
     * @param path     where; its parent is there already
     * @param source   the host's path
     * @param writable whether changes reach the host
     * @param layer    the directory, the source or one above it, whose overlay shows it with inodes of the jail's own; empty: the host's
     *                 inodes are shown
     * @param open     whether everybody may open that directory, so that init needs no help of root's; without a layer: whether init has to
     *                 tell that inodes of the host's are shown which should not be
     */
    record Bind(String path, String source, boolean writable, String layer, boolean open) implements RootStep {
        /** An overlay is never written through. */
        public Bind {
            if (!layer.isEmpty()
                    && (writable || !(source + "/").startsWith(layer.endsWith("/") ? layer : layer + "/"))) {
                throw new IllegalArgumentException(layer + " is not a layer for " + source);
            }
        }

        /** With the host's inodes, because no overlay can be made on a file. */
        public static Bind shared(String path, String source) {
            return new Bind(path, source, false, "", true);
        }

        /** With the host's inodes. */
        public Bind(String path, String source, boolean writable) {
            this(path, source, writable, "", false);
        }
    }

    /**
     * A file system in memory, owned by the job.
     *
     * @param path   where
     * @param mode   permission bits of its root
     * @param bytes  its size, never 0
     * @param inodes its number of files, never 0
     */
    record Tmpfs(String path, int mode, ByteSize bytes, long inodes) implements RootStep {
        /** To the kernel 0 means unlimited, so it is refused here and again in C. */
        public Tmpfs {
            if (bytes.bytes() <= 0 || inodes <= 0) {
                throw new IllegalArgumentException(
                        "a tmpfs on " + path + " of size or inode count 0 would be unlimited");
            }
        }
    }

    /**
     * A fresh procfs.
     *
     * @param path where
     */
    record Proc(String path) implements RootStep {}

    /**
     * The job's own cgroups, read-only, as far as the host has made some for it: of a hierarchy that it has not joined it would see what is
     * the host's. Directories named like the controllers of v1 are there already.
     */
    record Cgroups() implements RootStep {
        @Override
        public String path() {
            return "/sys/fs/cgroup";
        }
    }

    /**
     * A private devpts.
     *
     * @param path where
     */
    record Devpts(String path) implements RootStep {}

    /**
     * A host device node.
     *
     * @param path   where
     * @param source the host's node
     */
    record Device(String path, String source) implements RootStep {}

    /**
     * A kernel setting of the jail's own namespaces.
     *
     * @param path  the file below /proc/sys
     * @param value what is written
     */
    record Sysctl(String path, String value) implements RootStep {}

    /**
     * Hidden; may be absent.
     *
     * @param path    what; a directory appears empty
     * @param content what a file shows instead; empty: nothing
     */
    record Mask(String path, String content) implements RootStep {
        /** Nothing is shown instead. */
        public Mask(String path) {
            this(path, "");
        }
    }

    /**
     * Made read-only; may be absent.
     *
     * @param path what
     */
    record ReadOnly(String path) implements RootStep {}

    /** The root itself becomes read-only. */
    record Seal() implements RootStep {
        @Override
        public String path() {
            return "/";
        }
    }

    /**
     * What Landlock allows beneath a path. Reading is always among it.
     *
     * @param path  beneath which
     * @param write whether writing is, too
     */
    record Landlock(String path, boolean write) implements RootStep {}
}
