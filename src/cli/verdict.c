/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a run: the energy audit, the audit of resolution, and the effort, as text and as JSON.
 *
 * What the audits say is the library's (torsor_run_verdict); here it is printed. If the energy
 * balance is not closed the run is not to be trusted, and we say so loudly. That a run is coarse is
 * said as loudly: no energy audit can show it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ranks.h"
#include "cli/cli.h"

static const double LARGE_SHARE = 0.1;
static const char *const LEVEL[] = {"resolved", "coarse", "not resolved"};

/* Rotations in a step have a warning of their own, simulate.c; losses a line below the energy
 * audit. */
static bool told_elsewhere(const torsor_measure *m) {
    return strcmp(m->name, "step_turn") == 0 || strcmp(m->name, "scheme_loss") == 0;
}

/* ---- warnings ---- */

static void warn_of_energy(const cli_verdict *v, const torsor_verdict *judged) {
    if (judged->good) return;
    const char *red = cli_colour(stderr) ? "\033[1;31m" : "", *off = *red ? "\033[0m" : "";
    torsor_summary summary;
    fflush(stdout);
    fprintf(stderr, "%storsor: WARNING: %s%s\n", red, judged->audit, off);
    if (judged->unstable > 0 && judged->coarse_mesh)
        fprintf(stderr, "  the mesh is too coarse for this load, see below: refine it before you "
                        "judge stability\n");
    else if (judged->unstable > 0)
        fprintf(stderr, "  the state is not stable: the structure has buckled or snapped before. "
                        "Follow the path with `method: arc_length`\n  from a slightly imperfect "
                        "shape or load; `torsor modes` shows the direction\n");
    torsor_run_summary(v->run, &summary);
    if (judged->sound || summary.worst_balance == 0) return;
    fprintf(stderr, "  the balance is off by %.3e J; a smaller step may help\n",
            summary.worst_balance);
}

/* A step that was rejected finally is an error, and printed as one. */
static void warn_of_resolution(const torsor_run *run, bool failed) {
    const char *yellow = cli_colour(stderr) ? "\033[1;33m" : "", *off = *yellow ? "\033[0m" : "";
    torsor_measure m;
    char *words;
    fflush(stdout);
    for (int i = 0; i < torsor_run_measures(run); i++) {
        torsor_run_measure(run, i, &m);
        if (m.level == 0 || told_elsewhere(&m) || (m.level == 2 && failed)) continue;
        if (torsor_run_measure_text(run, i, &words)) continue;
        fprintf(stderr, "%storsor: warning: %s: %s; %s%s\n", yellow, LEVEL[m.level], words,
                m.advice, off);
        torsor_text_free(words);
    }
}

void cli_verdict_warn(const cli_verdict *v) {
    const torsor_verdict *judged = torsor_run_verdict(v->run);
    warn_of_energy(v, judged);
    warn_of_resolution(v->run, strncmp(judged->status, "failed", 6) == 0);
}

/* ---- text ---- */

void cli_print_resolution(const torsor_run *run, const char *indent) {
    torsor_measure m;
    char *words;
    for (int i = 0; i < torsor_run_measures(run); i++) {
        torsor_run_measure(run, i, &m);
        if (!(m.value >= m.told) || torsor_run_measure_text(run, i, &words)) continue;
        printf("%s%s\n", indent, words);
        torsor_text_free(words);
    }
}

static void print_row(const char *name, double start, double end) {
    printf("  %-24s %16.8g %16.8g %16.8g\n", name, start, end, end - start);
}

static double total(const torsor_ledger *l) { return l->kinetic + l->elastic + l->gravity; }

/* Energy lost by dampers, friction and impacts; lines with zero are left out, except dampers. */
static void print_losses(const cli_verdict *v) {
    double friction = torsor_run_friction_loss(v->run), impacts = torsor_run_impact_loss(v->run);
    print_row("dissipated by dampers", v->dampers_start, torsor_run_damper_loss(v->run));
    if (friction != 0) print_row("lost by friction", v->friction_start, friction);
    if (impacts != 0) print_row("lost by impacts", v->impacts_start, impacts);
}

