/* SPDX-License-Identifier: Apache-2.0 */
/* The model: nodes, parts, and the sites and forms of the parts. Built once, then constant.
 *
 * Ambient coordinates (docs/theory.md): every node owns a few 3-vectors, its *slots*: a point node
 * x; a director node x, d; a frame node x, d1, d2, d3. A *form* is a quadratic function of the
 * slots of a part's nodes,
 *
 *     e(q) = sum w_ab q_a . q_b  +  sum g_a . q_a  +  c ,
 *
 * so its gradient is linear in q and its Hessian is a constant number per pair of slots. Every
 * strain, every joint constraint and every spring length is a form or a function of forms. A *site*
 * is a place in a part where forms are evaluated together (a quadrature point, a joint). A site
 * carries one of
 *
 *     law     a response s(e_i, e_f) with  s . (e_f - e_i) = change of energy + dissipation - work
 *             supplied
 *     rows    constraints c(q, t) = 0, each a form minus a signal, or a function of forms minus a
 *             signal
 *     rates   non-holonomic rows A(q) v = 0 with A linear in q: here a pair (a, b) means  w q_a .
 *             v_b
 *
 * An element of many nodes expresses its forms in a few *vectors* of the site, z = sum N_s q_s with
 * constant weights N (the columns of F, the base vectors of a shell): then forms are functions of
 * z, and z takes the place of the slots in all work on the site. Sites that follow each other on
 * the same nodes (the quadrature points of an element) share one list of nodes: they are assembled
 * into one matrix.
 *
 * Schemes, ledger and checks loop over sites. They do not depend on the kind of a part. */
#ifndef TS_MODEL_H
#define TS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "math/vec3.h"
#include "model/event.h"
#include "model/signal.h"

enum { TS_MAX_NODES = 27, TS_MAX_SLOTS = 36, TS_MAX_FORMS = 21 };

typedef enum ts_node_kind { TS_NODE_POINT, TS_NODE_DIRECTOR, TS_NODE_FRAME } ts_node_kind;

typedef struct ts_node {
    ts_node_kind kind;
    bool fixed; /* ground: no unknowns */
    int held;   /* the support that fixed it, to which its reaction belongs; 0: none */
    /* unknown of an element, without mass (enhanced strains); or with a mass that has neither
     * weight nor position (parts/lines/winch.c) */
    bool inner;
    int moves,
        root; /* of such a mass: what moves is at node `moves`, times the square of x of `root` */
    /* a state variable: its velocity is its mean over the last step, see parts/state/variable.c */
    bool variable;
    /* position along a path, stored in its x: `inner`, but determined by rows alone */
    bool slides;
    int slot, slots; /* first ambient slot, number of slots */
    int part;        /* the part that made it */
    /* over slots: [[m, m c],[m c, E]], E the Euler tensor; ambient mass is this times I3 */
    double mass[4][4];
    v3 x, velocity; /* initial state as the user gave it */
    m3 D;
    v3 omega; /* global axes */
} ts_node;

/* Acceleration of gravity that acts on its mass. */
static inline v3 ts_node_gravity(const ts_node *node, v3 gravity) {
    return node->inner ? (v3){0, 0, 0} : gravity;
}

/* Functions that every iteration calls for every node are compiled twice: for frames, whose loops
 * have a constant length and are vectorised, and for any number of slots. */
#define TS_FOR_SLOTS static inline __attribute__((always_inline))
enum { TS_FRAME_SLOTS = 4 };

/* Slot a of M u, u given as vectors: numbers that are stored one by one are not read again two at a
 * time, for which processors would wait. */
TS_FOR_SLOTS v3 ts_mass_row(int slots, const ts_node *node, const v3 *u, int a) {
    v3 p = v3_scale(node->mass[a][a], u[a]);
    for (int b = 0; b < slots; b++)
        if (b != a && node->mass[a][b] != 0) p = v3_axpy(node->mass[a][b], u[b], p);
    return p;
}

