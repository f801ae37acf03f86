/* SPDX-License-Identifier: Apache-2.0 */
/* The model: nodes, parts and what the parts say of themselves. Built once, then constant.
 *
 * Ambient coordinates (docs/theory.md): every node owns a few 3-vectors, its *slots*: a point node
 * x; a director node x, d; a frame node x, d1, d2, d3. A *form* is a quadratic function of the
 * slots of a part's nodes,
 *
 *     e(q) = sum w_ab q_a . q_b  +  sum g_a . q_a  +  c ,
 *
 * so its gradient is linear in q and its Hessian is a constant number per pair of slots. Every
 * strain, every joint condition, every spring length is a form or a function of forms. A *site* is
 * a place in a part where forms are taken together (a quadrature point, a joint); what hangs on a
 * site is one of
 *
 *     law     a response s(e_i, e_f) with  s . (e_f - e_i) = change of energy + dissipation - work
 *             supplied
 *     rows    constraints c(q, t) = 0, each a form minus a signal, or a function of forms minus a
 *             signal
 *     rates   non-holonomic rows A(q) v = 0 with A linear in q: here a pair (a, b) means  w q_a .
 *             v_b
 *
 * An element of many nodes says its forms more shortly in a few *vectors* of the site, z = sum N_s
 * q_s with constant weights N (the columns of F, the base vectors of a shell): then forms are of z,
 * and z stands for the slots wherever a site is worked on. Sites that follow each other on the same
 * nodes (the quadrature points of an element) share one list of nodes: they are assembled into one
 * matrix.
 *
 * Schemes, ledger and checks loop over sites and never ask for the kind of a part.
 */
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
    int held;   /* the support that fixed it, to which it owes its reaction; 0: none */
    /* an unknown of an element, without mass by intention (enhanced strains); or with a mass, which
     * moves and has no weight and no place (parts/lines/winch.c) */
    bool inner;
    /* a state variable: its velocity is the mean of the last step, see parts/state/variable.c */
    bool variable;
    /* how far along a path something is, in its x: `inner`, but rows alone keep it */
    bool slides;
    int slot, slots; /* first ambient slot, number of slots */
    int part;        /* the part that made it */
    /* over slots: [[m, m c],[m c, E]], E the Euler tensor; ambient mass is this times I3 */
    double mass[4][4];
    v3 x, velocity; /* initial state as the user gave it */
    m3 D;
    v3 omega; /* global axes */
} ts_node;

/* The acceleration by gravity that its mass feels. */
static inline v3 ts_node_gravity(const ts_node *node, v3 gravity) {
    return node->inner ? (v3){0, 0, 0} : gravity;
}

/* What every iteration does at every node is compiled twice: for frames, whose loops then have a
 * known end and take two numbers at once, and for any number of slots. */
#define TS_FOR_SLOTS static inline __attribute__((always_inline))
enum { TS_FRAME_SLOTS = 4 };

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

/* What results tell of a site besides its energy: strains and forces of a section, per length of a
 * shell, or stresses. */
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
    int slots;       /* what forms count: these slots, or the vectors made of them */
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
    ts_station_kind station; /* what its stations are */
    double volume;           /* of a solid: what the site stands for, stations or not */
    /* a site with `handed`: the largest stretch, or one over the smallest, that its element is good
     * for; 0: any */
    double range;
    /* three vectors that stay right-handed, or the element is inside out: 3 x ambient weights in
     * model->interpolation; -1: none */
    int handed;
} ts_site;

/* A station: a point of the law of a site where results tell strains, forces or stresses. A law may
 * have several points (the Gauss points of a beam's element); stations follow each other as sites
 * do. */
typedef struct ts_station {
    ts_station_kind kind;
    int site, point;
    double weight;    /* the arc length, area or volume it stands for */
    double arc;       /* of a line: how far from its start, along it */
    int place;        /* of a shell or solid: its coordinates as drawn, in model->numbers */
    double thickness; /* of a shell */
} ts_station;

/* What the multiplier of a row is: a force along an axis of the ground, a force or a moment in axes
 * of the joint, or something else. */
typedef enum ts_pull { TS_PULL_OTHER, TS_PULL_GLOBAL, TS_PULL_FORCE, TS_PULL_MOMENT } ts_pull;

typedef struct ts_row {
    int site, local;
    int signal;     /* index in model->signals subtracted from the row, or -1 */
    bool drive;     /* prescribed motion: the work of its multiplier is the work of a drive */
    bool redundant; /* repeats other rows: kept out of the equations */
    bool off;       /* switched off, see event.h: kept out likewise */
    bool stays;     /* is never switched off: what tells a motion the time */
    char label[40]; /* "rotation about x" */
    ts_pull pull;
    int axis; /* along or about this one, from 0 */
} ts_row;

