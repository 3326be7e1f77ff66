/* places.h - everything through which two processes can meet that were told the same name and number. */
#ifndef PLACES_H
#define PLACES_H

#include <sys/ipc.h>

struct place {
    const char *name;
    int (*use)(const char *name, key_t key, int plant); /* what is planted stays open in the planter */
};

extern const struct place PLACES[];
extern const unsigned PLACE_COUNT;

/* Takes away what was planted and outlives its planter. */
void places_clean(const char *name, key_t key);

int abstract_connect(const char *name, int type);
int abstract_listen(const char *name, int type);

#endif
