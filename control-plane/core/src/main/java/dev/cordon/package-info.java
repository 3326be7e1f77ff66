/** What a program that embeds Cordon calls, and the entries that take its calls through the flow. */
@NullMarked
package dev.cordon;

import org.jspecify.annotations.NullMarked;
