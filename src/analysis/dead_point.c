/* SPDX-License-Identifier: Apache-2.0 */
/* Why a step of a mechanism did not converge, from its kinematics alone.
 *
 * Newton's method needs rows C dq = -c of full rank. Where links are in one line, the rank drops: a
 * dead point, at which the motion may branch or end. Causes are checked in this order:
 *
 *     singular here     rows depend on one another at the last good pose;
 *     out of reach      no pose near it satisfies all rows at the end of the step, c(q, t + h) = 0,
 *                       but one does without a motion: this motion cannot be followed;
 *     none of these     forces are the cause: an impact, a snap, a load that jumps.
 *
 * A pose of least non-zero violation, C^T c = 0, is singular: so a pose out of reach implies a dead
 * point, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/assembler.h"
#include "analysis/run.h"
#include "base/error.h"
#include "model/kind.h"

enum { MOST_ROWS = 20000, MOST_MOTIONS = 20, WORDS = 700 };
static const double SINGULAR = 1e-6; /* of a row: round-off of a pose that joints hold to 1e-12,
                                      * since the angle at a dead point is the root of a length */
static const double OPEN = 1e-9;     /* of the arms: a gap that is no round-off */

/* Assembles rows at the pose of the state, those that are in the equations. */
static ts_assembler *assembler_here(const ts_system *system) {
    ts_assembler *as = ts_assembler_new(system);
    for (int r = 0; r < as->m; r++)
        if (as->model->rows[r].redundant) as->use[r] = false;
    return as;
}

/* ---- motions that cannot be followed ---- */

static int part_of(const ts_model *model, int row) {
    return model->sites[model->rows[row].site].part;
}

/* Can the rows be satisfied at time t, near the pose of the state, without the motion `without`
 * (-1: with all)? */
static bool can_close(const ts_system *system, double t, int without) {
    ts_assembler *as = assembler_here(system);
    double gap = 0;
    as->t = t;
    for (int r = 0; r < as->m; r++)
        if (as->model->rows[r].drive && part_of(as->model, r) == without) as->use[r] = false;
    ts_assembler_rows(as);
    ts_assembler_restore(as, NULL);
    for (int r = 0; r < as->m; r++)
        if (as->use[r]) gap = fmax(gap, fabs(as->c[r]) / as->scale[r]);
    ts_assembler_free(as);
    return gap <= OPEN;
}

/* The row of a motion without which the others can be satisfied at time t; -1: there is none. */
static int out_of_reach(const ts_system *system, double t) {
    const ts_model *model = system->model;
    int last = -1, tried = 0;
    if (can_close(system, t, -1)) return -1;
    for (int r = 0; r < model->rows_count && tried < MOST_MOTIONS; r++) {
        if (!model->rows[r].drive || model->rows[r].off || part_of(model, r) == last) continue;
        last = part_of(model, r), tried++;
        if (can_close(system, t, last)) return r;
    }
    return -1;
}

/* ---- the cause ---- */

/* The row to blame, -1 for none, and the cause in words. */
static int find_cause(const ts_assembler *as, double h, char *text) {
    char rows[WORDS - 200];
    int row = ts_find_singular(as, SINGULAR, rows, sizeof rows);
    if (row >= 0) {
        snprintf(text, WORDS,
                 "a dead point: %s in this position. Start a little beside it, or drive another "
                 "joint",
                 rows);
        return row;
    }
    row = out_of_reach(as->system, as->t + h);
    if (row >= 0)
        snprintf(text, WORDS,
                 "motion '%.60s' (%s) cannot be followed beyond t = %.9g s: it goes past a dead "
                 "point of the mechanism. Keep it within reach, or change the lengths",
                 ts_row_part(as->model, row), as->model->rows[row].label, as->t);
    return row;
}

/* Advice if no cause was found. */
static const char *advice_for(const ts_model *model, const char *part) {
    int p = ts_model_part_named(model, part, strlen(part));
    const ts_kind *kind = p > 0 ? model->parts[p].kind : NULL;
    return kind && strcmp(kind->section, "states") == 0
               ? "shorten the step; look for a rate or value that jumps, and for values that "
                 "depend on each other in a loop with gain 1"
               : "no dead point and no motion out of reach was found there: shorten the step; look "
                 "for an impact, a snap or a load that jumps";
}

int ts_explain_step(const ts_system *system, double h) {
    const ts_model *model = system->model;
    char why[600], part[200], cause[WORDS];
    double t = torsor_error_details()->time;
    int row = -1;
    snprintf(why, sizeof why, "%s", ts_error_message());
    snprintf(part, sizeof part, "%s", torsor_error_details()->part);
    if (model->rows_count > 0 && model->rows_count <= MOST_ROWS) {
        ts_assembler *as = assembler_here(system);
        row = find_cause(as, h, cause);
        ts_assembler_free(as);
    }
    if (row >= 0)
        ts_fail(TORSOR_EDIVERGED, "%s (likely cause: %s)", why, cause);
    else
        ts_fail(TORSOR_EDIVERGED, "%s (%s)", why, advice_for(model, part));
    return ts_blame(TORSOR_EDIVERGED, row >= 0 ? ts_row_part(model, row) : part, t);
}
