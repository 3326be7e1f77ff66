/** The doors: what a program that embeds Cordon calls, and what stands right behind them. */
@NullMarked
package dev.cordon;

import org.jspecify.annotations.NullMarked;
