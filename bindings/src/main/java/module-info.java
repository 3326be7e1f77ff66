/** The one door to native code: libcordon.so, the C library and libseccomp, without a foreign type in any signature. */
module dev.cordon.bindings {
    requires static transitive org.jspecify;

    exports dev.cordon.bindings;
    exports dev.cordon.bindings.wire;
}