/* p = M u of all slots of a node. Most have no mass between slots. */
TS_FOR_SLOTS void ts_mass_times_all(int slots, const ts_node *node, const double *u,
                                    double *restrict p) {
    for (int a = 0; a < slots; a++)
        v3_store(p + 3 * a, v3_scale(node->mass[a][a], v3_load(u + 3 * a)));
    for (int a = 0; a < slots; a++)
        for (int b = a + 1; b < slots; b++) {
            double m = node->mass[a][b];
            if (m == 0) continue;
            v3_store(p + 3 * a, v3_axpy(m, v3_load(u + 3 * b), v3_load(p + 3 * a)));
            v3_store(p + 3 * b, v3_axpy(m, v3_load(u + 3 * a), v3_load(p + 3 * b)));
        }
}

typedef struct ts_pair {
    int16_t a, b;
    double w;
} ts_pair;

typedef struct ts_linear {
    int16_t a;
    v3 g;
} ts_linear;

typedef struct ts_form {
    int pair, pairs;     /* range in model->pairs */
    int linear, linears; /* range in model->linears */
    double c;
} ts_form;

typedef struct ts_law ts_law;
typedef struct ts_rowlaw ts_rowlaw;
typedef struct ts_kernel ts_kernel;
typedef enum ts_role { TS_ROLE_LAW, TS_ROLE_ROWS, TS_ROLE_RATES } ts_role;

/* Results of a site besides its energy: strains and forces of a section, per length of a shell, or
 * stresses. */
typedef enum ts_station_kind {
    TS_STATION_NONE,
    TS_STATION_LINE,
    TS_STATION_SHELL,
    TS_STATION_SOLID
} ts_station_kind;

typedef struct ts_site {
    ts_role role;
    int part;
    int node, nodes; /* range in model->site_nodes */
    int ambient;     /* total slots of these nodes */
    int slots;       /* what forms are functions of: these slots, or the vectors made of them */
    /* vectors: first of slots x ambient weights in model->interpolation; else -1 */
    int interpolation;
    int form, forms;
    const ts_kernel *kernel; /* the forms in closed form, for speed, see kernel.h; NULL: none */
    const ts_law *law;       /* role law */
    const ts_rowlaw *rowlaw; /* role rows: NULL means row k is form k */
    int row, rows;           /* roles rows and rates: range in model->rows */
    int read, reads;         /* role law: the rows whose multipliers it reads */
    /* first number in model->numbers; first in the state's memory, of law or rowlaw */
    int data, memory;
    int signal;              /* first index in model->site_signals, for laws that depend on time */
    ts_station_kind station; /* kind of its stations */
    double volume;           /* of a solid: the volume that the site represents, with or without
                              * stations */
    /* of a site with `handed`: largest valid stretch, or one over the smallest; 0: any */
    double range;
    /* three vectors that must stay right-handed, otherwise the element is inside out: 3 x ambient
     * weights in model->interpolation; -1: none */
    int handed;
} ts_site;

/* A station: a point of the law of a site with strains, forces or stresses in the results. A law
 * may have several points (the Gauss points of a beam's element). Stations are in the order of
 * sites. */
typedef struct ts_station {
    ts_station_kind kind;
    int site, point;
    double weight;    /* the arc length, area or volume that it represents */
    double arc;       /* of a line: arc length from its start */
    int place;        /* of a shell or solid: its coordinates as drawn, in model->numbers */
    double thickness; /* of a shell */
} ts_station;

/* Meaning of the multiplier of a row: a force along a global axis, a force or a moment in axes of
 * the joint, or another quantity. */
typedef enum ts_pull { TS_PULL_OTHER, TS_PULL_GLOBAL, TS_PULL_FORCE, TS_PULL_MOMENT } ts_pull;

typedef struct ts_row {
    int site, local;
    int signal;     /* index in model->signals subtracted from the row, or -1 */
    bool drive;     /* prescribed motion: the work of its multiplier is the work of a drive */
    bool redundant; /* repeats other rows: kept out of the equations */
    bool off;       /* switched off, see event.h: also left out of the equations */
    bool stays;     /* cannot be switched off: the row that follows time for a motion */
    char label[40]; /* "rotation about x" */
    ts_pull pull;
    int axis; /* the axis of the force or moment, from 0 */
} ts_row;

