/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on a run, as text and numbers: see analysis/judge.h. */
#include <math.h>
#include <string.h>

#include "analysis/judge.h"
#include "api/api.h"

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
    const ts_options *o = &run->document->options;
    ts_audit_facts facts = ts_audit_facts_of(&s, &run->system->ledger, run->system->energy_start,
                                             o->scheme, o->statics);
    ts_audit_judgement j = ts_audit_judge_energy(&facts, run->audit, sizeof run->audit);
    snprintf(run->free_motions, sizeof run->free_motions, "%s", s.free_motions);
    double solves = fmax(e->linear.solves, 1);
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
                                    .coarse_mesh = ts_audit_coarse_mesh(&s.audit) >= 0,
                                    .made = s.made,
                                    .made_time = s.made_time,
                                    .unsolved = s.unsolved,
                                    .residual = s.residual,
                                    .linear_iterations = e->linear.iterations / solves,
                                    .lost_seconds = e->linear.lost,
                                    .losses = (int)e->linear.losses};
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
