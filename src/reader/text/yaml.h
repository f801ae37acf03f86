/* SPDX-License-Identifier: Apache-2.0 */
/* YAML 1.2 as a tree with places. The only file that knows the YAML library is yaml.c.
 *
 * Scalars remain text; the reader of a field interprets it. Aliases are resolved, so that one node
 * may hang in several places of the tree; tags, merge keys, keys that are not scalars and more than
 * one document are errors, and so is a key given twice in one mapping (the first stays). */
#ifndef TS_YAML_H
#define TS_YAML_H

#include "reader/text/source.h"

typedef enum ts_yaml_type { TS_YAML_SCALAR, TS_YAML_LIST, TS_YAML_MAP } ts_yaml_type;

typedef struct ts_yaml {
    ts_yaml_type type;
    bool plain;        /* scalar without quotes */
    bool anchored;     /* it or something in it has an anchor */
    size_t start, end; /* bytes of the source, quotes and brackets included */
    const char *text;  /* scalar: 0-terminated */
    size_t length;     /* of text */
    /* offset of the text in the source if it stands there as it is, otherwise `start` */
    size_t body;
    bool verbatim;   /* it does */
    int count, room; /* list and map */
    struct ts_yaml **key, **item;
    int height;  /* levels below, itself included */
    long weight; /* nodes below, itself included, aliases counted each time */
} ts_yaml;

typedef struct ts_yaml_tree {
    ts_yaml *root; /* NULL when the text could not be read */
    struct ts_yaml_block *blocks;
} ts_yaml_tree;

/* Problems are reported on the source. A tree may come back together with problems (keys given
 * twice). */
void ts_yaml_parse(ts_yaml_tree *tree, const ts_source *source);
void ts_yaml_free(ts_yaml_tree *tree);

ts_yaml *ts_yaml_get(const ts_yaml *map, const char *key); /* NULL if there is none */
bool ts_yaml_is(const ts_yaml *node, const char *text);    /* a scalar with this text */
bool ts_yaml_null(const ts_yaml *node);                    /* nothing, ~ or null */
const char *ts_yaml_what(const ts_yaml *node);             /* "a list", for messages */

#endif
