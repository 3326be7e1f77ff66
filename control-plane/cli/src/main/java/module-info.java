/** The command line of Cordon. Exports nothing: programs use dev.cordon.core. */
module dev.cordon.cli {
    requires dev.cordon.core;
    requires dev.cordon.selftest; // only what tries or measures loads classes of it
    requires dev.cordon.vm;
    requires info.picocli;
    requires jdk.net;
    requires static dev.cordon.server; // there only when the service is started
    requires tools.jackson.core;
    requires tools.jackson.databind; // only what talks to a service
    requires static org.jspecify;
}
