@NullMarked
package dev.cordon.vm.json;

import org.jspecify.annotations.NullMarked;
