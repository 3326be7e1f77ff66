/* relro.h - the part of a static program that is data only until it is relocated. */
#ifndef JAIL_RELRO_H
#define JAIL_RELRO_H

/* Makes PT_GNU_RELRO of this program (its tables of pointers, the GOT) read-only. musl's dynamic linker does so, its
   start code of static programs does not (1.2.3). Returns 0 or -errno; -ENOEXEC when the program has no such part. */
int relro_seal(void);

#endif
