/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of parts: the fields of each kind in the model file, and the function that makes nodes,
 * sites and rows from their values.
 *
 * A kind is one file in src/parts and one line in the registry. The reader, the JSON schema and the
 * reference pages are generated from the field tables; the conformance tests loop over the
 * registry.
 */
#ifndef TS_KIND_H
#define TS_KIND_H

#include "base/units.h"
#include "model/model.h"

typedef enum ts_type {
    TS_NUMBER,  /* number[0] */
    TS_INTEGER, /* number[0], whole */
    TS_BOOLEAN, /* number[0] is 0 or 1 */
    /* number[0..2]; three components of one dimension, global axes unless the help says
     * otherwise */
    TS_VECTOR,
    TS_PLACE, /* number[0..2] length: a named point or three numbers, global */
    /* number[0..2] unit vector: x, y, z, -x ..., or three numbers (normalised; zero is an error) */
    TS_AXIS,
    /* number[0..8] = columns of a rotation: see reader (axis+angle | x,y | matrix | quaternion) */
    TS_ROTATION,
    /* number[0..5] = Jxx Jyy Jzz Jxy Jyz Jxz (tensor components, not products of inertia) */
    TS_INERTIA,
    /* number[0..35], row-major: six numbers (diagonal) or six rows; mixed dimensions, SI or model
     * units */
    TS_MATRIX6,
    TS_SIGNAL,  /* signal[0] */
    TS_SIGNAL3, /* signal[0..2] */
    /* as TS_SIGNAL; expressions may use channels of the model, and then signal->channels > 0 */
    TS_STATE_SIGNAL,
    TS_STATE_SIGNAL3,
    /* and of loads: `here` is the point that the value acts on */
    TS_LOAD_SIGNAL,
    TS_LOAD_SIGNAL3,
    TS_STATE_ANY,  /* a TS_STATE_SIGNAL of any dimension, in SI */
    TS_STATE_LIST, /* one of these, or a list: signal[0 .. count-1] */
    /* number[0]; or, if signal[0] is no constant, a TS_STATE_SIGNAL, and number[0] is zero */
    TS_STATE_NUMBER, /* the last that may depend on the state */
    TS_CHOICE,       /* number[0] = index into field->choices */
    TS_TEXT,         /* text */
    TS_BODY,         /* node[0], text = the name; "ground" is node 0 */
    TS_BODY_PAIR,    /* node[0], node[1] */
    TS_BODIES,       /* any count of bodies, also several times: list, count: their nodes */
    TS_JOINT,        /* part[0]: a part that has coordinates */
    TS_NUMBERS,      /* any count of numbers of one dimension: list, count */
    TS_PLACES,       /* any count of places, one behind the other: list, count of numbers */
    TS_EXPRESSION,   /* expr, of the variables choices[0], ..., times number[0] to be in SI */
    TS_MESH_FILE,    /* mesh, as in the file; number[0] = the model's unit of length */
    TS_SURFACE_FILE, /* as TS_MESH_FILE, of triangles */
    TS_HEIGHTS_FILE, /* as TS_MESH_FILE, of a grid of heights */
    /* "part.set", "part.7", a part, {part, x, y, z}, or several of them: list, count: their nodes,
     * each once; piece, pieces */
    TS_NODES,
    TS_CHOICES,     /* several of them: number[i] is 1 where choices[i] was named */
    TS_PART,        /* part[0]: a part of the section named by choices[0] */
    TS_PARTS,       /* names of such parts: list, count, the indices as numbers */
    TS_PART_GROUPS, /* as TS_PARTS, in groups: names, patterns, lists of both; -1 after each
                     * group */
    /* numbers of one dimension in equal rows: list, count; number[0] rows, 0 if written as one
     * list */
    TS_ROWS,
    /* "hinge.angle > 90 deg": signal[0] and [1], number[0] = 1 (>), -1 (<), 0 (=) */
    TS_CONDITION,
    /* parts of the sections choices[0], ..., perhaps with a coordinate: list, pairs of part and
     * coordinate (-1: none) */
    TS_TARGETS,
    /* {state: value, input: value}: list, three numbers each: ts_act, what, signal of the model */
    TS_SETTINGS
} ts_type;

typedef struct ts_field {
    const char *name;
    ts_type type;
    ts_dim dim; /* of TS_NUMBER, TS_VECTOR, TS_SIGNAL, TS_SIGNAL3, TS_NUMBERS, TS_ROWS */
    bool required;
    const char *help;           /* one sentence for the reference and the schema */
    const char *const *choices; /* TS_CHOICE, TS_CHOICES, TS_EXPRESSION: NULL-terminated; of
                                   TS_NUMBER: words in its place, which come as text */
    /* default as the user would write it, for the reference; the value itself is set by build */
    const char *fallback;
} ts_field;

