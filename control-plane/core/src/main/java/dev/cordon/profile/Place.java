package dev.cordon.profile;

import org.jspecify.annotations.Nullable;

/**
 * Where in a JSON document something stands.
 *
 * @param parent the object or list around it; null for the document itself
 * @param key the field's name, or the index in a list
 */
record Place(@Nullable Place parent, String key) {
    static final Place ROOT = new Place(null, "");

    Place field(String name) {
        return new Place(this, name);
    }

    Place item(int index) {
        return new Place(this, Integer.toString(index));
    }

    /** As a JSON pointer (RFC 6901). */
    String pointer() {
        if (parent == null) {
            return "";
        }
        return parent.pointer() + "/" + key.replace("~", "~0").replace("/", "~1");
    }
}
