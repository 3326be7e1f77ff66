/** The routes, one class for each subject. */
@NullMarked
package dev.cordon.server.route;

import org.jspecify.annotations.NullMarked;
