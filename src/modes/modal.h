/* SPDX-License-Identifier: Apache-2.0 */
/* Modes of vibration about an equilibrium, at rest or in steady rotation; and linear buckling. See
 * docs/modes.md. */
#ifndef TS_MODAL_H
#define TS_MODAL_H

#include "analysis/run.h"

typedef enum ts_eigen_method { TS_EIGEN_AUTO, TS_EIGEN_DENSE, TS_EIGEN_SPARSE } ts_eigen_method;

typedef struct ts_modal_options {
    int modes; /* number of modes; there may be fewer */
    /* angular velocity of the frame of reference, and a point of its axis */
    v3 spin, about;
    bool as_drawn; /* about the given state, even if it is not an equilibrium */
    ts_eigen_method method;
} ts_modal_options;

/* phi e^(lambda t) with lambda = growth + i frequency. */
typedef struct ts_mode {
    double frequency; /* rad/s, >= 0 */
    double growth;    /* 1/s: positive is unstable */
    double damping;   /* -growth/|lambda|; 0 when both are 0 */
    bool rigid;       /* lambda is zero up to round-off */
    double factor;    /* buckling: load factor, then the rest is 0 */
    v3 effective;     /* effective mass along x, y, z, kg; of complex modes 0 */
} ts_mode;

typedef struct ts_modes {
    int count, nodes;
    ts_mode *mode;
    double *shape; /* count x nodes x 6: displacement, rotation vector; phi* M phi = 1 */
    /* imaginary part of shapes, count x nodes x 6: a quarter of a period earlier; NULL: real
     * modes */
    double *quarter;
    bool settled; /* the equilibrium had to be computed first */
    /* distance of the state from equilibrium: displacement / size of the model, or rotation */
    double imbalance;
    v3 spin, about;
    double mass;      /* mass of all nodes that can move */
    int free_motions; /* number of free motions, listed or not */
} ts_modes;

/* Moves the system to the end of its static analysis, if it has one; and, unless as_drawn, to
 * equilibrium. */
int ts_modes_find(ts_modes **out, ts_system *system, const ts_options *options,
                  const ts_modal_options *modal);
/* Factors of all loads, gravity included, at which the state as drawn becomes indifferent, the
 * smallest first. */
int ts_buckling_find(ts_modes **out, ts_system *system, const ts_options *options,
                     const ts_modal_options *modal);
void ts_modes_free(ts_modes *modes);

/* Distribution of the kinetic energy of a mode. */
typedef struct ts_mode_hint {
    int part;       /* the part with the largest share */
    double share;   /* its share */
    int axis;       /* 0, 1, 2: moves along x, y, z; 3, 4, 5: turns about them */
    double in_axis; /* share of that motion in the energy of the part */
} ts_mode_hint;
ts_mode_hint ts_mode_explain(const ts_system *system, const ts_modes *modes, int mode);
/* A free motion in words: "'trolley', 'load' along (1, 0, 0)". */
void ts_mode_free_words(const ts_system *system, const ts_modes *modes, int mode, char *text,
                        size_t room);
/* Combines free motions, M-orthonormal columns of phi, so that they are as simple as possible. */
struct ts_pencil;
void ts_motion_simplify(const ts_system *system, struct ts_pencil *p, int zeros, double *phi);

/* A mode in rotation, as seen in the inertial frame, if it whirls in one direction only. */
typedef struct ts_whirl {
    enum {
        TS_NO_WHIRL,
        TS_FORWARD_WHIRL,
        TS_BACKWARD_WHIRL
    } way;            /* with the rotation, against it */
    double frequency; /* rad/s */
} ts_whirl;
ts_whirl ts_mode_whirl(const ts_system *system, const ts_modes *modes, int mode);

/* For each mode of `after`: the mode of `before` with the most similar shape, each used once; -1:
 * none. */
void ts_modes_follow(const ts_system *system, const ts_modes *before, const ts_modes *after,
                     int *match);

#endif
