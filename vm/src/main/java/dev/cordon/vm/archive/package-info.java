/** Archives in the formats tar and cpio, as streams. Those that are read come from outside: nothing in them is trusted. */
@NullMarked
package dev.cordon.vm.archive;

import org.jspecify.annotations.NullMarked;
