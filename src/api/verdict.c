/* How good a run is: the energy audit in words.
 *
 * Energy now = energy at the start + work of loads and drives - what dampers and the scheme
 * dissipated. The ledger has every term by itself; what is left over is the balance error, which is
 * round-off in a sound run. If it is not, the run is not to be trusted. Statics has no energy
 * audit: there, the end may be an unstable equilibrium.
 */
#include <math.h>
#include <string.h>

#include "api/verdict.h"
#include "base/words.h"

static double relative(const ts_audit_facts *f) {
    const ts_summary *s = f->summary;
    return ts_relative_balance(s->worst_balance, s->energy_scale, s->energy_noise);
}

/* What the balance is measured against: the energy, unless round-off alone could be more than a
 * sound share of it. */
static double measure(const ts_summary *s) {
    return fmax(s->energy_scale, s->energy_noise / TS_SOUND_BALANCE);
}

/* The load factor is told where it is not one. */
static void write_statics(const ts_audit_facts *f, char *text, size_t size) {
    char stored[TS_WORD], load[60] = "";
    const ts_summary *s = f->summary;
    if (fabs(s->load_factor - 1) > 1e-9)
        snprintf(load, sizeof load, ", to load factor %.6g", s->load_factor);
    ts_words_quantity(stored, f->elastic, "J");
    if (s->linear)
        snprintf(text, size, "linear equilibrium about the drawing; energy stored %s", stored);
    else if (f->unstable > 0)
        snprintf(text, size, "equilibrium at every increment%s, but UNSTABLE at the end, in %d %s",
                 load, f->unstable, f->unstable == 1 ? "way" : "ways");
    else
        snprintf(text, size, "equilibrium at every increment%s; energy stored %s", load, stored);
}

static void write_sentence(const ts_audit_facts *f, const ts_audit_judgement *j, char *text,
                           size_t size) {
    char scale[TS_WORD];
    const ts_summary *s = f->summary;
    ts_words_quantity(scale, j->scale, "J");
    if (f->statics)
        write_statics(f, text, size);
    else if (j->at_rest)
        snprintf(text, size, "energy audit: closed, at rest: no energy beyond round-off, %.0e J",
                 s->energy_noise);
    else if (!j->sound)
        snprintf(text, size, "energy audit: OPEN by %.1e of %s; do not trust this run", j->relative,
                 scale);
    else if (j->created)
        snprintf(text, size, "energy audit: closed to %.0e of %s, but the scheme supplied %.1e J",
                 j->relative, scale, -f->algorithmic);
    else
        snprintf(text, size, "energy audit: closed to %.0e of %s; nothing created", j->relative,
                 scale);
}

/* NaN is not sound. */
ts_audit_judgement ts_audit_judge_energy(const ts_audit_facts *f, char *text, size_t size) {
    const ts_summary *s = f->summary;
    ts_audit_judgement j = {.relative = relative(f), .scale = measure(s)};
    j.sound = f->statics || j.relative <= TS_SOUND_BALANCE;
    j.created =
        !f->statics && f->algorithmic < -fmax(TS_SOUND_BALANCE * s->energy_scale, s->energy_noise);
    j.at_rest = j.sound && s->energy_scale <= s->energy_noise;
    j.good = j.sound && !j.created && f->unstable <= 0;
    write_sentence(f, &j, text, size);
    return j;
}

/* ---- of a run ---- */

ts_summary ts_run_sum_up(torsor_run *run) {
    ts_summary s = {0};
    if (run->runner) s = *ts_runner_summary(run->runner);
    s.seconds = run->seconds;
    return s;
}

static const char *status_of(const torsor_run *run) {
    if (*run->said) return run->said;
    return torsor_run_ended(run) ? "completed" : "running";
}

const torsor_verdict *torsor_run_verdict(torsor_run *run) {
    if (!run) return NULL;
    ts_summary s = ts_run_sum_up(run);
    const ts_effort *e = &s.effort;
    double lost = run->system->ledger.algorithmic;
    ts_audit_facts facts = {.summary = &s,
                            .algorithmic = lost,
                            .statics = run->document->options.statics,
                            .unstable = s.unstable,
                            .elastic = run->system->ledger.elastic};
    ts_audit_judgement j = ts_audit_judge_energy(&facts, run->audit, sizeof run->audit);
    snprintf(run->free_motions, sizeof run->free_motions, "%s", s.free_motions);
    run->verdict = (torsor_verdict){.status = status_of(run),
                                    .audit = run->audit,
                                    .sound = j.sound,
                                    .created = j.created,
                                    .at_rest = j.at_rest,
                                    .good = j.good,
                                    .unstable = s.unstable,
                                    .relative_balance = j.relative,
                                    .scale = j.scale,
                                    .loss = lost / s.energy_scale,
                                    .worst_part = run->worst_part,
                                    .worst_violation = run->worst_violation,
                                    .worst_time = run->worst_time,
                                    .residual_seconds = e->residual,
                                    .tangent_seconds = e->tangent,
                                    .factor_seconds = e->linear.analysis + e->linear.factor,
                                    .solve_seconds = e->linear.solve,
                                    .fill = e->linear.fill,
                                    .timed = e->linear.factors > 0,
                                    .free_motions = run->free_motions,
                                    .load_factor = s.load_factor,
                                    .linear = s.linear,
                                    .jumps = s.jumps,
                                    .coarse_mesh = ts_audit_coarse_mesh(&s.audit) >= 0};
    return &run->verdict;
}

double torsor_run_balance(const torsor_run *run) {
    if (!run) return NAN;
    const ts_ledger *l = &run->system->ledger;
    double scale = ts_energy_scale(l->kinetic, l->elastic, l->gravity);
    if (run->runner) scale = fmax(scale, ts_runner_summary(run->runner)->energy_scale);
    double noise = ts_energy_noise(run->system, run->document->options.h);
    return ts_relative_balance(l->balance, scale, noise);
}
