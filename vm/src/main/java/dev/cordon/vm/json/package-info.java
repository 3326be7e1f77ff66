/** Small JSON documents from programs and archives, read strictly. */
@NullMarked
package dev.cordon.vm.json;

import org.jspecify.annotations.NullMarked;
