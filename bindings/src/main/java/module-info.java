/** The one door to native code: libcordon.so, the C library and libseccomp, without a foreign type in any signature. */
@SuppressWarnings("module") // the modules above are not there when this one is compiled
module dev.cordon.bindings {
    requires static transitive org.jspecify;

    exports dev.cordon.bindings to
            dev.cordon.vm,
            dev.cordon.core,
            dev.cordon.selftest;
    exports dev.cordon.bindings.wire to
            dev.cordon.core;
}
