package dev.cordon.engine.vm;

/**
 * What was seen of one case.
 *
 * @param name   what was tried
 * @param jail   what was seen of it in a jail
 * @param vm     what was seen of it in a machine
 * @param listed why the two may differ; empty when they may not
 */
record ContractRow(String name, String jail, String vm, String listed) {
    /** Whether the two are the same, or differ in the way that is listed. */
    boolean holds() {
        return jail.equals(vm) == listed.isEmpty();
    }

    /** As a row of a table. */
    String shown() {
        if (jail.equals(vm)) {
            return "| %s | %s | the same%s |".formatted(name, jail, listed.isEmpty() ? "" : ", although listed");
        }
        return "| %s | %s | %s (%s) |".formatted(name, jail, vm, listed.isEmpty() ? "NOT LISTED" : "listed: " + listed);
    }
}
