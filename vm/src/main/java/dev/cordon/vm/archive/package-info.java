/** The archives that images come as and are made of: tar and cpio. */
@NullMarked
package dev.cordon.vm.archive;

import org.jspecify.annotations.NullMarked;
