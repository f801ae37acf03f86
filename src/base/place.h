/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are written: whether one may be put at a path, and putting it there as a whole. The
 * rule and the reasons: place.c. */
#ifndef TS_BASE_PLACE_H
#define TS_BASE_PLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

/* Marks of texts, by their verbs. That of reports is older. */
#define TS_REPORT_MARK "<!-- torsor report -->"
#define TS_STUDY_MARK "<!-- written by torsor " /* and the verb */
#define TS_EXPORT_MARK "<!-- written by torsor export -->"

/* What shall be written: decides which earlier files it replaces. */
typedef struct ts_output {
    const char *what; /* for messages: "a report"; NULL: files of this kind bear no mark */
    /* A text near the beginning of every file of this kind; NULL: its format has no room for one */
    const char *mark;
    /* Is the file there an earlier one of this kind? NULL: the mark says it. */
    bool (*ours)(const char *path, const void *context);
    const void *context;
    const char *const *input; /* files that the same call reads: never replaced */
    int inputs;
} ts_output;

typedef struct ts_place {
    char *path;  /* where the file shall be, links followed */
    char *draft; /* the name it is made under, in the same folder: an empty file */
    struct ts_draft *held;
} ts_place;

/* May the calls of this thread replace anything but their inputs? Returns what held before. */
bool ts_place_force(bool any);
/* A file that was read: not to be replaced by this thread. `about`: of the open file. */
void ts_place_read(const struct stat *about);

/* May this be written there? Makes no file. */
int ts_place_check(const char *path, const ts_output *output);
/* Fails when it may not, when somebody else is writing there, or when there is no room for so many
 * bytes. `output` NULL: in place of our own file, which we hold. */
int ts_place_begin(ts_place *place, const char *path, uint64_t bytes, const ts_output *output);
int ts_place_reserve(const ts_place *place, uint64_t bytes); /* of the disk, for the draft */
int ts_place_commit(const ts_place *place); /* the draft takes the path, in one move */
void ts_place_clear(ts_place *place);       /* removes the draft, unless it was moved */

/* The lock of a file in its place stays when the place is cleared, until it is let go: nobody else
 * writes there. -1: there is none. */
int ts_place_keep(ts_place *place);
void ts_place_let_go(int lock);

/* Removes all drafts of this process. May be called by a signal handler that ends it. */
void ts_place_abandon(void);

/* A whole file from a stream. A path that is no plain file (a pipe, a terminal) is written to as it
 * is. */
int ts_place_write(const char *path, const ts_output *output,
                   int (*write)(FILE *out, const void *context), const void *context);

/* Which file is it, whatever its name? */
int ts_place_stat(const char *path, uint64_t *device, uint64_t *inode);

#endif
