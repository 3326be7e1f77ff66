/** Named commands that the operator registers: parameters go in, are checked, and become arguments or files of a job, never shell text. */
@NullMarked
package dev.cordon.tool;

import org.jspecify.annotations.NullMarked;
