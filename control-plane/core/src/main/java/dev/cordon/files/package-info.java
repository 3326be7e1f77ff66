/** Files and directories of Cordon's own, what the kernel says of them, and archives on their way into sandboxes. */
@NullMarked
package dev.cordon.files;

import org.jspecify.annotations.NullMarked;
