package dev.cordon.seccomp.read;

import org.jspecify.annotations.Nullable;

/**
 * Where in a JSON document something stands.
 *
 * @param parent the object or list around it; null for the document itself
 * @param key the field's name, or the index in a list
 */
record JsonPlace(@Nullable JsonPlace parent, String key) {
    static final JsonPlace ROOT = new JsonPlace(null, "");

    JsonPlace field(String name) {
        return new JsonPlace(this, name);
    }

    JsonPlace item(int index) {
        return new JsonPlace(this, Integer.toString(index));
    }

    /** As a JSON pointer (RFC 6901). */
    String pointer() {
        if (parent == null) {
            return "";
        }
        return parent.pointer() + "/" + key.replace("~", "~0").replace("/", "~1");
    }
}