/* A relative coordinate of a joint: for output, drives, motors and springs in joints. */
typedef struct ts_coordinate {
    int part;
    char name[16]; /* "angle", "displacement", "x", "angle1" ... */
    bool angle; /* forms are (cos, sin) and the value is the unwrapped angle; otherwise one form */
    bool plain; /* a number without a unit; otherwise an angle or a length */
    char unit[12]; /* of a plain number, for results only: "Pa"; "": none */
    bool held; /* its value over a step is that of the end: TS_TAKEN_END, laws/state/state_law.h */
    int equation;                /* 1 + the signal that is its value or rate; 0: none */
    int site_node, nodes, slots; /* nodes as in a site */
    int form;
    int memory; /* angle only: the unwrapped angle in the state's memory */
} ts_coordinate;

/* Unit of a plain number in results. */
void ts_coordinate_unit(ts_coordinate *c, const char *unit);

/* A force or moment on one node: signal components in global or body axes at a point of the
 * body. */
typedef struct ts_load {
    int part, node;
    bool moment, follower;
    v3 point; /* body coordinates; of a shell's node, in the model: (along the director, 0, 0) */
    int signal[3]; /* model->signals, -1 means zero */
    double factor; /* factor of the signals; 0 means 1 */
} ts_load;

/* Pressure on a face, along r,1 x r,2 of the surface through its nodes: it turns and grows with the
 * face. Along the edge of a shell, r,s x d: on positions a force, on directors a moment about the
 * edge. */
typedef struct ts_pressure {
    int part;
    int node, nodes; /* range in model->site_nodes */
    /* model->interpolation: per point of quadrature and node w N, N,1 and N,2 (of d: N) */
    int rule, points;
    /* slots of the nodes on which it acts, and of which both vectors are made; 0 positions, 1
     * directors */
    int on, of[2];
    int signal; /* model->signals */
    /* > 0: the pressure is the x of this node, a variable of the state, times the unit. The node is
     * behind those of the face. */
    int variable;
    double unit;
} ts_pressure;

/* A shape for contact (src/contact): a core with a radius, on a node; or a plane, whose points are
 * a position and its normal. A core is the convex hull of its points; or a cloud, whose points
 * touch one by one; or a patch, triangles over its points. */
typedef struct ts_shape {
    int part, node; /* flexible: the first of its nodes */
    bool plane, cloud;
    bool backed;       /* a cloud: the faces over its points are shapes too */
    bool line;         /* its faces are segments, one behind the other */
    int face, faces;   /* of a patch: range in model->shape_faces; 0: none */
    int point, points; /* range in model->shape_points, coordinates of the node; or as drawn */
    bool flexible;     /* its points follow the places of nodes: */
    int woven;         /* first of them in model->woven */
    int edges;         /* of a hull or a surface: the ends of each, shortened, follow its points */
    int rings;         /* circles: centres follow, their axis, a round core (contact/features.h) */
    int sharp; /* corners or centres of circles for planes, without rounding: the first, behind its
                * points; 0: rounded there, too */
    double radius, ring;
    /* above zero for a plane: instead the inside of a ball about its position, or of a tube along
     * its normal */
    double hollow;
    bool tube;
    double margin; /* additional size of its boxes */
    double ahead;  /* distance from which contacts act on it, by a barrier */
    double apart;  /* it touches itself at points that are farther apart along it than this; 0:
                    * nowhere */
    int coating;   /* 1 + the first of its numbers, see contact/pair.h; 0: it has none */
} ts_shape;

/* A point of a flexible shape: a weighted sum of positions of nodes. */
enum { TS_WOVEN_NODES = 4 };
typedef struct ts_woven {
    int nodes, node[TS_WOVEN_NODES];
    double weight[TS_WOVEN_NODES]; /* of sum 1 */
    double at;                     /* along a line: the arc as drawn */
} ts_woven;

/* Corners of a triangle, numbers of points of its shape. A segment has its last corner twice. An
 * edge k leads from corner k to the next one. Edges where a surface is bent or ends have a number,
 * and their corners touch, too. */
typedef struct ts_face {
    int corner[3], edge[3]; /* -1: none */
    bool ridge[3];          /* of corners */
} ts_face;

/* A contact: shapes of its first side touch those of its second. */
typedef struct ts_contact {
    int part;
    const struct ts_penetration *elastic;
    int data; /* its numbers, see contact/pair.h */
    /* among: every shape touches every other, except those of one body and of bodies that a joint
     * connects */
    bool among;
    bool off; /* switched off by an event */
} ts_contact;

