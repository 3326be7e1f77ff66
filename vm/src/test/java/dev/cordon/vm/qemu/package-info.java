@NullMarked
package dev.cordon.vm.qemu;

import org.jspecify.annotations.NullMarked;