/* `choices` of positions, vectors, axes and rotations: values in local axes, of a body or a mesh,
 * do not turn with a sub-assembly. They have TS_LOCAL here, or the name of the field that makes
 * them local where it is given and not 0. */
extern const char *const TS_LOCAL[];

/* One of the sets that a value of type TS_NODES names. */
typedef struct ts_piece {
    int part, set; /* set of its mesh; -1 for points */
} ts_piece;

enum { TS_VALUE_SIGNALS = 8 };

typedef struct ts_value {
    bool given;
    double number[36];
    double *list;
    int count;
    ts_piece *piece; /* owned by the value */
    int pieces;
    ts_signal signal[TS_VALUE_SIGNALS]; /* owned until build takes them with ts_take_signal */
    int node[2];
    int part[1];
    ts_expr *expr;        /* owned by the value */
    struct ts_mesh *mesh; /* owned by the value until build takes it and leaves NULL */
    const char *text;     /* borrowed; gone when build has returned */
    int line, column;     /* where it stands in the file */
} ts_value;

typedef struct ts_builder {
    ts_model *model;
    const char *name; /* of the part being built */
    const m3 *turn;   /* rotation of its sub-assembly, which turns directions; NULL: none */
    /* set by ts_build_fail: index of the field to blame, -1 for the whole entry */
    int failed_field;
    char message[320], hint[200];
} ts_builder;

/* How results and pictures show a part of the kind. Flexible parts become cells, one for each list
 * of nodes that their sites share; the look and the number of nodes give the type of a cell
 * (output/cells.c). */
typedef enum ts_look {
    TS_LOOK_NONE,
    TS_LOOK_LINES, /* beams, cables: lines along their nodes, with the outline of their section */
    TS_LOOK_SURFACES, /* shells: triangles, quads */
    TS_LOOK_SOLIDS,   /* tetrahedra, wedges, hexahedra */
    /* a shape on its node: the fields shape, size, shape_at, shape_axis, or its inertia */
    TS_LOOK_BODY,
    TS_LOOK_LINK, /* a joint or spring: where it holds its two nodes */
    /* an outline, from the fields diameter, width, height, thickness ..., or its stiffness */
    TS_LOOK_SECTION,
    TS_LOOK_I_SECTION, /* an outline with two flanges and a web */
    TS_LOOKS
} ts_look;

typedef struct ts_kind {
    const char *name;    /* value of `type:` */
    const char *section; /* of the model file: one of TS_SECTIONS */
    ts_look look;
    const char *help;       /* a sentence or two for the reference */
    const ts_field *fields; /* terminated by name == NULL */
    /* values in the order of fields; 0 or TORSOR_EINVAL */
    int (*build)(ts_builder *b, ts_value *value);
    /* a YAML flow mapping of a valid entry between bodies A and B (and joint J), for conformance
     * tests */
    const char *sample;
    bool default_in_section; /* used when `type:` is missing */
    bool has_length;         /* the distance between its ends is a channel */
} ts_kind;

/* Sections of parts, in the order of building: a part refers to parts above it in its own section,
 * and to parts of sections before. */
enum { TS_SECTION_COUNT = 19 };
/* The first sections define materials, sections and meshes of parts. Each of them has its own
 * names; all later sections share one set of names. */
enum { TS_DEFINING_SECTIONS = 4 };
bool ts_section_defines(const char *section);
extern const char *const TS_SECTIONS[TS_SECTION_COUNT + 1]; /* ends with NULL */

/* The registry (src/parts/registry.c). */
extern const ts_kind *const TS_KINDS[]; /* NULL-terminated */
const ts_kind *ts_kind_find(const char *section, const char *name);

/* For build functions. */
/* A direction of the global axes in those of the drawing of the part, and back. */
static inline v3 ts_turned_back(const ts_builder *b, v3 x) {
    return b->turn ? m3_tapply(*b->turn, x) : x;
}
static inline v3 ts_turned(const ts_builder *b, v3 x) {
    return b->turn ? m3_apply(*b->turn, x) : x;
}
int ts_build_fail(ts_builder *b, int field, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* index in model->signals; -1 if a constant zero */
int ts_take_signal(ts_builder *b, ts_value *value, int component);
/* the newest part; sites added next belong to it */
ts_part *ts_new_part(ts_builder *b, const ts_kind *kind);

#endif