/* Shapes of a contact that do not touch each other; the first is less. */
typedef struct ts_exception {
    int contact, shape[2];
} ts_exception;

/* A gap with a constant addition. */
typedef struct ts_shift {
    int contact, shape[2], corner;
    double by;
} ts_shift;

/* A straight line from a point of one node to a point of another, for pictures: a rope, a path. */
typedef struct ts_strand {
    int part, node[2];
    v3 point[2];
} ts_strand;

/* A sliding part: its position along a path is the x of a node of its own, constrained by rows
 * (laws/path_row.h). Along a chain of elements each of its sites is one of several windows, a few
 * neighbouring elements, chosen by the state (system/windows.c). */
typedef struct ts_slide {
    int part, node;
    int on;           /* the part with the path */
    bool closed;      /* the path has no ends; otherwise it */
    double low, high; /* ends there */
    int windows;      /* number of windows; 0: there is no choice */
    int memory;       /* number of windows from the drawn one: a number of the state's memory */
    int drawn;        /* the window of the sites as drawn */
    int first, sites; /* window w of the part's site k is model->windows[first + k windows + w] */
    int bounds, per;  /* window w is from number bounds + w to number bounds + w + per */
} ts_slide;

/* The part of a site that differs between windows. */
typedef struct ts_window {
    int node, nodes, ambient, slots, form, forms, data;
} ts_window;

/* Membership of a shape in a contact, on one of its sides. */
typedef struct ts_membership {
    int shape, contact, side;
} ts_membership;

typedef struct ts_part {
    const struct ts_kind *kind;
    char *name;
    int node;   /* the first node it made (bodies, beams), or -1 */
    int nodes;  /* number of nodes for attachment: "arm.start", "arm.3", "arm.end" */
    int stride; /* of a refined line: every stride-th node has a number, as drawn; 0: all have */
    int data;   /* first of its numbers in model->numbers (materials, sections) */
    int site, sites;       /* its sites */
    int station, stations; /* its stations */
    int coordinate, coordinates;
    int along;         /* the coordinate of a joint that it acts along, counted from 1; 0: none */
    int nodeA, nodeB;  /* joints and springs */
    v3 pointA, pointB; /* attachment in body coordinates */
    m3 frameA, frameB; /* joint frame in body coordinates */
    /* holds nodes to the ground: its reaction is that of all of them, about a point of the
     * ground */
    bool support;
    v3 about;
    bool spread; /* a load over a line, surface or edge: it acts on many nodes, not on a body B */
    /* of a support: force and moment on nodes that it fixed, mean of the last step: six numbers of
     * the state's memory */
    int memory;
    int mesh, mesh_set; /* made on a mesh: the part that is the mesh (0: none), the set of it */
    ts_node_kind points_are; /* the nodes that it has on the points of the mesh */
    int points; /* a mesh: first of its points in model->point_nodes, see mesh_nodes.c */
} ts_part;

/* The mesh as drawn, or refined: see refine.h. */
typedef struct ts_refinement {
    int refined;  /* how many times */
    double ratio; /* ratio of element sizes by one refinement, as it affects errors; the least */
    int order;    /* the lowest order of accuracy of meshed parts; 0: there are none */
    int stuck;    /* a part whose mesh is from a file and cannot be refined; 0: none */
} ts_refinement;

#define TS_ARRAY(type, name) \
    type *name;              \
    int name##_count, name##_room

