@NullMarked
package dev.cordon.profile;

import org.jspecify.annotations.NullMarked;
