/** The images of this host: recipes for kernels, first roots and roots, and what is known of each. */
@NullMarked
package dev.cordon.vm.image;

import org.jspecify.annotations.NullMarked;
