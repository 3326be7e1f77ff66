/** A system call filter as data, before libseccomp compiles it. */
@NullMarked
package dev.cordon.bindings.filter;

import org.jspecify.annotations.NullMarked;
