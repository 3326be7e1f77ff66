package dev.cordon.seccomp.read;

/**
 * Where in a JSON document something stands.
 *
 * @param pointer as a JSON pointer (RFC 6901); empty for the document itself
 */
record JsonPlace(String pointer) {
    static final JsonPlace ROOT = new JsonPlace("");

    JsonPlace field(String name) {
        return new JsonPlace(pointer + "/" + name.replace("~", "~0").replace("/", "~1"));
    }

    JsonPlace item(int index) {
        return new JsonPlace(pointer + "/" + index);
    }
}
