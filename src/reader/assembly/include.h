/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a model includes: inside of include.c and placing.c. */
#ifndef TS_INCLUDE_H
#define TS_INCLUDE_H

#include "reader/reader.h"

/* A file, or one repeat of a sub-assembly made of it. */
typedef struct ts_include {
    struct ts_include *next;
    char *name, *path; /* path: NULL if its text stands in the model */
    char *text, *from; /* from: for messages, who includes it */
    ts_source source;
    ts_yaml_tree tree;
    char *prefix;
    const ts_yaml *node; /* the name of the file, in the space that includes it */
    ts_names given;      /* parameters that it is given */
    ts_quantity *value;
    const ts_yaml **place;
} ts_include;

#endif
