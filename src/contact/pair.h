/* SPDX-License-Identifier: Apache-2.0 */
/* Two sides that touch, over a step: elastic force, restitution and friction from a gap, with their
 * energies. See pair.c. */
#ifndef TS_CONTACT_PAIR_H
#define TS_CONTACT_PAIR_H

#include "contact/gap.h"
#include "laws/bristle.h"
#include "laws/penetration.h"
#include "model/model.h"

/* Numbers of a contact in the model. */
enum {
    TS_CONTACT_STIFFNESS,
    TS_CONTACT_MODULUS, /* Hertz' law: the stiffness follows from the modulus and the radii */
    TS_CONTACT_LOSS,
    TS_CONTACT_ADHERING,
    TS_CONTACT_SLIDING,
    TS_CONTACT_STRIBECK,
    TS_CONTACT_GRIP,
    TS_CONTACT_VISCOUS,
    TS_CONTACT_ROLLING, /* lengths: couple over normal force */
    TS_CONTACT_SPINNING,
    TS_CONTACT_TWIST,    /* stiffness of their bristles; 0: none */
    TS_CONTACT_CUT,      /* steps are divided so that an impact is resolved: 0 or 1 */
    TS_CONTACT_SPREAD,   /* 1: stiffness, grip and viscosity are per area or length of a point */
    TS_CONTACT_DISTANCE, /* reach of a barrier: gaps are counted from there; 0: no barrier */
    TS_CONTACT_COATED,   /* properties left to its shapes: a sum of powers of two, as follows */
    TS_CONTACT_NUMBERS
};

/* Numbers of a coating in the model; below zero: not given. */
enum { TS_COATING_FRICTION, TS_COATING_LOSS, TS_COATING_MODULUS, TS_COATING_NUMBERS };
/* One of these numbers, for a shape. */
static inline double ts_coating_of(const ts_model *model, const ts_shape *shape, int which) {
    return shape->coating ? model->numbers[shape->coating - 1 + which] : -1;
}

typedef struct ts_contact_law {
    const ts_penetration *elastic;
    double stiffness;   /* times its energy */
    double unit;        /* unit of lengths: 1, or the reach of a barrier */
    double loss;        /* epsilon of the restitution, see ts_restitution_loss; 0: none */
    ts_rubbing rubbing; /* coefficients of friction */
    double grip;        /* stiffness of the bristle; 0: no friction */
    double viscous;     /* tangential force over velocity */
    /* lengths by which couples resist rolling and spinning, and the stiffness of their bristles */
    double rolling, spinning, twist;
    bool cut; /* steps are divided where the gap closes, see step/resolve.c */
} ts_contact_law;

/* Reach of its barrier; 0: it has none. */
static inline double ts_contact_distance(const ts_model *model, int contact) {
    return model->numbers[model->contacts[contact].data + TS_CONTACT_DISTANCE];
}
/* Does the contact ask for steps that resolve it? */
bool ts_contact_cuts(const ts_model *model, int contact);
/* The law of a contact between two of its shapes. */
ts_contact_law ts_contact_law_of(const ts_model *model, int contact, const int shape[2]);

/* Memory of a pair from step to step. */
typedef struct ts_contact_memory {
    v3 z;            /* deflection of the bristle, in the frame of B */
    bool stuck;      /* during the last step */
    double approach; /* speed at which the gap closed when it was last open */
    v3 turn;         /* deflection of the bristles of rolling and spinning, in the frame of B */
    double age;      /* time since the end of the step in which the gap closed */
} ts_contact_memory;

/* A side over the step: places and directors at its start and its end. Without directors (a point)
 * it is touched at its place. A flexible side is woven of the points of the gap: its place is their
 * sum by the gap's weights. */
typedef struct ts_carrier {
    bool turns, woven;
    v3 x[2];
    m3 D[2];
} ts_carrier;

