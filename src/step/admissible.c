/* SPDX-License-Identifier: Apache-2.0 */
/* States in which the equations hold, but which no matter can be in, or no mesh describes.
 *
 * Inside out: strains of Green are those of C = F^T F, and C does not know a mirrored F. Saint
 * Venant's law even has a finite energy at det F = 0, and lets an element be pressed through
 * itself. So a site may name three vectors that have to stay right-handed (ts_site.handed): the
 * columns of F in a solid.
 *
 * Out of range: an element that is unstable in a large stretch of a solid that is stable names its
 * range (ts_site.range). Such a state is told, and not refused.
 *
 * Folded: frames of neighbouring nodes of a beam that are nearly opposite, a director that lies in
 * the surface of its shell. The elements have equilibria there that the structure does not have.
 * Thresholds: TS_GAUGE[].rejected.
 *
 * A step that ends in such a state is no step: a shorter one may show a way around. Statics and
 * steps along an arc are judged in the same way. What is measured for this is what the audit of
 * resolution keeps of an accepted step.
 */
#include <stdio.h>

#include "base/error.h"
#include "step/stepper.h"

static m3 handed_vectors(const double *N, int slots, const double *q) {
    double z[9] = {0};
    for (int k = 0; k < 9; k += 3)
        for (int s = 0; s < slots; s++, N++)
            for (int i = 0; i < 3; i++) z[k + i] += *N * q[3 * s + i];
    return m3_load(z);
}

/* max(l_1, 1/l_3), l_1 and l_3 the largest and the smallest principal stretch of F. Eigenvalues of
 * F^T F by the closed form of its invariants: mean + 2 r cos(angle). */
static double largest_stretch(m3 F) {
    m3 C = m3_tmul(F, F);
    double mean = (C.c[0].x + C.c[1].y + C.c[2].z) / 3, square = 0;
    C.c[0].x -= mean, C.c[1].y -= mean, C.c[2].z -= mean;
    for (int k = 0; k < 3; k++) square += v3_dot(C.c[k], C.c[k]);
    double r = sqrt(square / 6), third = 2.0943951023931953;
    if (!(r > 1e-12 * mean)) return fmax(sqrt(mean), 1 / sqrt(mean));
    double angle = acos(fmax(-1, fmin(1, 0.5 * m3_det(C) / (r * r * r)))) / 3;
    double most = mean + 2 * r * cos(angle), least = mean + 2 * r * cos(angle + third);
    return fmax(sqrt(most), 1 / sqrt(fmax(least, 0)));
}

/* max(J, 1/J) - 1 */
static double volume_change(double J) { return J > 0 ? fmax(J, 1 / J) - 1 : INFINITY; }

static void look_at(void *context, int element, double *scratch) {
    ts_stepper *st = context;
    (void)scratch;
    const ts_model *model = st->model;
    int first = st->team.schedule->site[element], end = st->team.schedule->site[element + 1];
    double q[3 * TS_MAX_SLOTS];
    ts_volume *seen = &st->report.volume[element];
    *seen = (ts_volume){0, -1, 0, -1};
    if (model->sites[first].handed < 0) return;
    ts_gather(model, model->sites[first].node, model->sites[first].nodes, st->step.q_f, q);
    for (int i = first; i < end; i++) {
        const ts_site *site = &model->sites[i];
        if (site->handed < 0) continue;
        m3 F = handed_vectors(model->interpolation + site->handed, site->ambient, q);
        double change = volume_change(m3_det(F));
        if (change > seen->change) seen->change = change, seen->site = i;
        double stretch = site->range > 0 ? (largest_stretch(F) - 1) / (site->range - 1) : 0;
        if (stretch > seen->stretch) seen->stretch = stretch, seen->stretched = i;
    }
}

/* Elements are looked at on all threads, and gone through in their order. */
static void see_volumes(ts_stepper *st) {
    if (!st->model->handed) return;
    ts_each_element(&st->team, look_at, st);
    for (int e = 0; e < st->team.schedule->elements; e++) {
        const ts_volume *own = &st->report.volume[e];
        ts_see(&st->report.seen, TS_VOLUME, own->change, own->site);
        ts_see(&st->report.seen, TS_STRETCH, own->stretch, own->stretched);
    }
}

static void see(ts_stepper *st) {
    ts_seen_clear(&st->report.seen);
    see_volumes(st);
    ts_see_angles(st->system, st->step.q_f, &st->report.seen);
    st->report.looked = true;
}

bool ts_inadmissible(ts_stepper *st) {
    see(st);
    st->report.refused = -1;
    for (int m = 0; m < TS_GAUGES && st->report.refused < 0; m++)
        if (st->report.seen.value[m] >= TS_GAUGE[m].rejected) st->report.refused = m;
    if (st->report.refused >= 0)
        st->report.refused_at = st->report.seen.at[st->report.refused],
        st->report.refused_by = st->report.seen.value[st->report.refused];
    return st->report.refused >= 0;
}

/* Half angles of the turns of a step in time. Schemes for study are judged by others. */
static void see_turns(ts_stepper *st) {
    double least = 1;
    int at = -1;
    if (!st->scheme->in_time) return;
    for (int n = 0; n < st->model->nodes_count; n++)
        if (fabs(st->step.turn[n].s) < least) least = fabs(st->step.turn[n].s), at = n;
    ts_see(&st->report.seen, TS_STEP_TURN, 2 * acos(least), at);
}

void ts_see_step(ts_stepper *st) {
    if (!st->report.looked) see(st);
    see_turns(st);
}

int ts_fail_inadmissible(ts_stepper *st, double t) {
    const ts_model *model = st->model;
    ts_system *system = st->system;
    const ts_gauge_about *about = &TS_GAUGE[st->report.refused];
    ts_gauge measure = (ts_gauge)st->report.refused;
    char where[280], deed[80];
    system->refused = st->report.refused;
    system->refusal = ts_peak_at(model, measure, st->report.refused_by, st->report.refused_at, t);
    const char *part = model->parts[(int)system->refusal.part].name;
    ts_peak_where(model, part, measure, &system->refusal, where, sizeof where);
    snprintf(deed, sizeof deed, about->refusal, st->report.refused_by * 57.29577951308232);
    return ts_blame(ts_fail(TORSOR_EDIVERGED, "%s, %s at t = %.9g s, however short the step: %s",
                            where, deed, t, about->advice),
                    part, t);
}
