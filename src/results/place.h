/* A new file made under another name and moved into place when it is whole. See place.c. */
#ifndef TS_RESULTS_PLACE_H
#define TS_RESULTS_PLACE_H

#include <stdint.h>

typedef struct ts_place {
    char *path;  /* where the file shall be, links followed */
    char *draft; /* the name it is made under, in the same folder; does not exist yet */
} ts_place;

/* Fails when the place cannot hold a file of so many bytes. */
int ts_place_begin(ts_place *place, const char *path, uint64_t bytes);
int ts_place_reserve(const ts_place *place, uint64_t bytes); /* of the disk, for the draft */
int ts_place_commit(const ts_place *place); /* the draft takes the path, in one move */
void ts_place_clear(ts_place *place);       /* removes the draft, unless it was moved */

/* Which file is it, whatever its name? */
int ts_place_stat(const char *path, uint64_t *device, uint64_t *inode);

#endif
