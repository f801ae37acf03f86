/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that are not finite: 1/(t - 0.5) at t = 0.5 s, the root of a negative number.
 *
 * Such a signal makes Newton's method fail, and the message would name the body on which it acts.
 * So this file finds the part that holds the signal, its field and the time. For signals that read
 * channels the law checks whether they are finite: their values depend on the motion.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "model/kind.h"
#include "system/system.h"

/* Is the signal subtracted from a row? Then its rate is used, too. */
static bool is_of_row(const ts_model *model, int signal) {
    for (int r = 0; r < model->rows_count; r++)
        if (model->rows[r].signal == signal) return true;
    return false;
}

/* "load" of the section "loads" */
static int noun(const ts_part *part) {
    size_t length = part->kind ? strlen(part->kind->section) : 0;
    return length > 0 ? (int)length - 1 : 0;
}

static int refuse(const ts_model *model, const ts_signal *s, bool rate, const char *is, double t) {
    const ts_part *part = &model->parts[s->part];
    int length = noun(part);
    ts_fail(TORSOR_EDIVERGED,
            "%.*s%s'%s': %s%s is %s at t = %.9g s: change its expression or table there", length,
            length ? part->kind->section : "", length ? " " : "", part->name,
            rate ? "the rate of its " : "its ", s->field ? s->field : "signal", is, t);
    return ts_blame(TORSOR_EDIVERGED, part->name, t);
}

static const char *what(double value) { return isnan(value) ? "not a number" : "infinite"; }

int ts_fail_unbounded(const ts_system *system, double t) {
    const ts_model *model = system->model;
    for (int i = 0; i < model->signals_count; i++) {
        const ts_signal *s = &model->signals[i];
        double value, rate;
        if (s->part < 0 || s->part >= model->parts_count || s->channels > 0) continue;
        ts_signal_eval(s, ts_when_of(&system->state, t), &value, &rate);
        if (!isfinite(value)) return refuse(model, s, false, what(value), t);
        if (!isfinite(rate) && is_of_row(model, i)) return refuse(model, s, true, what(rate), t);
    }
    return 0;
}

int ts_fail_not_finite(const ts_model *model, int part, double t) {
    for (int i = 0; i < model->signals_count; i++)
        if (model->signals[i].part == part && model->signals[i].channels > 0)
            return refuse(model, &model->signals[i], false, "not a finite number", t);
    ts_fail(TORSOR_EDIVERGED, "'%s' is not a finite number at t = %.9g s", model->parts[part].name,
            t);
    return ts_blame(TORSOR_EDIVERGED, model->parts[part].name, t);
}