static void print_audit(const cli_verdict *v, const torsor_verdict *judged) {
    torsor_ledger end;
    torsor_summary summary;
    const torsor_ledger *a = &v->start, *b = &end;
    char before[TS_WORD], after[TS_WORD];
    torsor_run_ledger(v->run, &end);
    torsor_run_summary(v->run, &summary);
    snprintf(before, sizeof before, "t = %.6g s", v->t_start);
    snprintf(after, sizeof after, "t = %.6g s", torsor_run_time(v->run));
    printf("\n  %-24s %16s %16s %16s\n", "energy, J", before, after, "change");
    print_row("kinetic", a->kinetic, b->kinetic);
    print_row("elastic", a->elastic, b->elastic);
    print_row("gravity", a->gravity, b->gravity);
    print_row("total", total(a), total(b));
    print_row("work of loads", a->work_loads, b->work_loads);
    print_row("work of drives", a->work_drives, b->work_drives);
    print_losses(v);
    print_row("dissipated by the scheme", a->algorithmic, b->algorithmic);
    if (torsor_run_events(v->run) > 0)
        print_row("taken by events", v->events_start, torsor_run_event_loss(v->run));
    if (judged->created)
        printf("  %-24s %16s %16.2e  at t = %.4g s\n", "created by the scheme, most", "",
               judged->made, judged->made_time);
    printf("  %-24s %16s %16.2e\n", "balance error", "", b->balance);
    printf("  %-24s %16s %16.2e", "  at worst", "", summary.worst_balance);
    if (judged->scale > summary.energy_scale && judged->sound)
        printf("  round-off\n\n");
    else
        printf("  %.1e of the largest energy\n\n",
               summary.energy_scale > 0 ? summary.worst_balance / summary.energy_scale : 0);
}

/* Works along the path by the trapezoidal rule, and the remainder: the error of second order in the
 * increments, and the energy released by a snap. */
static void print_works(const cli_verdict *v) {
    torsor_ledger end;
    const torsor_ledger *a = &v->start, *b = &end;
    torsor_run_ledger(v->run, &end);
    double stored = b->elastic - a->elastic, loads = b->work_loads - a->work_loads,
           drives = b->work_drives - a->work_drives, held = a->algorithmic - b->algorithmic;
    printf("\n  energy, J\n");
    printf("  %-40s %16.8g\n", "elastic at the start", a->elastic);
    printf("  %-40s %16.8g\n", "work of loads and weight along the path", loads);
    if (drives != 0) printf("  %-40s %16.8g\n", "work of drives", drives);
    if (held != 0) printf("  %-40s %16.8g\n", "work of forces that held preloads", held);
    printf("  %-40s %16.8g\n", "elastic at the end", b->elastic);
    printf("  %-40s %16.2e", "work not stored", loads + drives + held - stored);
    printf("  trapezoidal rule: the difference falls with more increments, unless the structure "
           "snapped\n\n");
}

static void print_free_motions(const torsor_verdict *judged) {
    if (judged->linear)
        printf("displacements and forces are proportional to the load; stability and large "
               "rotations are not considered\n");
    if (judged->jumps > 0)
        printf("%d of the increments ended by pseudo-time, not along the path: if the structure "
               "snaps,\n  follow its path with `method: arc_length`\n",
               judged->jumps);
    if (*judged->free_motions) printf("free motions, left as drawn: %s\n", judged->free_motions);
}

/* Does the step leave much of the motion unresolved? */
static void print_loss(const torsor_verdict *judged) {
    if (judged->loss > LARGE_SHARE && !judged->at_rest)
        printf("  the scheme dissipated %.0f %% of the largest energy: check whether a shorter "
               "step dissipates less\n",
               100 * judged->loss);
}

/* "t = 0.25 s"; of statics, whose time is the load factor, "load 0.25". */
static const char *moment_of(char text[TS_WORD], bool statics, int digits, double t) {
    snprintf(text, TS_WORD, statics ? "load %.*g" : "t = %.*g s", digits, t);
    return text;
}

