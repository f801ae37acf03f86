/* SPDX-License-Identifier: Apache-2.0 */
/* Strains and internal forces at an instant.
 *
 * The strain of a state does not balance the loads at its time. A stiff mode is in equilibrium with
 * its load, and ED satisfies that equilibrium in the mean of a step, B_m^T s = F, where s is the
 * stress of the strain
 *
 *     (e_i + e_f)/2 + b/2 ,     b = (h/6) [alpha B_m a - (edot_f - edot_i)] .
 *
 * With rho_inf = 0 the strain at the end of the step then equals the one at its middle. Axial
 * forces of a member that turns under its weight would be late by half a step: 6 % of the weight at
 * 50 steps per turn. The addition of the scheme, d = b/2, is a value at the middle of its step. So
 * the strain at an instant t is
 *
 *     e(t) + d(t) ,     d: the straight line through those of the steps before and after; in the
 *                       last row, of the step before.
 *
 * In stiff modes that is the strain in equilibrium with the loads of t, to second order; in soft
 * ones d is of the order h^2. Before the first step, and with EP, which has no b, it is the strain
 * of the state.
 *
 * Laws whose strains are functions of the forms (beams) add d to strains, not to forms: law.h. All
 * that is needed of a step is in the state at its end: v_i = v_f - h vdot, and q_i = q_f - h
 * (v_i + v_f + a)/2 with the jump a.
 */
#include "system/section.h"

#include <math.h>
#include <string.h>

enum { ROOM = 3 * TS_MAX_SLOTS };

/* A site over the step that led to a state. */
typedef struct made {
    double q_i[ROOM], q_f[ROOM], q_m[ROOM], v_i[ROOM], v_f[ROOM], a[ROOM];
    double e_i[TS_MAX_FORMS], e_f[TS_MAX_FORMS];
    double edot_i[TS_MAX_FORMS], edot_f[TS_MAX_FORMS], of_a[TS_MAX_FORMS];
    ts_stage_step stage;
} made;

static void gather_step(const ts_model *model, const ts_site *site, const ts_state *end, made *x) {
    double h = x->stage.h;
    int count = ts_site_local(model, site, end->q, x->q_f);
    ts_site_local(model, site, end->v, x->v_f);
    ts_site_local(model, site, end->vdot, x->v_i);
    ts_site_local(model, site, end->jump, x->a);
    for (int i = 0; i < count; i++) {
        x->v_i[i] = x->v_f[i] - h * x->v_i[i];
        x->q_i[i] = x->q_f[i] - 0.5 * h * (x->v_i[i] + x->v_f[i] + x->a[i]);
        x->q_m[i] = 0.5 * (x->q_i[i] + x->q_f[i]);
    }
}

static void follow_step(const ts_model *model, const ts_site *site, const ts_state *end, made *x) {
    x->stage = (ts_stage_step){.h = ts_trail_step(end), .alpha = ts_trail_alpha(end)};
    x->stage.edot_i = x->edot_i, x->stage.edot_f = x->edot_f, x->stage.of_a = x->of_a;
    gather_step(model, site, end, x);
    ts_local_values(model, site, x->q_i, x->e_i), ts_local_values(model, site, x->q_f, x->e_f);
    ts_local_rates(model, site, x->q_i, x->v_i, x->edot_i);
    ts_local_rates(model, site, x->q_f, x->v_f, x->edot_f);
    ts_local_rates(model, site, x->q_m, x->a, x->of_a);
}

/* Where a section is evaluated: at the instant or, in linear statics, at displacements around the
 * drawing. */
typedef struct look {
    const ts_system *system;
    const ts_instant *at;
    const double *q;
    int station; /* -1: at a site without a station */
} look;

/* Strains of the points of a law that has them, forms of others: at the end of a step, and d of
 * it. */
enum { MEASURES = 6 * TS_LAW_POINTS > TS_MAX_FORMS ? 6 * TS_LAW_POINTS : TS_MAX_FORMS };
typedef struct measure {
    double end[MEASURES], d[MEASURES];
} measure;

/* Index of the first measure of a point. */
static int first_of(const ts_site *site, int point) {
    return site->law->strain_over ? 6 * point : 0;
}

