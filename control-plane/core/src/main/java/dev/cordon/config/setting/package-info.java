/** What a setting is: its declaration, its table, its value as written, and the reader that checks it. */
@NullMarked
package dev.cordon.config.setting;

import org.jspecify.annotations.NullMarked;