/* A relative coordinate of a joint: for output, drives, motors and springs in joints. */
typedef struct ts_coordinate {
    int part;
    char name[16]; /* "angle", "displacement", "x", "angle1" ... */
    bool angle; /* forms are (cos, sin) and the value is the unwrapped angle; otherwise one form */
    bool plain; /* a number without a unit; otherwise an angle or a length */
    char unit[12]; /* of a plain number, for results only: "Pa"; "": none */
    bool held; /* over a step it is what it is at the end: see TS_TAKEN_END in laws/state_law.h */
    int site_node, nodes, slots; /* nodes as in a site */
    int form;
    int memory; /* angle only: the unwrapped angle in the state's memory */
} ts_coordinate;

/* What results call the unit of a plain number. */
void ts_coordinate_unit(ts_coordinate *c, const char *unit);

/* A force or moment on one node: signal components in global or body axes at a point of the
 * body. */
typedef struct ts_load {
    int part, node;
    bool moment, follower;
    v3 point; /* body coordinates; of a shell's node, in the model: (along the director, 0, 0) */
    int signal[3]; /* model->signals, -1 means zero */
    double factor; /* times the signals; 0 stands for 1 */
} ts_load;

/* Pressure on a face, along r,1 x r,2 of the surface through its nodes: it turns and grows with the
 * face. Along the edge of a shell, r,s x d: a force; on the directors, a moment about the edge. */
typedef struct ts_pressure {
    int part;
    int node, nodes; /* range in model->site_nodes */
    /* model->interpolation: per point of quadrature and node w N, N,1 and N,2 (of d: N) */
    int rule, points;
    /* slots of the nodes: what is pushed, and what both vectors are of; 0 places, 1
     * directors */
    int on, of[2];
    int signal; /* model->signals */
} ts_pressure;

/* What may touch (src/contact): a core with a radius, on a node; or a plane, whose points are a
 * place and its normal. A core is the convex hull of its points; or a cloud, whose points touch one
 * by one; or a patch, triangles over its points. */
typedef struct ts_shape {
    int part, node; /* flexible: the first of its nodes */
    bool plane, cloud;
    bool backed;       /* a cloud: the faces over its points are shapes too */
    int face, faces;   /* of a patch: range in model->shape_faces; 0: none */
    int point, points; /* range in model->shape_points, coordinates of the node; or as drawn */
    bool flexible;     /* its points follow the places of nodes: */
    int woven;         /* first of them in model->woven */
    int edges;         /* of a hull: the ends of each, shortened, follow its points */
    int rings;         /* circles: centres follow, their axis, a round core (contact/features.h) */
    double radius, ring;
    /* a plane with this above zero is none, but the inside of a ball about its place, or of a tube
     * whose axis is its normal */
    double hollow;
    bool tube;
    double margin; /* of its boxes, besides */
    double ahead;  /* contacts act on it from this far, by a barrier */
    double apart;  /* touches itself where it is further away than this along it; 0: nowhere */
    int coating;   /* 1 + the first of its numbers, see contact/pair.h; 0: it has none */
} ts_shape;

/* A point of a flexible shape: the sum of places of nodes, each times its weight. */
enum { TS_WOVEN_NODES = 4 };
typedef struct ts_woven {
    int nodes, node[TS_WOVEN_NODES];
    double weight[TS_WOVEN_NODES]; /* of sum 1 */
    double at;                     /* along a line: the arc as drawn */
} ts_woven;

/* Corners of a triangle, numbers of points of its shape. A segment has its last corner twice. */
typedef struct ts_face {
    int corner[3];
} ts_face;

/* What shapes do to each other that touch: those of its first side with those of its second. */
typedef struct ts_contact {
    int part;
    const struct ts_penetration *elastic;
    int data; /* its numbers, see contact/pair.h */
    /* among: all with each other, but for those of one body and of bodies that a joint joins */
    bool among;
    bool off; /* switched off by an event */
} ts_contact;

/* Shapes that do not touch in a contact, though they take part in it; the first is less. */
typedef struct ts_exception {
    int contact, shape[2];
} ts_exception;

/* A gap that is taken as larger than it is. */
typedef struct ts_shift {
    int contact, shape[2], corner;
    double by;
} ts_shift;

/* A straight line from a point of one node to a point of another, for pictures: a rope, a path. */
typedef struct ts_strand {
    int part, node[2];
    v3 point[2];
} ts_strand;

/* Something slides along a path: how far is the x of a node of its own, kept by rows
 * (laws/path_row.h). Along a chain of elements each of its sites is one of several windows, a few
 * neighbouring elements, chosen by the state (system/windows.c). */
typedef struct ts_slide {
    int part, node;
    int on;           /* the part with the path */
    bool closed;      /* the path has no ends; otherwise */
    double low, high; /* it ends there */
    int windows;      /* 0: there is nothing to choose */
    int memory;       /* how many windows further on than drawn: a number of the state's memory */
    int drawn;        /* the window that sites have as drawn */
    int first, sites; /* window w of the part's site k is model->windows[first + k windows + w] */
    int bounds, per;  /* window w is from number bounds + w to number bounds + w + per */
} ts_slide;

