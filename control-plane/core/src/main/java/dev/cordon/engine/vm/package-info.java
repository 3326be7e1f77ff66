/** The engine of virtual machines: one sandbox in each. */
@NullMarked
package dev.cordon.engine.vm;

import org.jspecify.annotations.NullMarked;
