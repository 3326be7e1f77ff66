/*
 * warm.h - a template's memory holds what its machines would otherwise read from the disk and unpack, each for itself
 * and, where the machine is emulated, slowly.
 */
#ifndef GUEST_WARM_H
#define GUEST_WARM_H

/* Whether this boot is made for a template: its kernel's arguments say so. */
int warm_wanted(void);

/* Reads the files into the page cache, as far as the image has them. Nothing of the image is executed. */
void warm_files(void);

/*
 * Has the kernel do once what it does for every jail: what it allocates and switches on at the first time is in the
 * template then. A step that fails does no harm.
 */
void warm_kernel(void);

#endif
