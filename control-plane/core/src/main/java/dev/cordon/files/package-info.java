/** What comes from outside as files: archives, in which nothing is trusted, and what the kernel's answers about files mean. */
@NullMarked
package dev.cordon.files;

import org.jspecify.annotations.NullMarked;
