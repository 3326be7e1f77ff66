/** Files of a sandbox as its init hands them out: content, listings, answers. */
@NullMarked
package dev.cordon.engine.file;

import org.jspecify.annotations.NullMarked;
