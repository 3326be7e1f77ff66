package dev.cordon.doctor;

/**
 * What one check looks at.
 *
 * @param id  its stable name, for scripts
 * @param why what depends on it
 */
record CheckSubject(String id, String why) {
    HostCheck pass(String found) {
        return new HostCheck(id, HostCheck.Status.PASS, found, why, "");
    }

    HostCheck info(String found) {
        return new HostCheck(id, HostCheck.Status.INFO, found, why, "");
    }

    HostCheck warn(String found, String remedy) {
        return new HostCheck(id, HostCheck.Status.WARN, found, why, remedy);
    }

    HostCheck fail(String found, String remedy) {
        return new HostCheck(id, HostCheck.Status.FAIL, found, why, remedy);
    }
}
