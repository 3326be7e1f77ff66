/** Cordon's own files and directories, what the kernel says of them, and archives on their way into sandboxes. */
@NullMarked
package dev.cordon.files;

import org.jspecify.annotations.NullMarked;