static void measure_step(const ts_model *model, const ts_site *site, const ts_state *end,
                         measure *out) {
    made x;
    follow_step(model, site, end, &x);
    if (site->law->strain_over) {
        ts_law_step step = {.m = site->forms, .data = model->numbers + site->data};
        step.e_i = x.e_i, step.e_f = x.e_f;
        site->law->strain_over(&step, &x.stage, out->end, out->d);
        return;
    }
    for (int k = 0; k < site->forms; k++) {
        double jump = x.stage.alpha * x.of_a[k] - (x.edot_f[k] - x.edot_i[k]);
        out->end[k] = x.e_f[k], out->d[k] = x.stage.h / 12 * jump;
    }
}

/* Stores the values of all stations of a site, which stand one behind the other. */
static void keep(const ts_model *model, const ts_site *site, int station, int count,
                 const measure *all, const ts_measures *kept) {
    const ts_station *s = model->stations;
    size_t bytes = (size_t)count * sizeof *all->end;
    int first = station;
    while (first > 0 && s[first - 1].site == s[station].site) first--;
    for (int i = first; i < model->stations_count && s[i].site == s[station].site; i++) {
        double *to = kept->numbers + 2 * (size_t)kept->width * (size_t)i;
        int from = first_of(site, s[i].point);
        memcpy(to, all->end + from, bytes), memcpy(to + kept->width, all->d + from, bytes);
        kept->known[i] = true;
    }
}

/* Measures of a point, computed once for each state. */
static void measure_once(const look *l, const ts_site *site, int point, int count,
                         const ts_state *end, const ts_measures *kept, measure *out) {
    size_t bytes = (size_t)count * sizeof *out->end;
    const ts_model *model = l->system->model;
    measure all;
    if (l->station >= 0 && kept->known[l->station]) {
        const double *mine = kept->numbers + 2 * (size_t)kept->width * (size_t)l->station;
        memcpy(out->end, mine, bytes), memcpy(out->d, mine + kept->width, bytes);
        return;
    }
    measure_step(model, site, end, &all);
    memcpy(out->end, all.end + first_of(site, point), bytes);
    memcpy(out->d, all.d + first_of(site, point), bytes);
    if (l->station >= 0) keep(model, site, l->station, count, &all, kept);
}

/* Strains of a point, or forms, at the instant; false: the state itself must be used. */
static bool strains_at(const look *l, const ts_site *site, int point, int count, double *strain) {
    const ts_instant *at = l->at;
    measure here, next;
    if (!at->staged) return false;
    measure_once(l, site, point, count, at->state, &at->of_state, &here);
    for (int k = 0; k < count; k++) strain[k] = here.end[k] + here.d[k];
    if (!at->next) return true;
    measure_once(l, site, point, count, at->next, &at->of_next, &next);
    double before = ts_trail_middle(at->state), after = ts_trail_middle(at->next);
    double share = (at->state->t - before) / (after - before);
    for (int k = 0; k < count; k++) strain[k] += share * (next.d[k] - here.d[k]);
    return true;
}

static bool strains_there(const look *l, const ts_site *site, int point, int count,
                          double *strain) {
    return !l->system->linear && strains_at(l, site, point, count, strain);
}

/* Forms, and the stress of the law for them; of a law of the volume alone (dilatation_law.c) the
 * mean normal stress, as its section has it. */
static void stress_of(const look *l, const ts_site *site, double *e, double *s) {
    const ts_model *model = l->system->model;
    const ts_state *state = l->at->state;
    double strain[6];
    if (!strains_there(l, site, 0, site->forms, e)) ts_site_values(model, site, l->q, e);
    if (site->law->section) {
        site->law->section(model->numbers + site->data, e, 0, strain, s);
        return;
    }
    ts_law_step rest = ts_site_rest(model, site, ts_past_of(state), e, state->t);
    ts_site_law_stress(site, &rest, s);
}

/* A law with strains of its own: strains of a point, and the section's forces times the weight. */
static void section_of_law(const look *l, const ts_site *site, int point, double *strain,
                           double *force) {
    const ts_model *model = l->system->model;
    const double *data = model->numbers + site->data;
    double e[TS_MAX_FORMS], K[36];
    if (!strains_there(l, site, point, 6, strain)) {
        ts_site_values(model, site, l->q, e);
        site->law->section(data, e, point, strain, force);
    } else if (site->law->section_stiffness(data, point, K)) {
        for (int j = 0; j < 6; j++) force[j] = ts_dot(6, K + 6 * j, strain);
    }
}

