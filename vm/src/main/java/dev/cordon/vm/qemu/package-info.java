/** One QEMU: its command line, its monitor, its console and its end. */
@NullMarked
package dev.cordon.vm.qemu;

import org.jspecify.annotations.NullMarked;
