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
    exports dev.cordon.audit;
    exports dev.cordon.config;
    exports dev.cordon.interpreter;
    exports dev.cordon.job;
    exports dev.cordon.job.limit;
    exports dev.cordon.policy;
    exports dev.cordon.result;
    exports dev.cordon.tool;
    exports dev.cordon.audit.file to
            dev.cordon.cli,
            dev.cordon.server;
    exports dev.cordon.audit.verify to
            dev.cordon.cli,
            dev.cordon.server;
    exports dev.cordon.audit.write to
            dev.cordon.server;
    exports dev.cordon.config.setting to
            dev.cordon.cli,
            dev.cordon.server;
    exports dev.cordon.doctor to
            dev.cordon.cli,
            dev.cordon.server;
    exports dev.cordon.files to
            dev.cordon.cli,
            dev.cordon.server;
    exports dev.cordon.host to
            dev.cordon.cli,
            dev.cordon.server;
    exports dev.cordon.json to
            dev.cordon.cli,
            dev.cordon.selftest,
            dev.cordon.server;
    exports dev.cordon.policy.file to
            dev.cordon.cli,
            dev.cordon.server;
    exports dev.cordon.policy.rule to
            dev.cordon.cli;
    exports dev.cordon.quota to
            dev.cordon.server;
    exports dev.cordon.seccomp to
            dev.cordon.selftest;
    exports dev.cordon.seccomp.read to
            dev.cordon.selftest;
}
