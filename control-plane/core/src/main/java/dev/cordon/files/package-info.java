/** Archives in the tar format, as streams. They come from outside or hold what a sandbox made: nothing in them is trusted. */
@NullMarked
package dev.cordon.files;

import org.jspecify.annotations.NullMarked;
