/** One codec for each value that leaves Cordon as JSON. */
@NullMarked
package dev.cordon.json;

import org.jspecify.annotations.NullMarked;
