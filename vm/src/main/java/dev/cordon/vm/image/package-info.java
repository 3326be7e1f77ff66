/** What machines boot from: kernel, initramfs and root images, cached by their inputs. */
@NullMarked
package dev.cordon.vm.image;

import org.jspecify.annotations.NullMarked;
