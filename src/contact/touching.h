/* Pairs of shapes: those that may touch, found by their boxes, and those that do, with what they
 * remember. See touching.c. */
#ifndef TS_TOUCHING_H
#define TS_TOUCHING_H

#include "contact/pair.h"
#include "contact/tree.h"

/* A gap between two shapes: of their cores; or of one corner of the first over the second, a
 * plane. */
typedef struct ts_pair_key {
    int contact, shape[2];
    int corner; /* -1: of the cores */
} ts_pair_key;

/* A pair that touches at the end of a step, or whose bristle is bent. */
typedef struct ts_touched {
    ts_pair_key key;
    ts_contact_memory memory;
    double gap, stored;
    /* over the last step: force that presses (> 0), on A along `along`; friction on A; where */
    double pressed;
    v3 along, rubbed, at;
} ts_touched;

/* In the order of their keys. */
typedef struct ts_touching {
    int count, room;
    ts_touched *pair;
} ts_touching;

void ts_touching_copy(ts_touching *to, const ts_touching *from);
void ts_touching_clear(ts_touching *list);
double ts_touching_stored(const ts_touching *list);

/* Lists as rows of numbers, for files: so many pairs have room, each with so many numbers. What has
 * no room is not packed, and then a list cannot be unpacked. */
enum { TS_PAIR_WIDTH = 21 };
int ts_pairs_room(const ts_model *model);
void ts_touching_pack(const ts_touching *list, int room, double *row);
/* False: these are no pairs of the model, or some are missing. */
bool ts_touching_unpack(const ts_model *model, const double *row, ts_touching *out);

int ts_key_order(const ts_pair_key *a, const ts_pair_key *b);

/* ---- which pairs may touch ---- */

typedef struct ts_neighbours {
    ts_tree *tree;
    ts_box *box; /* of each shape: nothing leaves it that the list knows of */
    int shapes;
    int count, room; /* gaps, in the order of their keys */
    ts_pair_key *key;
    const ts_model *model;
    int *membership; /* first of each shape, in `of` */
    ts_membership *of;
    int joints, (*joined)[2]; /* nodes that a joint holds together */
} ts_neighbours;

void ts_neighbours_new(ts_neighbours *s, const ts_model *model);
void ts_neighbours_clear(ts_neighbours *s);
/* Are all shapes at q within their boxes? */
bool ts_neighbours_covers(const ts_neighbours *s, const double *q);
/* Anew: pairs that may touch between q and q + move, or by as much again, whatever way they
 * take. */
void ts_neighbours_pairs(ts_neighbours *s, const double *q, const double *move);

/* Anew: pairs that are nearer than `reach` at q, and some more; INFINITY: all. */
void ts_neighbours_within(ts_neighbours *s, const double *q, double reach);

/* ---- a pair over a step ---- */

/* Sets gap and sides of x for a step from q by dq; everything is measured from *origin. False: the
 * cores meet. */
bool ts_pair_over(const ts_model *model, const ts_pair_key *key, const double *q, const double *dq,
                  ts_contact_step *x, v3 *origin);
/* Do the shapes touch on the way from q by dq, corners going straight, though they are apart at
 * both ends? No point of them moves further than `moved`, all in all. */
bool ts_pair_missed(const ts_model *model, const ts_pair_key *key, const double *q,
                    const double *dq, double moved);
/* How the points of the gap move with the places and directors of a side, at its end. */
void ts_pair_motion(const ts_model *model, const ts_pair_key *key, const ts_contact_step *x,
                    int side, v3 dx, m3 dD, ts_contact_motion *out);
/* What the pair pulls with at the slots of a side, four vectors; added to F. */
void ts_pair_forces(const ts_model *model, const ts_pair_key *key, const ts_contact_step *x,
                    int side, v3 F[4]);
void ts_pair_force_changes(const ts_model *model, const ts_pair_key *key, const ts_contact_step *x,
                           const ts_contact_change *change, int side, v3 F[4]);
/* Contacts were switched: pairs of those that are off are gone, those of others that touch at q are
 * there; what touched before is as it was. */
void ts_touching_follow(const ts_model *model, const double *q, const double *v, ts_touching *list);
/* The pairs that touch at q, moving with v. */
void ts_touching_begin(const ts_model *model, const double *q, const double *v, ts_touching *out);
/* Rate of the gap, as bodies move with v. */
double ts_pair_rate(const ts_model *model, const ts_pair_key *key, const ts_contact_step *x,
                    const double *v);

#endif
