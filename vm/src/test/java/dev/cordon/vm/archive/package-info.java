@NullMarked
package dev.cordon.vm.archive;

import org.jspecify.annotations.NullMarked;
