/* SPDX-License-Identifier: Apache-2.0 */
/* Names of nodes, in model files, results and the programming interface. A part with one node: the
 * part's name. A beam or cable: `rope.3`, its third node, `rope.start`, `rope.end`. A part on a
 * mesh: `skin.7`, its node on point 7 of the mesh, and `skin.corner`, where that set of the mesh
 * has one point. */
#ifndef TS_NODE_NAMES_H
#define TS_NODE_NAMES_H

#include <stdint.h>

#include "model/model.h"

enum { TS_ONLY_NODE = 0, TS_NAMELESS_NODE = -1 };

/* Returns the node that `word` denotes after the name of a part ("" if there is only one), or
 * -1. */
int ts_part_node(const ts_model *model, int part, const char *word);
/* Writes the name of a node, as in model files: `arm`, `boom.3`, `skin.7`; false if it has none, as
 * the inner unknown of an element. */
bool ts_node_name(const ts_model *model, int node, char *text, size_t size);
/* For each node its number behind the name of the part that made it; TS_ONLY_NODE of a part with
 * one; TS_NAMELESS_NODE for the inner unknowns of elements, and for what a part with one node made
 * besides it (the sums of a coupling). */
void ts_node_numbers(const ts_model *model, int64_t *number);

/* All other names: words for ends and for sets of one point, numbers of points whose node another
 * part made. */
typedef void ts_node_visit(void *context, int part, const char *word, int node);
void ts_node_aliases(const ts_model *model, ts_node_visit *visit, void *context);

#endif
