/** JSON that others wrote, read strictly, and lines of JSON. On the streaming parser: data binding would take longer to load. */
@NullMarked
package dev.cordon.vm.json;

import org.jspecify.annotations.NullMarked;