static void print_effort(const cli_verdict *v, const torsor_summary *s,
                         const torsor_verdict *judged) {
    bool statics = torsor_run_setup(v->run)->statics;
    const char *one = statics ? "increment" : "step", *many = statics ? "increments" : "steps";
    double per_step = s->steps ? (double)s->iterations / (double)s->steps : 0;
    char steps[TS_WORD], halved[TS_WORD], worst[TS_WORD];
    printf("  %s, %.2f iterations/%s, %s, %lld factorisations, %.3g s (%.0f %s/s)\n",
           ts_words_count(steps, s->steps, one, many), per_step, one,
           ts_words_count(halved, s->cuts, "halving", "halvings"), (long long)s->factorisations,
           s->seconds, s->seconds > 0 ? (double)s->steps / s->seconds : 0, many);
    printf("  worst constraint violation %.1e", s->worst_violation);
    if (*judged->worst_part)
        printf(" (%s, %s)", judged->worst_part, moment_of(worst, statics, 4, judged->worst_time));
    putchar('\n');
}

/* Which of the processes of torsor-mpi took part in the linear solutions? */
static int ranks_at_work(const torsor_summary *s) {
    return strcmp(s->solver, "mumps") == 0 ? ts_ranks_here()->count : 1;
}

/* ", 4 ranks"; ", 1 of 4 ranks" if the linear solver is not for several; nothing for one. */
static void print_ranks(const torsor_summary *s) {
    int all = ts_ranks_here()->count, busy = ranks_at_work(s);
    if (all > 1 && busy == all) printf(", %d ranks", all);
    if (busy < all) printf(", %d of %d ranks", busy, all);
}

/* "linear solver: mumps (auto), 60000 unknowns, 2 threads; 12% residual, ..." */
static void print_solver(const torsor_run *run, const torsor_summary *s,
                         const torsor_verdict *judged) {
    char threads[TS_WORD], unknowns[TS_WORD], losses[TS_WORD];
    if (s->unknowns == 0) return;
    bool chosen = strcmp(torsor_run_setup(run)->solver, "auto") == 0;
    printf("  linear solver %s%s, %s, %s", s->solver, chosen ? " (auto)" : "",
           ts_words_count(unknowns, s->unknowns, "unknown", "unknowns"),
           ts_words_count(threads, s->threads, "thread", "threads"));
    print_ranks(s);
    if (judged->timed && s->seconds > 0)
        printf("; residual %.0f%%, tangent %.0f%%, factorisation %.0f%%, solution %.0f%%",
               100 * judged->residual_seconds / s->seconds,
               100 * judged->tangent_seconds / s->seconds,
               100 * judged->factor_seconds / s->seconds, 100 * judged->solve_seconds / s->seconds);
    if (judged->linear_iterations > 0)
        printf("; %.1f iterations/solution", judged->linear_iterations);
    if (judged->losses > 0)
        printf("\n  krylov gave up %s, %.2g s lost: mumps took over",
               ts_words_count(losses, judged->losses, "time", "times"), judged->lost_seconds);
    putchar('\n');
}

enum { OFTEN = 20 }; /* an event this often, and in every fourth step, hardly is meant */

/* What happened, and what ended the run before its time. */
static void print_events(const torsor_run *run, int64_t steps) {
    torsor_event e;
    char text[TS_WORD];
    for (int i = 0; i < torsor_run_events(run); i++) {
        if (torsor_run_event(run, i, &e) || e.count == 0) continue;
        printf("event %s%s%s: ", e.name, *e.mark ? ", " : "", e.mark);
        if (e.count > 1) printf("%s, last ", ts_words_count(text, e.count, "time", "times"));
        printf("at t = %.10g s%s\n", e.t, e.stopped ? "; it ended the run" : "");
        if (e.count >= OFTEN && 4 * (int64_t)e.count > steps)
            printf("  about once in %.2g steps: does its condition stay near zero? Give it a "
                   "margin, or write `times: 1`\n",
                   (double)steps / (double)e.count);
    }
}

