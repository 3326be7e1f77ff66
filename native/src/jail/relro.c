/* relro.c - relro_seal. */
#include "relro.h"

#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* The program itself is the first object of the walk; what is returned ends it. */
static int seal(struct dl_phdr_info *program, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        if (part->p_type != PT_GNU_RELRO) continue;
        uintptr_t begin = (program->dlpi_addr + part->p_vaddr) & ~(page - 1);
        uintptr_t end = (program->dlpi_addr + part->p_vaddr + part->p_memsz) & ~(page - 1);
        return mprotect((void *)begin, end - begin, PROT_READ) < 0 ? -errno : 1;
    }
    return -ENOEXEC;
}

int relro_seal(void)
{
    int sealed = dl_iterate_phdr(seal, NULL);
    return sealed < 0 ? sealed : 0;
}
