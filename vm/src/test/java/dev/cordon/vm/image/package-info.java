@NullMarked
package dev.cordon.vm.image;

import org.jspecify.annotations.NullMarked;
