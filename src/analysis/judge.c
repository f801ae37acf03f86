/* SPDX-License-Identifier: Apache-2.0 */
/* How good a run is: the energy audit in words.
 *
 * Energy now = energy at the start + work of loads and drives - what dampers and the scheme
 * dissipated. The ledger has every term by itself; the remainder is the balance error, which is
 * round-off in a sound run. If it is larger, the run cannot be trusted.
 *
 * Schemes without an energy balance of their own (Newmark, HHT, generalised alpha, Runge-Kutta)
 * record the difference as algorithmic, so that their balance is always zero. They are judged by
 * this difference: by the largest energy that they had created at any time since the start.
 * Energies grow with the square of amplitudes, so 2 % too much energy is 1 % too much amplitude,
 * the error up to which `resolve` calls a channel resolved. A run that created more is not sound.
 * Dissipated energy does not prove that a run is wrong: it is reported, and the audit of resolution
 * judges it. The error that Newton's method leaves cannot be separated from what such a scheme
 * creates or dissipates; its sum over the steps, as a share of their motion, must stay below 1 %,
 * too.
 *
 * Statics has no energy audit. The criterion is the largest unbalanced force over the largest force
 * that acts; work and stored energy are compared, up to the quadrature along the path. The end may
 * be an unstable equilibrium.
 */
#include "analysis/judge.h"
#include "step/newton/exactness.h"

#include <math.h>
#include <stdio.h>

#include "base/words.h"
#include "study/schemes.h"

static const double MOST_MADE = 0.02;     /* of the largest energy */
static const double MOST_UNSOLVED = 0.01; /* of the motion of all steps */
static const double MOST_RESIDUAL = 1e-3; /* of the largest force that acts, in statics */
/* If round-off is a larger share of the energy, it explains an open balance. */
static const double LARGE_NOISE = 1e-4;
static const double LARGEST_MACHINE = 1e6; /* m: larger coordinates are a mistake */

/* The scale of the balance: the energy, unless round-off alone could exceed a sound share of it. */
static double measure(const ts_summary *s) {
    return fmax(s->energy_scale, s->energy_noise / TS_SOUND_BALANCE);
}

static bool has_balance(const ts_audit_facts *f) {
    return ts_scheme_has_balance(ts_scheme_find(f->scheme));
}

/* If the balance is closed, energies are known, whatever the estimate of round-off. */
static bool is_closed(const ts_summary *s) {
    return s->worst_balance <= TS_SOUND_BALANCE * s->energy_scale;
}

static double off_by(const ts_summary *s) { return ts_larger(s->worst_balance, s->made); }

/* Round-off of large coordinates is a considerable part of the energy, and the balance error is
 * larger; or coordinates are so large that all energy may be round-off. */
static bool is_lost(const ts_audit_facts *f) {
    const ts_summary *s = f->summary;
    if (f->statics || !(off_by(s) > TS_SOUND_BALANCE * s->energy_scale)) return false;
    if (s->energy_scale <= s->energy_noise) return s->size * s->far > LARGEST_MACHINE;
    return s->energy_noise > LARGE_NOISE * s->energy_scale && off_by(s) > s->energy_noise;
}

/* ---- sentences ---- */

/* The load factor is printed if it is not one. */
static void write_statics(const ts_audit_facts *f, char *text, size_t size) {
    char stored[TS_WORD], load[60] = "", open[TS_WORD];
    const ts_summary *s = f->summary;
    if (fabs(s->load_factor - 1) > 1e-9 && isfinite(s->load_factor))
        snprintf(load, sizeof load, ", to load factor %.6g", s->load_factor);
    ts_words_quantity(stored, f->elastic, "J");
    ts_words_quantity(open, f->worked, "J");
    if (s->linear)
        snprintf(text, size, "linear equilibrium about the drawing; energy stored %s", stored);
    else if (!(s->residual <= MOST_RESIDUAL))
        snprintf(text, size,
                 "equilibrium is OPEN%s: up to %.1e of the largest force is not balanced; do not "
                 "trust this run: use a smaller `tolerance`",
                 load, s->residual);
    else if (f->unstable > 0)
        snprintf(text, size, "equilibrium at every increment%s, but UNSTABLE at the end, in %d %s",
                 load, f->unstable, f->unstable == 1 ? "way" : "ways");
    else
        snprintf(
            text, size,
            "equilibrium at every increment%s, forces balanced to %.0e; energy stored %s, work "
            "not stored %s (trapezoidal rule)",
            load, s->residual, stored, open);
}

static void write_lost(const ts_audit_facts *f, char *text, size_t size) {
    char off[TS_WORD], scale[TS_WORD], noise[TS_WORD];
    const ts_summary *s = f->summary;
    ts_words_quantity(off, off_by(s), "J");
    ts_words_quantity(scale, s->energy_scale, "J");
    ts_words_quantity(noise, s->energy_noise, "J");
    snprintf(
        text, size,
        "energy audit: OPEN by %s of %s; do not trust this run: round-off of coordinates of up "
        "to %.0e m is %s; draw the model near the origin, and check its units",
        off, scale, s->far * s->size, noise);
}

