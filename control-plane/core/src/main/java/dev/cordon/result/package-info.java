/** What a caller gets: how jobs ended, what they wrote and used, and what sandboxes and pools do now. */
@NullMarked
package dev.cordon.result;

import org.jspecify.annotations.NullMarked;
