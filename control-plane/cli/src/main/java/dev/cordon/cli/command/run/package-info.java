/** cordon run, learn and policy: a job from a command line to its end, here or at a service. */
@NullMarked
package dev.cordon.cli.command.run;

import org.jspecify.annotations.NullMarked;
