@NullMarked
package dev.cordon.vm;

import org.jspecify.annotations.NullMarked;
