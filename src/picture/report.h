/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a report, written into an HTML page. See report.c. */
#ifndef TS_REPORT_H
#define TS_REPORT_H

#include "modes/modal.h"
#include "reader/document.h"
#include "results/results.h"

typedef struct ts_report_run {
    ts_results *results;
    const char *name;  /* of the file, for people */
    const char *audit; /* what the energy audit says, in words */
    bool sound;        /* and whether it is good */
    bool statics;
    char *const *columns; /* that the model asks for in its table */
    int column_count;
    const ts_document *document; /* NULL if this torsor cannot read the model */
    /* the model before a run: with loads and supports, without histories and effort; NULL: a report
     * */
    const struct ts_drawn_scene *scene;
    const struct ts_drawn_modes *modes; /* with a scene: modes about it; NULL: none */
} ts_report_run;

/* What a picture of a model needs beyond its results file: scene.c. */
typedef struct ts_drawn_scene {
    const ts_document *document;
    const ts_system *system;
} ts_drawn_scene;

/* Modes at one speed of rotation or at several: report_modes.c. */
typedef struct ts_drawn_modes {
    const ts_system *system;
    bool buckling;
    int speeds, curves; /* one speed: no Campbell diagram */
    const ts_modes *const *at;
    const int *mode; /* by speed and curve: which of its modes; -1: none. NULL: no diagram */
} ts_drawn_modes;

/* Scripts with data, for the page that stands around them. `frames`: states to play, at most; 0
 * means as many as a browser likes. */
int ts_report_write(FILE *out, int runs, const ts_report_run *run, int64_t frames);

#endif