static void print_judgement(const cli_verdict *v, const torsor_verdict *judged, int64_t steps) {
    bool statics = torsor_run_setup(v->run)->statics;
    char *text;
    if (!statics) print_audit(v, judged);
    if (statics) print_works(v);
    printf("%s\n", judged->audit);
    if (!statics) print_loss(judged);
    print_free_motions(judged);
    if (!torsor_run_resolution(v->run, NULL, &text)) printf("%s\n", text), torsor_text_free(text);
    cli_print_resolution(v->run, "  ");
    print_events(v->run, steps);
}

void cli_verdict_print(const cli_verdict *v) {
    const torsor_verdict *judged = torsor_run_verdict(v->run);
    bool completed = strcmp(judged->status, "completed") == 0;
    torsor_summary s;
    torsor_run_summary(v->run, &s);
    if (s.steps > 0) print_judgement(v, judged, s.steps);
    print_effort(v, &s, judged);
    print_solver(v->run, &s, judged);
    if (v->results) printf("  results: %s\n", cli_shown(v->results));
    if (v->csv) printf("  table:   %s", cli_shown(v->csv));
    bool statics = torsor_run_setup(v->run)->statics;
    char at[TS_WORD];
    if (v->csv && !completed)
        printf(", up to the last stored state, %s", moment_of(at, statics, 6, v->t_stored));
    if (v->csv) putchar('\n');
    if (!completed)
        printf("%s at %s, %s %lld of %lld\n",
               strcmp(judged->status, "interrupted") == 0 ? "interrupted" : "FAILED",
               moment_of(at, statics, 6, torsor_run_time(v->run)), statics ? "increment" : "step",
               (long long)torsor_run_steps_done(v->run),
               (long long)torsor_run_steps_planned(v->run));
}

/* ---- JSON ---- */

static void json_events(ts_json *j, const torsor_run *run) {
    torsor_event e;
    if (torsor_run_events(run) == 0) return;
    ts_json_number(j, "event_loss", torsor_run_event_loss(run));
    ts_json_open(j, "events", '[');
    for (int i = 0; i < torsor_run_events(run); i++) {
        if (torsor_run_event(run, i, &e)) continue;
        ts_json_open(j, NULL, '{');
        ts_json_text(j, "name", e.name), ts_json_text(j, "mark", e.mark);
        ts_json_count(j, "count", (long)e.count), ts_json_number(j, "t", e.t);
        ts_json_flag(j, "stopped", e.stopped);
        ts_json_close(j, '}');
    }
    ts_json_close(j, ']');
}

static void json_ledger(ts_json *j, const char *key, const torsor_ledger *l, double friction,
                        double impacts) {
    const struct {
        const char *name;
        double value;
    } list[] = {{"kinetic", l->kinetic},         {"elastic", l->elastic},
                {"gravity", l->gravity},         {"work_loads", l->work_loads},
                {"work_drives", l->work_drives}, {"dissipated", l->dissipated},
                {"friction", friction},          {"impacts", impacts},
                {"algorithmic", l->algorithmic}, {"balance", l->balance}};
    ts_json_open(j, key, '{');
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        ts_json_number(j, list[i].name, list[i].value);
    ts_json_close(j, '}');
}

static void json_path(ts_json *j, const char *key, const char *path) {
    if (path)
        ts_json_text(j, key, path);
    else
        ts_json_raw(j, key, "null");
}

static void json_solver(ts_json *j, const torsor_summary *s, const torsor_verdict *judged) {
    ts_json_open(j, "linear", '{');
    ts_json_text(j, "solver", s->solver);
    ts_json_count(j, "unknowns", s->unknowns);
    ts_json_count(j, "threads", s->threads);
    ts_json_count(j, "ranks", ranks_at_work(s));
    ts_json_number(j, "residual_seconds", judged->residual_seconds);
    ts_json_number(j, "tangent_seconds", judged->tangent_seconds);
    ts_json_number(j, "factor_seconds", judged->factor_seconds);
    ts_json_number(j, "solve_seconds", judged->solve_seconds);
    ts_json_number(j, "fill", judged->fill);
    ts_json_number(j, "iterations", judged->linear_iterations);
    ts_json_count(j, "losses", judged->losses);
    ts_json_number(j, "lost_seconds", judged->lost_seconds);
    ts_json_close(j, '}');
}

