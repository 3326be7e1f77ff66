/**
 * Code that runs piece by piece in one interpreter inside a sandbox: what a piece defines is there for the next one. Stands on what a
 * sandbox offers to everybody, an ordinary command with its standard streams, and trusts nothing that comes back from it.
 */
@NullMarked
package dev.cordon.interpreter;

import org.jspecify.annotations.NullMarked;
