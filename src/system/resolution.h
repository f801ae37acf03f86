/* SPDX-License-Identifier: Apache-2.0 */
/* The audit of resolution: do the mesh, the step and the laws resolve the motion of a run?
 *
 * An exact energy account says that the discrete equations were solved. It cannot say that they
 * describe the machine: a beam of too few elements folds with a closed account. So every accepted
 * step is measured, and the largest values are kept in the state, each with its time and place.
 * resolution.c measures; resolution_words.c has the table of thresholds and the verdict.
 */
#ifndef TS_RESOLUTION_H
#define TS_RESOLUTION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ts_model ts_model;
struct ts_system;

typedef enum ts_gauge {
    TS_BEAM_ANGLE,  /* rad: between the frames of neighbouring nodes of a beam */
    TS_SHELL_ANGLE, /* rad: between directors of neighbouring nodes in a cell of a shell */
    TS_SHELL_TILT,  /* rad: between a director and the normal of the cell at its node */
    TS_STRAIN,      /* of linear laws: axial strain that would store the same energy */
    TS_VOLUME,      /* of solids: max(J, 1/J) - 1, J = det F; infinite for J <= 0 */
    TS_STEP_TURN,   /* rad: rotation of a node in a step */
    TS_SCHEME_LOSS, /* energy dissipated by the scheme over the largest energy */
    /* of solids: (max(l_1, 1/l_3) - 1)/(range - 1), l principal stretches, see ts_site.range */
    TS_STRETCH,
    TS_GAUGES
} ts_gauge;

/* The largest value of a measure. `part` is -1 where there is none. `place` counts from 1: the
 * first of the nodes of a beam or cable, or a cell of a mesh; `to` is the last of these nodes; 0
 * means none. Numbers only, because the state is stored as numbers. */
typedef struct ts_peak {
    double value, t, part, place, to;
} ts_peak;

/* Values of one state, and their places: a node (TS_BEAM_ANGLE: the first of two; TS_STEP_TURN) or
 * a site; -1: nowhere. */
typedef struct ts_seen {
    double value[TS_GAUGES];
    int at[TS_GAUGES];
} ts_seen;

typedef struct ts_watch ts_watch;
ts_watch *ts_watch_new(const struct ts_system *system); /* parts of a model to be measured */
void ts_watch_free(ts_watch *watch);

void ts_seen_clear(ts_seen *seen);
/* Keeps the larger value; of equal values the first. */
static inline void ts_see(ts_seen *seen, ts_gauge gauge, double value, int at) {
    if (value > seen->value[gauge]) seen->value[gauge] = value, seen->at[gauge] = at;
}
/* Measures the angles of beams and shells at ambient coordinates q. */
void ts_see_angles(const struct ts_system *system, const double *q, ts_seen *seen);
/* 2/k of a site, k the stiffness against its axial strain: strain^2 = energy 2/k. Zero: not
 * measured. */
const double *ts_strain_scales(const ts_watch *watch);
/* Adds values to the peaks of the state, at time t. */
void ts_note_peaks(struct ts_system *system, const ts_seen *seen, double t);
/* Returns the peak of a value at a node or site. */
ts_peak ts_peak_at(const ts_model *model, ts_gauge gauge, double value, int at, double t);

/* Fails if a beam is drawn with neighbouring nodes that differ by more than a step may leave:
 * TORSOR_EINVAL and a message. */
int ts_check_drawn(const ts_model *model, int part);

/* ---- thresholds and words: resolution_words.c ---- */

typedef struct ts_gauge_about {
    const char *name; /* "beam_angle" */
    const char *what; /* in words */
    const char *unit; /* of the value: "rad" or "1" */
    double told, coarse;
    double rejected; /* a step that reaches it is rejected; NaN: none is */
    const char
        *refusal; /* description of the rejected element, with one %.4g for the value as shown;
                   * NULL: none */
    const char *advice;
} ts_gauge_about;
extern const ts_gauge_about TS_GAUGE[TS_GAUGES];

typedef enum ts_resolution { TS_RESOLVED, TS_COARSE, TS_UNRESOLVED } ts_resolution;
extern const char *const TS_RESOLUTION_NAME[]; /* "resolved", "coarse", "not resolved" */

enum { TS_RESOLUTION_WORDS = 480, TS_WHERE_WORDS = 240 };

/* Peaks with their places in words, and the verdict. */
typedef struct ts_audit {
    ts_peak peak[TS_GAUGES];
    /* "'arm', between nodes 3 and 4"; "" for all of the model */
    char where[TS_GAUGES][TS_WHERE_WORDS];
    int level;                      /* ts_resolution; -1: unknown */
    char text[TS_RESOLUTION_WORDS]; /* "resolution: coarse: ...; take more elements" */
} ts_audit;

/* The audit of a system, with the step that was rejected and not replaced, if there was one. */
void ts_audit_system(const struct ts_system *system, ts_audit *out);
void ts_audit_judge(ts_audit *audit); /* sets level and text from the other fields */

/* The measure by which the mesh is too coarse: angles between neighbouring nodes; -1: none. */
int ts_audit_coarse_mesh(const ts_audit *audit);

ts_resolution ts_peak_level(ts_gauge gauge, const ts_peak *peak);
bool ts_peak_told(ts_gauge gauge, const ts_peak *peak); /* is it above the threshold for listing? */
/* "72 deg", "23 %" */
const char *ts_peak_value(ts_gauge gauge, double value, char *text, size_t size);
/* Without a model (NULL) a cell has a number only. */
const char *ts_peak_where(const ts_model *model, const char *part, ts_gauge gauge,
                          const ts_peak *peak, char *text, size_t size);
/* "angle between neighbouring nodes of a beam 72 deg: 'arm', between nodes 3 and 4, t = 0.3 s" */
const char *ts_audit_words(const ts_audit *audit, ts_gauge gauge, char *text, size_t size);

#endif
