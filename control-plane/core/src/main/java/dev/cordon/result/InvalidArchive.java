package dev.cordon.result;

import java.io.IOException;

/** An archive that is malformed, or brings what is not taken; names the entry. */
public final class InvalidArchive extends IOException {
    private static final long serialVersionUID = 1L;

    private final String entry;

    public InvalidArchive(String entry, String problem, String remedy) {
        super((entry.isEmpty() ? "the archive" : "the archive's entry '" + FileEntry.display(entry) + "'") + " "
                + problem + "; " + remedy);
        this.entry = entry;
    }

    /** The entry's name as it is in the archive; empty for the archive itself. */
    public String entry() {
        return entry;
    }
}
