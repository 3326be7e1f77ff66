/** What a host offers to a sandbox: the checks of {@code cordon doctor}, each with its reason and its remedy. */
@NullMarked
package dev.cordon.host;

import org.jspecify.annotations.NullMarked;
