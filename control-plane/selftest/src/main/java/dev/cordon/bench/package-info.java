/** The benchmark: what Cordon promises of its speed, measured beside what it is compared with. */
@NullMarked
package dev.cordon.bench;

import org.jspecify.annotations.NullMarked;
