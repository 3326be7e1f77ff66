/** The escape suite and the benchmark: programs that use the library as an embedder does, and try it. */
@SuppressWarnings("module") // the command line is not there when this module is compiled
module dev.cordon.selftest {
    requires static transitive org.jspecify;
    requires dev.cordon.bindings;
    requires transitive dev.cordon.core;
    requires tools.jackson.core;
    requires tools.jackson.databind;

    exports dev.cordon.bench to
            dev.cordon.cli;
    exports dev.cordon.selftest to
            dev.cordon.cli;
    exports dev.cordon.selftest.rig to
            dev.cordon.cli;
}