static void json_measure(ts_json *j, const torsor_measure *m) {
    ts_json_open(j, NULL, '{');
    ts_json_text(j, "name", m->name);
    ts_json_text(j, "what", m->what);
    ts_json_text(j, "level", LEVEL[m->level]);
    ts_json_number(j, "value", m->value);
    ts_json_text(j, "unit", m->unit);
    ts_json_number(j, "t", m->t);
    ts_json_text(j, "where", m->where);
    ts_json_number(j, "told", m->told);
    ts_json_number(j, "coarse", m->coarse);
    ts_json_number(j, "rejected", m->rejected);
    ts_json_text(j, "advice", m->advice);
    ts_json_close(j, '}');
}

void cli_json_resolution(ts_json *j, const torsor_run *run) {
    torsor_measure m;
    char *text;
    int level;
    if (torsor_run_resolution(run, &level, &text)) return;
    ts_json_open(j, "resolution", '{');
    ts_json_text(j, "level", level < 0 ? "unknown" : LEVEL[level]);
    ts_json_text(j, "text", text);
    torsor_text_free(text);
    ts_json_open(j, "measures", '[');
    for (int i = 0; i < torsor_run_measures(run); i++) {
        torsor_run_measure(run, i, &m);
        json_measure(j, &m);
    }
    ts_json_close(j, ']');
    ts_json_close(j, '}');
}

static void json_audit(ts_json *j, const cli_verdict *v, const torsor_verdict *judged,
                       const torsor_summary *s) {
    torsor_ledger end;
    torsor_run_ledger(v->run, &end);
    json_ledger(j, "start", &v->start, v->friction_start, v->impacts_start);
    json_ledger(j, "end", &end, torsor_run_friction_loss(v->run), torsor_run_impact_loss(v->run));
    json_events(j, v->run);
    ts_json_text(j, "audit", judged->audit);
    ts_json_flag(j, "sound", judged->sound);
    ts_json_flag(j, "energy_created", judged->created);
    ts_json_number(j, "made", judged->made);
    ts_json_number(j, "made_time", judged->made_time);
    ts_json_number(j, "unsolved", judged->unsolved);
    if (torsor_run_setup(v->run)->statics) {
        ts_json_count(j, "unstable", judged->unstable);
        ts_json_text(j, "free_motions", judged->free_motions);
        ts_json_number(j, "load_factor", judged->load_factor);
        ts_json_number(j, "residual", judged->residual);
    }
    ts_json_number(j, "worst_balance", s->worst_balance);
    ts_json_number(j, "relative_balance", judged->relative_balance);
    ts_json_number(j, "energy_scale", s->energy_scale);
}

void cli_verdict_json(const cli_verdict *v, int exit_code) {
    const torsor_verdict *judged = torsor_run_verdict(v->run);
    torsor_summary s;
    cli_line line;
    torsor_run_summary(v->run, &s);
    ts_json *j = cli_line_begin(&line, "done");
    ts_json_text(j, "status", judged->status);
    ts_json_count(j, "exit_code", exit_code);
    ts_json_number(j, "t", torsor_run_time(v->run));
    ts_json_count(j, "step", (long)torsor_run_steps_done(v->run));
    ts_json_count(j, "steps", (long)torsor_run_steps_planned(v->run));
    json_audit(j, v, judged, &s);
    cli_json_resolution(j, v->run);
    ts_json_number(j, "worst_violation", s.worst_violation);
    ts_json_text(j, "worst_part", judged->worst_part);
    ts_json_count(j, "steps_done", (long)s.steps);
    ts_json_count(j, "iterations", (long)s.iterations);
    ts_json_count(j, "cuts", (long)s.cuts);
    ts_json_count(j, "factorisations", (long)s.factorisations);
    ts_json_number(j, "seconds", s.seconds);
    json_solver(j, &s, judged);
    json_path(j, "results", v->results);
    json_path(j, "csv", v->csv);
    cli_line_end(&line);
}