typedef struct ts_model {
    char *title;
    TS_ARRAY(ts_node, nodes);
    TS_ARRAY(ts_part, parts);
    TS_ARRAY(ts_site, sites);
    TS_ARRAY(ts_station, stations);
    TS_ARRAY(int, site_nodes);
    TS_ARRAY(ts_form, forms);
    TS_ARRAY(ts_pair, pairs);
    TS_ARRAY(ts_linear, linears);
    TS_ARRAY(ts_row, rows);
    TS_ARRAY(ts_coordinate, coordinates);
    TS_ARRAY(ts_load, loads);
    TS_ARRAY(ts_pressure, pressures);
    TS_ARRAY(ts_shape, shapes);
    TS_ARRAY(v3, shape_points);
    TS_ARRAY(double, shape_shares); /* area or length that each point represents, or 1 */
    TS_ARRAY(ts_woven, woven);
    TS_ARRAY(ts_face, shape_faces);
    TS_ARRAY(ts_contact, contacts);
    TS_ARRAY(ts_membership, memberships); /* in the order of contacts */
    TS_ARRAY(ts_exception, exceptions);
    TS_ARRAY(ts_shift, shifts);   /* in the order of their keys */
    TS_ARRAY(ts_strand, strands); /* in the order of parts */
    TS_ARRAY(ts_slide, slides);
    TS_ARRAY(ts_window, windows);
    TS_ARRAY(int, point_nodes);
    TS_ARRAY(ts_signal, signals);
    TS_ARRAY(double, numbers);
    TS_ARRAY(int, site_signals);
    TS_ARRAY(double, interpolation);
    TS_ARRAY(ts_event, events);
    TS_ARRAY(ts_action, actions);
    TS_ARRAY(ts_switch, switches);
    TS_ARRAY(struct ts_mesh *, meshes); /* owned; part->data of a mesh is its index */
    int slots;                          /* ambient 3-vectors in all */
    int memory;                         /* numbers of memory in all */
    int inputs;                         /* signals that a run sets from outside, in all */
    int lost_slots;
    /* first number in memory, one per row, with the state of rows after events: 0: as at the start,
     * 1: in the equations, 2: redundant; -1: no event changes rows */
    int row_memory;
    bool handed; /* some site has vectors that stay right-handed */
    v3 gravity;
    ts_refinement refinement;
    const struct ts_model *drawn; /* of a system's own copy (system/switches.c): the model itself */
    /* forms added next belong to the newest site, otherwise to the newest coordinate */
    bool site_open;
    int reopened; /* ... or to this site, counted from 1; 0: none */
} ts_model;

/* Unknowns of a node: displacement, and rotation; a director does not turn about itself. */
static inline int ts_node_dofs(const ts_node *node) {
    static const int dofs[] = {3, 5, 6};
    return dofs[node->kind];
}

/* Are forces on the node summed? It moves, or a support needs its reaction. */
static inline bool ts_node_sums(const ts_node *node) { return !node->fixed || node->held; }

/* Node 0 is the ground: a fixed frame at the origin; part 0 is "ground". */
ts_model *ts_model_new(void);
void ts_model_free(ts_model *model);

int ts_model_node(ts_model *model, ts_node_kind kind, v3 x, m3 D);
void ts_model_mass(ts_model *model, int node, double mass, v3 centre, m3 inertia_about_node);
int ts_model_number(ts_model *model, double value);
int ts_model_signal(ts_model *model, ts_signal signal); /* takes ownership */
int ts_model_memory(ts_model *model, int count);
int ts_model_mesh(ts_model *model, struct ts_mesh *mesh); /* takes ownership */

/* A linear function of the slots of a site's nodes: sum of weight * slot. The building block of
 * forms. */
typedef struct ts_combo {
    int count;
    int16_t slot[16];
    double weight[16];
} ts_combo;

/* side: position of the node in the list of nodes; until a form is made, every node counts as four
 * slots. A point has no directions: model->lost_slots counts such terms, and the result must not be
 * used. */
ts_combo ts_combo_point(int side, v3 body_point);      /* x + sum X_k d_k */
ts_combo ts_combo_direction(int side, v3 body_vector); /* sum U_k d_k */
ts_combo ts_combo_minus(ts_combo a, ts_combo b);

/* Opens a site on the given nodes (part is the newest part); forms and rows added next belong to
 * it. */
int ts_model_site(ts_model *model, ts_role role, int nodes, const int *node);
/* Opens a site again, on other nodes, without forms, vectors, numbers and memory. Everything added
 * next belongs to it, as to the newest site, until another is opened. */
void ts_model_site_again(ts_model *model, int site, int nodes, const int *node);
/* Adds the weights of a combination over the slots of the open site's nodes to N. */
void ts_combo_weights(ts_model *model, ts_combo c, double *N);
/* From here on the newest site's forms are functions of vectors z = N q; N has a row of
 * site->ambient weights per vector. */
void ts_model_vectors(ts_model *model, int vectors, const double *N);
/* The newest site depends on one vector u only. Differences of positions are computed before they
 * are squared; far from the origin the difference of squares would lose all digits. */
