/* SPDX-License-Identifier: Apache-2.0 */
/* Thresholds of the audit of resolution, and the verdict in words. See resolution.h;
 * docs/theory.md, section 15, says why the thresholds are what they are.
 *
 * Every measure has up to three thresholds: from `told` on it is printed, from `coarse` on the run
 * is called coarse, and a step that reaches `rejected` is halved, as one that does not converge.
 * The verdict is that of the worst measure.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/mesh.h"
#include "system/system.h"

#define DEG (3.14159265358979323846 / 180)

const ts_gauge_about TS_GAUGE[TS_GAUGES] = {
    [TS_BEAM_ANGLE] = {"beam_angle", "angle between neighbouring nodes of a beam", "rad", 30 * DEG,
                       60 * DEG, 150 * DEG, "is bent or twisted by %.4g deg",
                       "use more `elements` or a higher `order`"},
    [TS_SHELL_ANGLE] = {"shell_angle", "angle between neighbouring directors of a shell", "rad",
                        30 * DEG, 60 * DEG, 95 * DEG, "is bent or twisted by %.4g deg",
                        "use a finer mesh or cells of 9 nodes"},
    [TS_SHELL_TILT] = {"shell_tilt", "angle between a director and the normal of its cell", "rad",
                       60 * DEG, 60 * DEG, 85 * DEG, "has a director %.4g deg from its normal",
                       "use a finer mesh or cells of 9 nodes"},
    [TS_STRAIN] = {"strain", "strain of a linear law", "1", 0.05, 0.2, NAN, NULL,
                   "a linear law is valid for small strains: check units and stiffness, or use "
                   "neo_hookean solids"},
    [TS_VOLUME] = {"volume", "change of the volume of a solid", "1", 0.1, 1, INFINITY,
                   "is pressed inside out",
                   "use a material that resists it (neo_hookean), a finer mesh, or less load"},
    [TS_STEP_TURN] = {"step_turn", "rotation in a step", "rad", 0.25, 0.35, NAN, NULL,
                      "take shorter steps"},
    [TS_SCHEME_LOSS] = {"scheme_loss", "energy dissipated by the scheme, of the largest energy",
                        "1", 0.01, 0.1, NAN, NULL, "check whether shorter steps dissipate less"},
    [TS_STRETCH] = {"stretch", "stretch of a solid, relative to the valid range of its element",
                    "1", 0.8, 1, NAN, NULL,
                    "use `enhanced: false` and no `volumetric` in hex8, or `volumetric: full` in "
                    "cells of order 2"},
};

const char *const TS_RESOLUTION_NAME[] = {"resolved", "coarse", "not resolved"};

ts_resolution ts_peak_level(ts_gauge measure, const ts_peak *peak) {
    const ts_gauge_about *m = &TS_GAUGE[measure];
    return peak->value >= m->rejected ? TS_UNRESOLVED
           : peak->value >= m->coarse ? TS_COARSE
                                      : TS_RESOLVED;
}

int ts_audit_coarse_mesh(const ts_audit *audit) {
    for (int m = TS_BEAM_ANGLE; m <= TS_SHELL_TILT; m++)
        if (ts_peak_level((ts_gauge)m, &audit->peak[m]) != TS_RESOLVED) return m;
    return -1;
}

bool ts_peak_told(ts_gauge measure, const ts_peak *peak) {
    return peak->value >= TS_GAUGE[measure].told;
}

const char *ts_peak_value(ts_gauge measure, double value, char *text, size_t size) {
    if (strcmp(TS_GAUGE[measure].unit, "rad") == 0)
        snprintf(text, size, "%.3g deg", value / DEG);
    else if (isinf(value))
        snprintf(text, size, "inside out");
    else
        snprintf(text, size, "%.3g %%", 100 * value);
    return text;
}

const char *ts_peak_where(const ts_model *model, const char *part, ts_gauge gauge,
                          const ts_peak *peak, char *text, size_t size) {
    char cell[160];
    int place = (int)peak->place, to = (int)peak->to;
    const ts_part *p = model && peak->part >= 0 ? &model->parts[(int)peak->part] : NULL;
    if (peak->part < 0)
        snprintf(text, size, "%s", "");
    else if (to > 0)
        snprintf(text, size, "'%s', between nodes %d and %d", part, place, to);
    else if (place > 0 && p && p->mesh > 0)
        snprintf(text, size, "'%s', %s", part,
                 ts_mesh_cell_words(ts_mesh_of(model, p->mesh), place - 1, cell, sizeof cell));
    else if (place > 0)
        snprintf(text, size, "'%s', %s %d", part, gauge == TS_STEP_TURN ? "node" : "cell", place);
    else
        snprintf(text, size, "'%s'", part);
    return text;
}

const char *ts_audit_words(const ts_audit *audit, ts_gauge measure, char *text, size_t size) {
    const ts_peak *peak = &audit->peak[measure];
    const char *where = audit->where[measure];
    char value[40];
    snprintf(text, size, "%s %s%s%s, t = %.6g s", TS_GAUGE[measure].what,
             ts_peak_value(measure, peak->value, value, sizeof value), *where ? ": " : "", where,
             peak->t);
    return text;
}

/* The measure that is farthest beyond what is coarse decides; -1: none is. */
static int worst_of(ts_audit *audit) {
    double farthest = 0;
    int worst = -1;
    audit->level = TS_RESOLVED;
    for (int m = 0; m < TS_GAUGES; m++) {
        int own = (int)ts_peak_level((ts_gauge)m, &audit->peak[m]);
        double beyond = audit->peak[m].value / TS_GAUGE[m].coarse;
        if (own == TS_RESOLVED || own < audit->level) continue;
        if (own == audit->level && beyond <= farthest) continue;
        audit->level = own, farthest = beyond, worst = m;
    }
    return worst;
}

void ts_audit_judge(ts_audit *audit) {
    char words[TS_RESOLUTION_WORDS - 100];
    int worst = worst_of(audit);
    if (worst < 0)
        snprintf(audit->text, sizeof audit->text, "resolution: resolved");
    else
        snprintf(audit->text, sizeof audit->text, "resolution: %s: %s; %s",
                 TS_RESOLUTION_NAME[audit->level],
                 ts_audit_words(audit, (ts_gauge)worst, words, sizeof words),
                 TS_GAUGE[worst].advice);
}

void ts_audit_system(const ts_system *system, ts_audit *out) {
    memcpy(out->peak, system->state.peak, sizeof out->peak);
    if (system->refused >= 0) out->peak[system->refused] = system->refusal;
    for (int m = 0; m < TS_GAUGES; m++) {
        int part = (int)out->peak[m].part;
        ts_peak_where(system->model, part < 0 ? "" : system->model->parts[part].name, (ts_gauge)m,
                      &out->peak[m], out->where[m], sizeof out->where[m]);
    }
    ts_audit_judge(out);
}
