package dev.cordon.audit.write;

import org.junit.jupiter.api.Tag;

/** AuditLogTest once more with the tests of jails, which are also run as an ordinary user: root may write where nobody else may. */
@Tag("jail")
@Tag("asUser")
class AuditLogJailTest extends AuditLogTest {}
