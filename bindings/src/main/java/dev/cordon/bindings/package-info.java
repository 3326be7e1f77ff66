/** The access to native code: our library, the C library and libseccomp, with everything that touches foreign memory. */
@NullMarked
package dev.cordon.bindings;

import org.jspecify.annotations.NullMarked;
