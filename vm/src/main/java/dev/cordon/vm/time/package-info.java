/** Waiting: until when, and how often to look again. */
@NullMarked
package dev.cordon.vm.time;

import org.jspecify.annotations.NullMarked;
