/** The one door to native code: libcordon.so, the C library and libseccomp, without a foreign type in any signature. */
@SuppressWarnings("module") // the modules above are not there when this one is compiled
module dev.cordon.bindings {
    requires static transitive org.jspecify;

    exports dev.cordon.bindings to
            dev.cordon.core,
            dev.cordon.selftest,
            dev.cordon.vm;
    exports dev.cordon.bindings.filter to
            dev.cordon.core,
            dev.cordon.selftest;
    exports dev.cordon.bindings.value to
            dev.cordon.core,
            dev.cordon.selftest,
            dev.cordon.vm;
    exports dev.cordon.bindings.wire to
            dev.cordon.core;
    exports dev.cordon.bindings.wire.plan to
            dev.cordon.core;
    exports dev.cordon.bindings.wire.reply to
            dev.cordon.core;
    exports dev.cordon.bindings.wire.request to
            dev.cordon.core;
}
