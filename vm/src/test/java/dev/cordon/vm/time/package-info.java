@NullMarked
package dev.cordon.vm.time;

import org.jspecify.annotations.NullMarked;
