/** What owners may have at one time: jobs, rates, memory, calls of tools. */
@NullMarked
package dev.cordon.quota;

import org.jspecify.annotations.NullMarked;
