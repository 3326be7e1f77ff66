/** Virtual machines: guest images, the QEMU driver, templates. Knows nothing of jobs or risk. */
@SuppressWarnings("module") // the modules above are not there when this one is compiled
module dev.cordon.vm {
    requires static transitive org.jspecify;
    requires transitive dev.cordon.bindings;
    requires org.slf4j;
    requires tools.jackson.core;
    requires tools.jackson.databind;
    requires tools.jackson.dataformat.toml;

    exports dev.cordon.vm to
            dev.cordon.core;
    exports dev.cordon.vm.archive to
            dev.cordon.core;
    exports dev.cordon.vm.image to
            dev.cordon.cli,
            dev.cordon.core,
            dev.cordon.server;
    exports dev.cordon.vm.json to
            dev.cordon.core;
    exports dev.cordon.vm.layer to
            dev.cordon.cli,
            dev.cordon.core,
            dev.cordon.server;
    exports dev.cordon.vm.qemu to
            dev.cordon.core;
    exports dev.cordon.vm.time to
            dev.cordon.core,
            dev.cordon.server;
}
