/** QEMU: its command line, its monitor, the guest's console. */
@NullMarked
package dev.cordon.vm.qemu;

import org.jspecify.annotations.NullMarked;
