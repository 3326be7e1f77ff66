/** Measures Cordon beside what else starts programs on this host. Knows no terminal and no command line. */
@NullMarked
package dev.cordon.bench;

import org.jspecify.annotations.NullMarked;
