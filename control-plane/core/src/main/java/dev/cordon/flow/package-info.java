/** The way of a job: judged, admitted, planned, recorded, started, run again when it is suspicious, finished. */
@NullMarked
package dev.cordon.flow;

import org.jspecify.annotations.NullMarked;