static int section_of(const look *l, const ts_station *station, double *strain, double *force) {
    const ts_site *of = &l->system->model->sites[station->site];
    int count = of->law->section || of->forms < 6 ? 6 : of->forms;
    for (int k = 0; k < count; k++) strain[k] = force[k] = 0;
    if (of->law->section)
        section_of_law(l, of, station->point, strain, force);
    else
        stress_of(l, of, strain, force);
    for (int k = 0; k < count; k++) force[k] /= station->weight;
    if (of->forms > 1) return count;
    /* a cable: from Green's strain to its elongation and tension */
    double stretch = sqrt(fmax(1 + 2 * strain[0], 0));
    strain[0] = stretch - 1, force[0] *= stretch;
    return count;
}

/* Linear statics: adds the values as drawn and the part that grows with the displacements, from
 * values on both sides of the drawing. */
static void grow(const ts_system *system, int count, double *out, const double *plus,
                 const double *minus) {
    for (int k = 0; k < count; k++) out[k] += (plus[k] - minus[k]) / (2 * system->linear_step);
}

void ts_station_section(const ts_system *system, const ts_instant *at, int i, double *strain,
                        double *force) {
    const ts_station *station = &system->model->stations[i];
    look l = {system, at, system->linear ? system->linear : at->state->q, i};
    int count = section_of(&l, station, strain, force);
    if (!system->linear) return;
    double plus[2][TS_MAX_FORMS], minus[2][TS_MAX_FORMS];
    l.q += 3 * system->model->slots, section_of(&l, station, plus[0], plus[1]);
    l.q += 3 * system->model->slots, section_of(&l, station, minus[0], minus[1]);
    grow(system, count, strain, plus[0], minus[0]);
    grow(system, count, force, plus[1], minus[1]);
}

static void stress_now(const look *given, const ts_site *site, double *s) {
    const ts_system *system = given->system;
    double e[TS_MAX_FORMS], plus[TS_MAX_FORMS] = {0}, minus[TS_MAX_FORMS] = {0};
    look l = *given;
    stress_of(&l, site, e, s);
    if (!system->linear) return;
    l.q += 3 * system->model->slots, stress_of(&l, site, e, plus);
    l.q += 3 * system->model->slots, stress_of(&l, site, e, minus);
    grow(system, site->forms, s, plus, minus);
}

/* sigma += share * F S F^T / det F, F being the first vectors of the site and S the stress of its
 * law per volume. */
static void add_stress(const look *l, const ts_site *site, double share, double *sigma) {
    static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
    double z[ROOM], s[TS_MAX_FORMS] = {0};
    ts_site_gather(l->system->model, site, l->q, z);
    stress_now(l, site, s);
    if (site->law->section) {
        for (int k = 0; k < 3; k++) sigma[k] += share / site->volume * s[0];
        return;
    }
    m3 F = m3_load(z),
       S = m3_cols(v3_make(s[0], s[3], s[5]), v3_make(s[3], s[1], s[4]), v3_make(s[5], s[4], s[2]));
    m3 T = m3_scale(share / (site->volume * m3_det(F)), m3_mul(F, m3_mul(S, m3_transpose(F))));
    for (int k = 0; k < 6; k++) sigma[k] += v3_get(T.c[column[k]], row[k]);
}

/* The volumetric share may stand at sites of its own behind the others: the element's mean of
 * it. */
void ts_station_stress(const ts_system *system, const ts_instant *at, int i, double stress[6]) {
    const ts_model *model = system->model;
    const ts_site *site = &model->sites[model->stations[i].site],
                  *end = model->sites + model->sites_count;
    look l = {system, at, system->linear ? system->linear : at->state->q, -1};
    double volume = 0;
    for (int k = 0; k < 6; k++) stress[k] = 0;
    add_stress(&l, site, 1, stress);
    for (const ts_site *v = site + 1; v < end && v->node == site->node; v++)
        if (v->station == TS_STATION_NONE) volume += v->volume;
    for (const ts_site *v = site + 1; v < end && v->node == site->node; v++)
        if (v->station == TS_STATION_NONE) add_stress(&l, v, v->volume / volume, stress);
}
