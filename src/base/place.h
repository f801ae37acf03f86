/* SPDX-License-Identifier: Apache-2.0 */
/* Output files: may a file be written at a path, and writing it as a whole. For the rule and its
 * reasons see place.c. */
#ifndef TS_BASE_PLACE_H
#define TS_BASE_PLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

/* Marks of text files, by their verbs. That of reports is older. */
#define TS_REPORT_MARK "<!-- torsor report -->"
#define TS_STUDY_MARK "<!-- written by torsor " /* followed by the verb */
#define TS_EXPORT_MARK "<!-- written by torsor export -->"

/* A kind of output: decides which earlier files it may replace. */
typedef struct ts_output {
    const char *what; /* for messages: "a report"; NULL: files of this kind have no mark */
    /* A text near the beginning of every file of this kind; NULL: the format has no place for
     * one */
    const char *mark;
    /* Is the existing file an earlier one of this kind? NULL: the mark decides. */
    bool (*ours)(const char *path, const void *context);
    const void *context;
    const char *const *input; /* files that the same call reads: never replaced */
    int inputs;
} ts_output;

typedef struct ts_place {
    char *path;  /* final path of the file, links followed */
    char *draft; /* temporary name in the same folder: an empty file */
    struct ts_draft *held;
} ts_place;

/* May the calls of this thread replace any file except their inputs? Returns the previous
 * setting. */
bool ts_place_force(bool any);
/* Registers a file that was read: this thread must not replace it. `about`: of the open file. */
void ts_place_read(const struct stat *about);

/* May this be written there? Makes no file. */
int ts_place_check(const char *path, const ts_output *output);
/* Fails if the file may not be written, if another process is writing there, or if there is no room
 * for so many bytes. `output` NULL: replaces our own file, which we hold. */
int ts_place_begin(ts_place *place, const char *path, uint64_t bytes, const ts_output *output);
int ts_place_reserve(const ts_place *place, uint64_t bytes); /* space of the disk, for the draft */
int ts_place_commit(const ts_place *place); /* moves the draft to the path, in one operation */
void ts_place_clear(ts_place *place);       /* removes the draft, unless it was moved */

/* Keeps the lock of the file when the place is cleared, until it is released: no other process
 * writes there. -1: there is none. */
int ts_place_keep(ts_place *place);
void ts_place_let_go(int lock);

/* Removes all drafts of this process. May be called by a signal handler that ends it. */
void ts_place_abandon(void);

/* Writes a whole file from a stream. A path that is not a plain file (a pipe, a terminal) is
 * written directly. */
int ts_place_write(const char *path, const ts_output *output,
                   int (*write)(FILE *out, const void *context), const void *context);

/* Identity of a file, independent of its name. */
int ts_place_stat(const char *path, uint64_t *device, uint64_t *inode);

#endif
