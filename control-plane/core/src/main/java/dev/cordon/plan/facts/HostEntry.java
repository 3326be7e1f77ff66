package dev.cordon.plan.facts;

/** What a path of the host's own image is. Links are known as links and never followed. */
public sealed interface HostEntry {
    /** A directory. */
    record Directory() implements HostEntry {}

    /** A regular file. */
    record RegularFile() implements HostEntry {}

    /**
     * A symbolic link.
     *
     * @param target what it says
     */
    record Link(String target) implements HostEntry {}
}
