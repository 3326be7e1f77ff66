/** Manual pages. */
@NullMarked
package dev.cordon.cli.manual;

import org.jspecify.annotations.NullMarked;
