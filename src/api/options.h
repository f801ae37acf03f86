/* SPDX-License-Identifier: Apache-2.0 */
/* Options of runs, modes and studies, read from texts by name. See torsor_options in
 * torsor/torsor.h.
 *
 *   options.c      the table of all options, how their values are read
 *   override.c     options over the analysis of a model
 *   scheme_spec.c  a scheme by name, with parameters
 */
#ifndef TS_API_OPTIONS_H
#define TS_API_OPTIONS_H

#include "base/memory.h"
#include "reader/document.h"
#include "torsor/torsor.h"

/* What was not given is NAN, -1, NULL or false. */
typedef struct ts_choices {
    double step; /* INFINITY: auto */
    double end, rho, tolerance, time;
    int64_t every, threads, from, frame, modes, speeds, levels, points, jobs;
    char *scheme, *solver, *schemes, *steps, *reference, *rhos, *range, *channels;
    char *about_name; /* a point of the model, in place of numbers */
    double spin[3], about[3];
    bool spun, placed; /* spin, about were given */
    bool as_drawn, buckling, rms, mesh, linear;
} ts_choices;

struct torsor_options {
    ts_handle head;
    int use;
    ts_choices choices;
    torsor_watch watch;
};

/* The choices of these options; of NULL, choices in which nothing is given. */
const ts_choices *ts_choices_of(const torsor_options *options);
/* Tells the watch, if there is one. 0, or TORSOR_EINTERRUPTED. */
int ts_options_tell(const torsor_options *options, const char *words, double share);

/* TORSOR_EOPTION with the message "NAME VALUE: ..." (without a value: "NAME: ..."). */
int ts_option_fail(const char *name, const char *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A constant expression text[0..length) of the wanted dimension; a bare number is in SI. */
int ts_option_quantity(const char *name, const char *text, size_t length, ts_dim wanted,
                       double *out);

/* ---- override.c ---- */

/* The choices over the options of a model, whose name is for messages. */
int ts_choices_apply(const ts_choices *choices, ts_options *options, const char *name);

/* ---- scheme_spec.c ---- */

/* "ED", or "S4-B:alpha=1/36": a scheme and its parameters, for ts_step_options. */
typedef struct ts_scheme_spec {
    const ts_scheme *scheme;
    ts_scheme_values parameters;
} ts_scheme_spec;
int ts_scheme_read(ts_scheme_spec *out, const char *option, const char *text, size_t length);

#endif