/* What a site is, as far as windows differ. */
typedef struct ts_window {
    int node, nodes, ambient, slots, form, forms, data;
} ts_window;

/* A shape takes part in a contact, on one of its sides. */
typedef struct ts_membership {
    int shape, contact, side;
} ts_membership;

typedef struct ts_part {
    const struct ts_kind *kind;
    char *name;
    int node;   /* the first node it made (bodies, beams), or -1 */
    int nodes;  /* how many can be attached to: "arm.start", "arm.3", "arm.end" */
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
    double ratio; /* by which one refinement shortens elements, as far as errors go; the least */
    int order;    /* the lowest order of accuracy of what is meshed; 0: nothing is */
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
    TS_ARRAY(double, shape_shares); /* of each point: area or length that it stands for, or 1 */
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
    /* first of the numbers of memory, one per row, that say what became of rows at events: 0: as at
     * the start, 1: in the equations, 2: redundant; -1: no event changes rows */
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

/* Are forces on it summed? It moves, or a support wants to know what holds it. */
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

/* side = position of the node in the list of nodes; four slots are counted for every node until a
 * form is made. A direction of a point is none: model->lost_slots counts such terms, and what was
 * built is of no use. */
ts_combo ts_combo_point(int side, v3 body_point);      /* x + sum X_k d_k */
ts_combo ts_combo_direction(int side, v3 body_vector); /* sum U_k d_k */
ts_combo ts_combo_minus(ts_combo a, ts_combo b);

/* Opens a site on the given nodes (part is the newest part); forms and rows added next belong to
 * it. */
int ts_model_site(ts_model *model, ts_role role, int nodes, const int *node);
/* Opens a site again, on other nodes, without forms, vectors, numbers and memory: what is added
 * next belongs to it. It is as the newest one until another is opened. */
void ts_model_site_again(ts_model *model, int site, int nodes, const int *node);
/* Weights of a combination over the slots of the open site's nodes: added to N. */
void ts_combo_weights(ts_model *model, ts_combo c, double *N);
/* The newest site's forms are of vectors z = N q from here on; N has a row of site->ambient weights
 * per vector. */
void ts_model_vectors(ts_model *model, int vectors, const double *N);
/* The newest site depends on one vector u only. Differences of places are taken before squares,
 * which far from the origin would leave nothing of them. */
void ts_model_vector(ts_model *model, ts_combo u);
/* The newest site has three vectors, of weights that begin there in model->interpolation, that stay
 * right-handed. */
void ts_model_handed(ts_model *model, int weights);
/* The newest site has a station; its index is filled in. */
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
/* the same form again, now of the newest site (with the same nodes) */
int ts_form_copy(ts_model *model, int form);
/* Adds factor times a form of another site or coordinate to the newest form; slot[a]: where its
 * slot a stands here. */
void ts_form_plus(ts_model *model, double factor, int form, const int16_t *slot);
/* rate form: sum over terms added to one form, w (a . b') with b' the rate of b */
int ts_form_rate(ts_model *model, int terms, const double *factor, const ts_combo *a,
                 const ts_combo *b);
int ts_model_row(ts_model *model, int signal, bool drive, const char *label);
void ts_model_pull(ts_model *model, ts_pull pull, int axis); /* of the newest row */
/* What is subtracted from a row, and its rate: zero without a signal. */
double ts_row_signal(const ts_model *model, int row, ts_when when, double *rate);

/* The newest site's response, with its memory; and the signals that a law reads, in order. */
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
/* Its next end of an edge, centre or axis, after all points. */
void ts_model_shape_more(ts_model *model, v3 point);
/* A contact of the newest part, and a shape that takes part in it. */
int ts_model_contact(ts_model *model, ts_contact contact);
void ts_model_touches(ts_model *model, int shape, int contact, int side);
void ts_model_shift(ts_model *model, ts_shift shift);
void ts_model_except(ts_model *model, int contact, int a, int b);
void ts_model_strand(ts_model *model, int a, v3 from, int b, v3 to); /* of the newest part */
/* Something of the newest part slides, once its sites are made; and the newest site as it is, among
 * the windows. */
int ts_model_slide(ts_model *model, ts_slide slide);
int ts_model_window(ts_model *model, int site);
int ts_model_weight(ts_model *model, double weight); /* into model->interpolation */
void ts_model_point_node(ts_model *model, int node);
/* The part of this name, or the definition, if no part has it; -1: there is none. */
int ts_model_part_named(const ts_model *model, const char *name, size_t length);
/* a new part; valid until the next one */
ts_part *ts_model_part(ts_model *model, const char *name);

#endif
