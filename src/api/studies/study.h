/* SPDX-License-Identifier: Apache-2.0 */
/* Studies: many runs of one model, with results in several forms. See torsor_study in
 * torsor/torsor.h.
 *
 *   study.c       the handle
 *   trials.c      runs in threads side by side (trials.h)
 *   converge.c, compare.c, spectrum.c   one study each
 *   converge_mesh.c              the errors of a ladder of meshes
 *   resolve.c, resolve_table.c   error bars (resolve.h)
 *   plan.c, measure.c, journal.c   many cases of one model: study files, numbers, tables
 *   plot.c, spectrum_plot.c      pictures (plot.h)
 */
#ifndef TS_STUDY_H
#define TS_STUDY_H

#include <pthread.h>

#include "api/api.h"
#include "base/json.h"
#include "base/words.h"

/* "text", "json", "csv", "svg": 0, or a status with a message. */
typedef struct ts_study_form {
    const char *name;
    int (*write)(void *study, FILE *out);
} ts_study_form;

typedef struct ts_study_kind {
    const ts_study_form *forms; /* ends with name == NULL */
    void (*take_apart)(void *study);
} ts_study_kind;

/* A handle for `own`, which is freed by its kind, now if status is not 0. Returns status. */
int ts_study_give(torsor_study **out, const ts_study_kind *kind, void *own, int status);

/* torsor_converge with the option mesh. */
int ts_converge_mesh(torsor_study **out, const torsor_model *model, const torsor_options *options);

/* A thread that leaves signals to the others: those of the caller. */
int ts_thread_begin(pthread_t *thread, void *(*work)(void *), void *context);

/* A measure, "max hinge.angle": is it one? Its column, which may be NULL. */
int ts_measure_read(const char *text, const char **column);

/* A number of a table of comma-separated values, empty if there is none. */
void ts_csv_number(FILE *out, double value);

#endif
