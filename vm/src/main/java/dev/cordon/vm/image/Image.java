package dev.cordon.vm.image;

import java.nio.file.Path;

/**
 * A root image that is ready.
 *
 * @param name  its name
 * @param key   its name and the hash of what it was made from and what it holds: an image that was built anew has another
 * @param root  the file of the root file system
 * @param facts what is known of it
 * @param config how it wants to be run
 */
public record Image(String name, String key, Path root, ImageFacts facts, ImageConfig config) {}
