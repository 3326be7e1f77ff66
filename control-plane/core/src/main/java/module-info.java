/** The embeddable library: a job in, a result out. */
@SuppressWarnings("module") // the modules above are not there when this module is compiled
module dev.cordon.core {
    requires static transitive org.jspecify;
    requires dev.cordon.bindings;
    requires dev.cordon.vm;
    requires jdk.jfr;
    requires org.slf4j;
    requires tools.jackson.core;
    requires tools.jackson.databind;
    requires tools.jackson.dataformat.toml;

    exports dev.cordon;
    exports dev.cordon.api;
    exports dev.cordon.audit;
    exports dev.cordon.config;
    exports dev.cordon.interpreter;
    exports dev.cordon.learn;
    exports dev.cordon.files;
    exports dev.cordon.config.policy;
    exports dev.cordon.plan;
    exports dev.cordon.policy;
    exports dev.cordon.tool;
    exports dev.cordon.admission to
            dev.cordon.server;
    exports dev.cordon.host to
            dev.cordon.cli,
            dev.cordon.server;
    exports dev.cordon.json to
            dev.cordon.cli,
            dev.cordon.server;
    exports dev.cordon.profile to
            dev.cordon.selftest;
}
