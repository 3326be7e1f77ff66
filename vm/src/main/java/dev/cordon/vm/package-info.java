/** Virtual machines: how they are started, restored from templates and kept waiting. */
@NullMarked
package dev.cordon.vm;

import org.jspecify.annotations.NullMarked;