/* Three vectors that turn with a flexible side, and transfer couples to it: see couple.c. */
typedef struct ts_lever {
    int node;                   /* its directors; -1: corners of a face, from their middle */
    int corners, corner[3];     /* points of the shape: 2 of a segment, or 3 */
    bool line;                  /* they are on a line */
    double weight;              /* of its node in the place where the side is touched */
    double of[TS_TOUCH_POINTS]; /* of its node in each point of the gap */
    m3 mean, change;            /* over the step */
    v3 turn, u;                 /* how they turn; forces u x mean */
} ts_lever;
enum { TS_MOST_LEVERS = 8 };

typedef struct ts_contact_step {
    ts_gap gap;
    ts_carrier side[2];
    const ts_contact_law *law;
    ts_contact_memory before, after;
    double h;
    double rests; /* a speed: a slower pair is at rest, and has the restitution of that speed */
    bool held;    /* the bristle is treated as stuck, whatever its force: step/touch.c */
    bool late;    /* friction that breaks loose keeps its static value until the end of the step */
    bool still;   /* an equilibrium: gap and sides are those of the end, see ts_pair_at_end */
    /* Resisting forces: `normal` times the gradients of the gap, on its points; `friction` on the
     * material point of A at `arm` of its directors, and its opposite on that of B; on a woven side
     * on the points of the gap, by their weights. */
    double normal;
    double turning; /* times the gradients of the weight of edges that cross, on their directions */
    v3 friction, arm[2];
    m3 twist[2]; /* forces on the directors of both sides that resist rolling and spinning */
    double stored, lost, rubbed; /* at the end; dissipated by impact and by friction */
    /* for slopes */
    double by_gap, by_weight, turning_by_gap;
    v3 slip, z, turned;
    ts_bristle_step bristle, roll, spin;
    double mu[2], by_square;
    int levers; /* of side B, if it is flexible and friction acts off its points */
    bool leans; /* the levers carry force */
    v3 lean;    /* from where side B is touched to where friction acts */
    ts_lever lever[TS_MOST_LEVERS]; /* the last field: large and rarely used */
} ts_contact_step;

/* Computes all other fields from `gap`, `side`, `law`, `before` and `h`. */
void ts_contact_over(ts_contact_step *x);

/* A variation of the end of the step: motion of the points of the gap and of both sides. */
typedef struct ts_contact_motion {
    v3 point[TS_TOUCH_POINTS];
    v3 along[2]; /* directions of edges that cross */
    v3 x[2];
    m3 D[2];
    m3 lever[TS_MOST_LEVERS]; /* as many as there are */
} ts_contact_motion;

typedef struct ts_contact_change {
    v3 force[TS_TOUCH_POINTS]; /* of normal times gradient */
    v3 turning[2];             /* of turning times gradient */
    v3 friction, arm[2];
    m3 twist[2];
    double weight[TS_TOUCH_POINTS]; /* of the points of woven sides */
    m3 lever[TS_MOST_LEVERS];       /* of forces on levers, if they are pressed */
} ts_contact_change;
void ts_contact_moved(const ts_contact_step *x, const ts_contact_motion *by,
                      ts_contact_change *out);

/* Elastic energy at a gap; the force as its divided difference between two gaps, and its slope by
 * the second. */
double ts_contact_elastic(const ts_contact_law *law, double gap);
double ts_contact_force(const ts_contact_law *law, double start, double end, double *slope);

/* Does a bristle of the pair store energy? */
static inline bool ts_contact_bent(const ts_contact_memory *memory) {
    return v3_dot(memory->z, memory->z) > 0 || v3_dot(memory->turn, memory->turn) > 0;
}
/* Energy that a pair stores: elastic, and in its bristles. */
double ts_contact_energy(const ts_contact_law *law, double gap, const ts_contact_memory *memory);

/* epsilon with which a contact that begins at a speed ends at e times that speed, 0 < e <= 1. */
double ts_restitution_loss(double e);

#endif
