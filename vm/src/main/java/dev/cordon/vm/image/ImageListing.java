package dev.cordon.vm.image;

/**
 * An image in a list.
 *
 * @param name        its name
 * @param origin      {@code described} by a file, or {@code imported}
 * @param description what it is for, empty when nobody said
 * @param built       whether it is there, or would be built on first use
 * @param size        its bytes on the disk
 * @param config      how it wants to be run
 */
public record ImageListing(
        String name, String origin, String description, boolean built, long size, ImageConfig config) {}
