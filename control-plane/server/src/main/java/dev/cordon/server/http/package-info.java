/** What every request passes before and after its route: the guard, bodies, answers, deadlines. */
@NullMarked
package dev.cordon.server.http;

import org.jspecify.annotations.NullMarked;
