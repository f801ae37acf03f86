/* SPDX-License-Identifier: Apache-2.0 */
/* Plan of a site whose force depends on the state: force.c, told.c. */
#ifndef TS_PLAN_H
#define TS_PLAN_H

#include "parts/state/state.h"

enum { TS_MOST_TOLD = 60 };

/* Another site whose weights are read. */
typedef struct ts_source {
    int site;
    int forms;   /* copied: all of them, or none where its weights are multipliers */
    int like;    /* an earlier source with the same forms, whose copies are used; or itself */
    int vectors; /* that it has */
} ts_source;

/* A linear form, the component along an axis of a vector that a form of a source has at a node: its
 * derivative by the place; or the arm about a point of the node and what acts on this arm; or of an
 * axis of the frame that a part has on the node. */
typedef enum ts_factor_kind { TS_BY_PLACE, TS_ARM, TS_ON_ARM, TS_FRAME_AXIS } ts_factor_kind;
typedef struct ts_factor {
    int source, form, node, axis, kind; /* form: of a frame, its axis */
} ts_factor;

/* An entry of laws/state/told.h. */
typedef struct ts_entry_plan {
    int source, weight, factor, second; /* factor -1: along the way; second -1: none */
    double sign;                        /* and size */
    ts_way_kind way;
    double tiny;
} ts_entry_plan;

typedef struct ts_plan {
    ts_model *model;
    int self; /* the site */
    int measures, variables, nodes, slots, forms, lengths;
    bool needs_slots; /* some measure is not a length */
    ts_measure measure[TS_MAX_FORMS];
    ts_channel_use use[TS_STATE_MAX_VARIABLES];
    int of[TS_STATE_MAX_VARIABLES]; /* the measure of each variable */
    int node[TS_MAX_NODES];
    int clock;       /* the measure that is the time; -1: none */
    int read, reads; /* rows of joints whose multipliers are variables */
    int sources, factors, told;
    ts_source source[TS_MAX_FORMS];
    ts_factor factor[TS_MAX_FORMS];
    ts_entry_plan entry[TS_MOST_TOLD];
    char *message;
    size_t size;
} ts_plan;

/* All of these: false, or -1, with a message: it does not fit. */
bool ts_plan_too_much(const ts_plan *p, const char *what, int most);
bool ts_plan_node(ts_plan *p, int node);
int ts_plan_row(ts_plan *p, int row);
int ts_plan_side(const ts_plan *p, int node);
/* Finds where the slots of a list of nodes are in the site. */
void ts_plan_slots(const ts_plan *p, int site_node, int nodes, int16_t *slot);

/* The force of a part, TS_OF_FORCE, whose sites are bound; the first of its entries, how many. */
int ts_plan_force(ts_plan *p, const ts_measure *m, int *count);
int ts_plan_more_forms(const ts_plan *p);
int ts_plan_more_vectors(const ts_plan *p);
/* Weights of the vectors, rows of N over the slots of the site; then forms; then numbers. */
void ts_plan_told_vectors(const ts_plan *p, double *N);
void ts_plan_told_forms(const ts_plan *p, int first_vector);
void ts_plan_told_numbers(const ts_plan *p);

/* Does a part slide along a path? Along a beam or cable? Then its nodes may change, and its forces
 * are available to events only. */
bool ts_part_slides(const ts_model *model, int part);
bool ts_part_slides_on_line(const ts_model *model, int part);
/* Does a part act along one coordinate or length? Does one of its sites? */
bool ts_acts_along(const ts_model *model, int part, ts_way_kind *way);
bool ts_is_force_site(const ts_model *model, int site);
/* The row of a gear, or of a lock of events: its multiplier is minus its force along this
 * coordinate; -1: it is neither. */
int ts_holding_row(const ts_model *model, int part, ts_way_kind *way);
/* Is its force a pull, positive where it resists a growing value, or what drives body B? */
bool ts_pulls(const ts_kind *kind);
/* The smallest length, for a length that vanishes: as for springs. */
double ts_tiny_length(const ts_model *model, int part);

#endif