/* Writes two digits; 100 is not written as a power of ten. */
static void write_percent(char text[TS_WORD], double share) {
    snprintf(text, TS_WORD, share < 0.995 ? "%.2g %%" : "%.0f %%", 100 * share);
}

static void write_remainder(const ts_audit_facts *f, const ts_audit_judgement *j, char *text,
                            size_t size) {
    char amount[TS_WORD], scale[TS_WORD], percent[TS_WORD];
    const ts_summary *s = f->summary;
    double much = j->created ? s->made : fabs(f->net);
    const char *end = j->sound ? "" : "; do not trust this run";
    ts_words_quantity(amount, much, "J");
    write_percent(percent, much / s->energy_scale);
    ts_words_quantity(scale, s->energy_scale, "J");
    if (!(s->unsolved <= MOST_UNSOLVED))
        snprintf(text, size,
                 "energy: OPEN: Newton's method left up to %.1e of the motion unsolved; do not "
                 "trust this run: use a smaller `tolerance`",
                 s->unsolved);
    else if (j->created)
        snprintf(
            text, size,
            "energy: %s created %s (%s of %s) by t = %.4g s; this scheme has no energy balance%s",
            f->scheme, amount, percent, scale, s->made_time, end);
    else
        snprintf(text, size, "energy: %s lost %s (%s of %s); this scheme has no energy balance%s",
                 f->scheme, amount, percent, scale, end);
}

/* For a scheme with an exact balance, which is closed or open. */
static void write_balance(const ts_audit_facts *f, const ts_audit_judgement *j, char *text,
                          size_t size) {
    char scale[TS_WORD], made[100] = "; nothing created", solved[60] = "";
    const ts_summary *s = f->summary;
    double share = s->worst_balance / s->energy_scale;
    ts_words_quantity(scale, s->energy_scale, "J");
    if (s->tolerance >= 0)
        snprintf(solved, sizeof solved, ", with steps solved to %.3g%s",
                 s->tolerance > 0 ? s->tolerance : TS_LOOSEST,
                 s->tolerance > 0 ? "" : " or better");
    if (j->created)
        snprintf(made, sizeof made, ", but the scheme supplied %.1e J by t = %.4g s", s->made,
                 s->made_time);
    if (!(j->relative <= TS_SOUND_BALANCE))
        snprintf(text, size, "energy audit: OPEN by %.1e of %s; do not trust this run", share,
                 scale);
    else if (is_closed(s))
        snprintf(text, size, "energy audit: closed to %.0e of %s%s%s", share, scale, solved, made);
    else
        snprintf(text, size, "energy audit: closed to round-off, %.0e J of %s%s%s",
                 s->worst_balance, scale, solved, made);
}

static void write_sentence(const ts_audit_facts *f, const ts_audit_judgement *j, char *text,
                           size_t size) {
    if (f->statics)
        write_statics(f, text, size);
    else if (is_lost(f))
        write_lost(f, text, size);
    else if (j->at_rest)
        snprintf(text, size, "energy audit: closed, at rest: no energy beyond round-off, %.0e J",
                 f->summary->energy_noise);
    else if (has_balance(f))
        write_balance(f, j, text, size);
    else
        write_remainder(f, j, text, size);
}

/* ---- judgement ---- */

/* NaN is not sound. */
static bool is_sound(const ts_audit_facts *f, const ts_audit_judgement *j) {
    const ts_summary *s = f->summary;
    if (f->statics) return s->linear || s->residual <= MOST_RESIDUAL;
    if (is_lost(f)) return false;
    if (has_balance(f)) return j->relative <= TS_SOUND_BALANCE && !j->created;
    return s->made <= fmax(MOST_MADE * s->energy_scale, s->energy_noise) &&
           s->unsolved <= MOST_UNSOLVED;
}

ts_audit_judgement ts_audit_judge_energy(const ts_audit_facts *f, char *text, size_t size) {
    const ts_summary *s = f->summary;
    bool own = f->statics || has_balance(f);
    double off = own ? s->worst_balance : s->made;
    ts_audit_judgement j = {.scale = measure(s)};
    j.relative = ts_relative_balance(off, s->energy_scale, s->energy_noise);
    j.created =
        !f->statics && !(s->made <= fmax(TS_SOUND_BALANCE * s->energy_scale, s->energy_noise));
    j.sound = is_sound(f, &j);
    j.at_rest = j.sound && s->energy_scale <= s->energy_noise &&
                !(s->energy_scale > 0 && own && is_closed(s) && s->worst_balance > 0);
    j.good = j.sound && !j.created && f->unstable <= 0;
    write_sentence(f, &j, text, size);
    return j;
}

ts_audit_facts ts_audit_facts_of(const ts_summary *summary, const ts_ledger *end, double start,
                                 const char *scheme, bool statics) {
    double work = end->work_loads + end->work_drives - end->algorithmic;
    return (ts_audit_facts){.summary = summary,
                            .scheme = scheme,
                            .net = end->balance - end->algorithmic,
                            .statics = statics,
                            .unstable = summary->unstable,
                            .elastic = end->elastic,
                            .worked = work - (end->elastic - start)};
}
