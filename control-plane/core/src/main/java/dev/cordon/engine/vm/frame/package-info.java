/** The protocol between the host and a guest that may be hostile. */
@NullMarked
package dev.cordon.engine.vm.frame;

import org.jspecify.annotations.NullMarked;