void ts_model_vector(ts_model *model, ts_combo u);
/* The newest site has three vectors that must stay right-handed; their weights begin there in
 * model->interpolation. */
void ts_model_handed(ts_model *model, int weights);
/* Adds a station to the newest site and fills in its index. */
void ts_model_station(ts_model *model, ts_station station);
int ts_form_new(ts_model *model, double constant);
/* Adds w q_a . q_b, or g . q_a, to the newest form; a and b count the slots or vectors of the
 * site. */
void ts_form_pair(ts_model *model, int a, int b, double w);
void ts_form_linear(ts_model *model, int a, v3 g);
/* factor a.b + constant */
int ts_form_dot(ts_model *model, double factor, ts_combo a, ts_combo b, double constant);
/* axis.a + constant */
int ts_form_component(ts_model *model, v3 axis, ts_combo a, double constant);
/* adds factor a.b to the newest form */
void ts_form_plus_dot(ts_model *model, double factor, ts_combo a, ts_combo b);
/* adds the same form to the newest site (with the same nodes) */
int ts_form_copy(ts_model *model, int form);
/* Adds factor times a form of another site or coordinate to the newest form; slot[a] is the place
 * of its slot a in this site. */
void ts_form_plus(ts_model *model, double factor, int form, const int16_t *slot);
/* rate form: sum over terms added to one form, w (a . b') with b' the rate of b */
int ts_form_rate(ts_model *model, int terms, const double *factor, const ts_combo *a,
                 const ts_combo *b);
int ts_model_row(ts_model *model, int signal, bool drive, const char *label);
void ts_model_pull(ts_model *model, ts_pull pull, int axis); /* of the newest row */
/* Value that is subtracted from a row, and its rate: zero without a signal. */
double ts_row_signal(const ts_model *model, int row, ts_when when, double *rate);

/* Sets the newest site's response, with its memory, and the signals that its law reads, in
 * order. */
void ts_model_law(ts_model *model, const ts_law *law);
void ts_model_rowlaw(ts_model *model, const ts_rowlaw *rowlaw);
void ts_model_site_signal(ts_model *model, int signal);
/* The newest site's law reads the multipliers of these rows. */
void ts_model_reads(ts_model *model, int row, int rows);

/* Opens a coordinate of the newest part; the forms added next (cos and sin of an angle, or one
 * form) are its own. */
int ts_model_coordinate(ts_model *model, const char *name, bool angle, int nodes, const int *node);

void ts_model_load(ts_model *model, ts_load load);
/* The components of a load, without its factor. */
v3 ts_load_signals(const ts_model *model, const ts_load *load, ts_when when);
void ts_model_pressure(ts_model *model, ts_pressure pressure, const int *node);
/* A shape of the newest part, its next point, and its next triangle. */
int ts_model_shape(ts_model *model, ts_shape shape);
void ts_model_shape_point(ts_model *model, v3 point);
void ts_model_woven_point(ts_model *model, ts_woven point, double share);
void ts_model_shape_face(ts_model *model, const int corner[3]);
/* The newest shape's next end of an edge, centre or axis, after all points. */
void ts_model_shape_more(ts_model *model, v3 point);
/* For flexible shapes: the nodes and weights that such a point is woven of. */
void ts_model_woven_more(ts_model *model, ts_woven point);
/* A contact of the newest part, and a shape that takes part in it. */
int ts_model_contact(ts_model *model, ts_contact contact);
void ts_model_touches(ts_model *model, int shape, int contact, int side);
void ts_model_shift(ts_model *model, ts_shift shift);
void ts_model_except(ts_model *model, int contact, int a, int b);
void ts_model_strand(ts_model *model, int a, v3 from, int b, v3 to); /* of the newest part */
/* Registers a sliding part, after its sites are made; and adds the newest site, as it is, to the
 * windows. */
int ts_model_slide(ts_model *model, ts_slide slide);
int ts_model_window(ts_model *model, int site);
int ts_model_weight(ts_model *model, double weight); /* into model->interpolation */
void ts_model_point_node(ts_model *model, int node);
/* Returns the part of this name, or the definition if no part has it; -1: none. */
int ts_model_part_named(const ts_model *model, const char *name, size_t length);
/* a new part; valid until the next one */
ts_part *ts_model_part(ts_model *model, const char *name);

#endif
