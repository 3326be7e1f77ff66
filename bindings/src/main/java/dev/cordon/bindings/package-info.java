/** System calls, the shim library and libseccomp as plain Java: descriptors are {@link dev.cordon.bindings.Fd}, errors are exceptions. */
@NullMarked
package dev.cordon.bindings;

import org.jspecify.annotations.NullMarked;
