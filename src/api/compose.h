/* SPDX-License-Identifier: Apache-2.0 */
/* A model file with changed values, written into the text that was read.
 *
 * Changes are kept as a tree of keys (a *patch*) until the text is wanted. They are then inserted
 * at the positions given by the YAML tree, so comments, order and all other values do not change.
 * The origin of every byte of the new text is stored, so mistakes are reported there: in the file,
 * or in the value that was set, under its path. */
#ifndef TS_COMPOSE_H
#define TS_COMPOSE_H

#include "reader/text/yaml.h"

typedef struct ts_patch {
    char *key;  /* NULL at the root */
    char *text; /* the new value in one line of YAML, or NULL: see the children */
    struct ts_patch *child;
    int count, room;
} ts_patch;

/* "bodies.arm" = "{mass: 1 kg}". The path and the form of the value are checked: TORSOR_EINVAL. */
int ts_patch_set(ts_patch *root, const char *path, const char *value);
void ts_patch_copy(ts_patch *to, const ts_patch *from); /* `to` is empty */
void ts_patch_clear(ts_patch *patch);

typedef struct ts_segment {
    size_t start;      /* in the new text */
    size_t from;       /* in the old text, or in the value */
    const char *label; /* path of a value, owned; NULL: the old text */
    const char *value; /* borrowed */
    bool glue;         /* keys and brackets before a value: they stand for its beginning */
} ts_segment;

typedef struct ts_composed {
    char *text;
    size_t length;
    ts_segment *segment;
    int segments, room;
} ts_composed;

/* The text with the patch. TORSOR_EINVAL when the old text cannot be changed so. The patch must
 * live as long. */
int ts_compose(ts_composed *out, const char *text, size_t length, const char *name,
               const ts_patch *patch);
void ts_composed_clear(ts_composed *composed);
/* Diagnostics of the new text, with positions in the original texts. */
void ts_composed_explain(const ts_composed *composed, const char *old, size_t length,
                         const char *name, ts_diagnostics *diagnostics);

const ts_yaml *ts_yaml_at(const ts_yaml *root, const char *path); /* NULL: there is none */
/* The value at a path as it is written, to be freed; NULL: there is none. */
char *ts_text_at(const char *text, size_t length, const char *path);

#endif
