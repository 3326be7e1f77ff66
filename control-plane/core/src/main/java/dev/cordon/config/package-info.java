/** The settings of one Cordon: declared once, read from files and the environment, checked. */
@NullMarked
package dev.cordon.config;

import org.jspecify.annotations.NullMarked;
