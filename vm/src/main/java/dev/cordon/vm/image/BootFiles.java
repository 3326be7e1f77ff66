package dev.cordon.vm.image;

import java.nio.file.Path;

/**
 * What a machine boots from beside its root.
 *
 * @param key       the hash of what they were made from
 * @param kernel    the kernel
 * @param initramfs its first root
 */
public record BootFiles(String key, Path kernel, Path initramfs) {}
