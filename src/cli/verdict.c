/* The end of a run: the energy audit, the audit of resolution, and what it took.
 *
 * Energy now = energy at the start + work of loads and drives - what dampers and the scheme took.
 * The ledger keeps every term by itself; what is left over is the balance error, which is round-off
 * in a sound run. If it is not, the run is not to be trusted, and we say so loudly. That a run is
 * coarse, system/resolution.h, is said as loudly: no energy audit can show it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "results/audit.h"

static const double LARGE_SHARE = 0.1;

/* ---- judging ---- */

static double relative(const cli_verdict *v) {
    const ts_summary *s = &v->summary;
    return ts_relative_balance(s->worst_balance, s->energy_scale, s->energy_noise);
}

/* NaN is not sound. */
static bool sound(const cli_verdict *v) { return v->statics || relative(v) <= TS_SOUND_BALANCE; }

static bool scheme_gave(const cli_verdict *v) {
    const ts_summary *s = &v->summary;
    return !v->statics &&
           v->end.algorithmic < -fmax(TS_SOUND_BALANCE * s->energy_scale, s->energy_noise);
}

/* What the balance is measured against: the energy, unless round-off alone could be more than a sound share of it. */
static double measure(const cli_verdict *v) {
    return fmax(v->summary.energy_scale, v->summary.energy_noise / TS_SOUND_BALANCE);
}

/* No energy, but for round-off. */
static bool at_rest(const cli_verdict *v) {
    return sound(v) && v->summary.energy_scale <= v->summary.energy_noise;
}

static bool good(const cli_verdict *v) { return sound(v) && !scheme_gave(v) && v->unstable <= 0; }

/* Does the step leave much of the motion unresolved? */
static void print_share(const cli_verdict *v) {
    double share = v->end.algorithmic / v->summary.energy_scale;
    if (share > LARGE_SHARE && !at_rest(v))
        printf("  the scheme took %.0f %% of the largest energy: does a shorter step take less?\n",
               100 * share);
}

/* The load factor is told where it is not one. */
static void statics_sentence(const cli_verdict *v, char *text, size_t size) {
    char stored[CLI_WORD], load[60] = "";
    if (fabs(v->summary.load_factor - 1) > 1e-9)
        snprintf(load, sizeof load, ", to load factor %.6g", v->summary.load_factor);
    cli_quantity(stored, v->end.elastic, "J");
    if (v->summary.linear) {
        snprintf(text, size, "linear equilibrium about the drawing; energy stored %s", stored);
        return;
    }
    if (v->unstable > 0)
        snprintf(text, size, "equilibrium at every increment%s, but UNSTABLE at the end, in %d %s",
                 load, v->unstable, v->unstable == 1 ? "way" : "ways");
    else
        snprintf(text, size, "equilibrium at every increment%s; energy stored %s", load, stored);
}

static void sentence(const cli_verdict *v, char *text, size_t size) {
    char scale[CLI_WORD];
    cli_quantity(scale, measure(v), "J");
    if (v->statics)
        statics_sentence(v, text, size);
    else if (at_rest(v))
        snprintf(text, size, "energy audit: closed, at rest: no energy beyond round-off, %.0e J",
                 v->summary.energy_noise);
    else if (!sound(v))
        snprintf(text, size, "energy audit: OPEN by %.1e of %s; do not trust this run", relative(v),
                 scale);
    else if (scheme_gave(v))
        snprintf(text, size, "energy audit: closed to %.0e of %s, but the scheme supplied %.1e J",
                 relative(v), scale, -v->end.algorithmic);
    else
        snprintf(text, size, "energy audit: closed to %.0e of %s; nothing created", relative(v),
                 scale);
}

bool cli_verdict_audit(const cli_verdict *v, char *text, size_t size) {
    sentence(v, text, size);
    return good(v);
}

/* Elements that bend or shear by more than a mesh resolves: their equilibrium says little about the structure's. */
static bool coarse_mesh(const cli_verdict *v) {
    return ts_audit_coarse_mesh(&v->summary.audit) >= 0;
}

static void warn_of_energy(const cli_verdict *v) {
    if (good(v)) return;
    const char *red = cli_colour(stderr) ? "\033[1;31m" : "", *off = *red ? "\033[0m" : "";
    char text[160];
    sentence(v, text, sizeof text);
    fflush(stdout);
    fprintf(stderr, "%storsor: WARNING: %s%s\n", red, text, off);
    if (v->unstable > 0 && coarse_mesh(v))
        fprintf(stderr, "  the mesh is too coarse for this load, see below: refine it before you "
                        "judge stability\n");
    else if (v->unstable > 0)
        fprintf(stderr, "  it would not stay there: it has buckled or snapped before. Follow the "
                        "path with `method: "
                        "arc_length`\n  from a slightly imperfect shape or load; `torsor modes` "
                        "shows which way it goes\n");
    if (!sound(v))
        fprintf(stderr, "  the balance is off by %.3e J; a smaller step may help\n",
                v->summary.worst_balance);
}

/* Rotations in a step have a warning of their own, simulate.c; losses a line below the energy audit; a step that was rejected for good, an
 * error. */
static void warn_of_resolution(const cli_verdict *v) {
    const ts_audit *a = &v->summary.audit;
    bool failed = strncmp(v->status, "failed", 6) == 0;
    const char *yellow = cli_colour(stderr) ? "\033[1;33m" : "", *off = *yellow ? "\033[0m" : "";
    char text[TS_RESOLUTION_WORDS];
    fflush(stdout);
    for (int m = 0; m < TS_GAUGES; m++) {
        ts_resolution level = ts_peak_level((ts_gauge)m, &a->peak[m]);
        if (level == TS_RESOLVED || m == TS_STEP_TURN || m == TS_SCHEME_LOSS) continue;
        if (level == TS_UNRESOLVED && failed) continue;
        fprintf(stderr, "%storsor: warning: %s: %s; %s%s\n", yellow, TS_RESOLUTION_NAME[level],
                ts_audit_words(a, (ts_gauge)m, text, sizeof text), TS_GAUGE[m].advice, off);
    }
}

void cli_verdict_warn(const cli_verdict *v) {
    warn_of_energy(v);
    warn_of_resolution(v);
}

/* ---- text ---- */

void cli_print_resolution(const ts_audit *a, const char *indent) {
    char text[TS_RESOLUTION_WORDS];
    for (int m = 0; m < TS_GAUGES; m++)
        if (ts_peak_told((ts_gauge)m, &a->peak[m]))
            printf("%s%s\n", indent, ts_audit_words(a, (ts_gauge)m, text, sizeof text));
}

static void print_row(const char *name, double start, double end) {
    printf("  %-24s %16.8g %16.8g %16.8g\n", name, start, end, end - start);
}

static double total(const ts_ledger *l) { return l->kinetic + l->elastic + l->gravity; }

static void print_audit(const cli_verdict *v) {
    const ts_ledger *a = &v->start, *b = &v->end;
    char start[CLI_WORD], end[CLI_WORD];
    snprintf(start, sizeof start, "t = %.6g s", v->t_start);
    snprintf(end, sizeof end, "t = %.6g s", v->t_end);
    printf("\n  %-24s %16s %16s %16s\n", "energy, J", start, end, "change");
    print_row("kinetic", a->kinetic, b->kinetic);
    print_row("elastic", a->elastic, b->elastic);
    print_row("gravity", a->gravity, b->gravity);
    print_row("total", total(a), total(b));
    print_row("work of loads", a->work_loads, b->work_loads);
    print_row("work of drives", a->work_drives, b->work_drives);
    print_row("dissipated by dampers", a->dissipated, b->dissipated);
    print_row("dissipated by the scheme", a->algorithmic, b->algorithmic);
    printf("  %-24s %16s %16.2e\n", "balance error", "", b->balance);
    printf("  %-24s %16s %16.2e", "  at worst", "", v->summary.worst_balance);
    if (measure(v) > v->summary.energy_scale && sound(v))
        printf("  round-off\n\n");
    else
        printf("  %.1e of the largest energy\n\n", relative(v));
}

/* Works along the path by the trapezoidal rule, and what it leaves: of second order in the increments, and what a snap sets free. */
static void print_works(const cli_verdict *v) {
    const ts_ledger *a = &v->start, *b = &v->end;
    double stored = b->elastic - a->elastic, loads = b->work_loads - a->work_loads,
           drives = b->work_drives - a->work_drives, held = a->algorithmic - b->algorithmic;
    printf("\n  energy, J\n");
    printf("  %-40s %16.8g\n", "elastic at the start", a->elastic);
    printf("  %-40s %16.8g\n", "work of loads and weight along the path", loads);
    if (drives != 0) printf("  %-40s %16.8g\n", "work of drives", drives);
    if (held != 0) printf("  %-40s %16.8g\n", "work of forces that held preloads", held);
    printf("  %-40s %16.8g\n", "elastic at the end", b->elastic);
    printf("  %-40s %16.2e", "work not stored", loads + drives + held - stored);
    printf("  trapezoidal rule: less with more increments, unless it snapped\n\n");
}

static void print_free_motions(const cli_verdict *v) {
    if (v->summary.linear)
        printf("displacements and forces grow with the load; stability and large rotations are not "
               "looked at\n");
    const char *names = v->summary.free_motions;
    if (v->summary.jumps > 0)
        printf("%d of the increments ended by pseudo-time, not along the path: where a structure "
               "snaps,\n  `method: arc_length` follows it\n",
               v->summary.jumps);
    if (*names) printf("free motions, left where they were drawn: %s\n", names);
}

static void print_effort(const cli_verdict *v) {
    const ts_summary *s = &v->summary;
    double per_step = s->steps ? (double)s->iterations / (double)s->steps : 0;
    char steps[CLI_WORD], cuts[CLI_WORD];
    printf("  %s, %.2f iterations/step, %s, %lld factorisations, %.3g s (%.0f steps/s)\n",
           cli_count(steps, s->steps, "step", "steps"), per_step,
           cli_count(cuts, s->cuts, "cut", "cuts"), (long long)s->factorisations, s->seconds,
           s->seconds > 0 ? (double)s->steps / s->seconds : 0);
    printf("  worst constraint violation %.1e", s->worst_violation);
    if (*v->worst_part) printf(" (%s, t = %.4g s)", v->worst_part, v->worst_violation_time);
    putchar('\n');
}

/* "linear solver: mumps (auto), 60000 unknowns, 2 threads; 12% residual, ..." */
static void print_solver(const cli_verdict *v) {
    const ts_summary *s = &v->summary;
    const ts_effort *e = &s->effort;
    char threads[CLI_WORD], unknowns[CLI_WORD];
    if (s->unknowns == 0) return;
    bool chosen = strcmp(v->solver, "auto") == 0;
    printf("  linear solver %s%s, %s, %s", s->solver, chosen ? " (auto)" : "",
           cli_count(unknowns, s->unknowns, "unknown", "unknowns"),
           cli_count(threads, s->threads, "thread", "threads"));
    if (e->linear.factors > 0 && s->seconds > 0)
        printf("; residual %.0f%%, tangent %.0f%%, factorisation %.0f%%, solution %.0f%%",
               100 * e->residual / s->seconds, 100 * e->tangent / s->seconds,
               100 * (e->linear.analysis + e->linear.factor) / s->seconds,
               100 * e->linear.solve / s->seconds);
    putchar('\n');
}

void cli_verdict_print(const cli_verdict *v) {
    char text[160];
    if (v->summary.steps > 0) {
        if (!v->statics) print_audit(v);
        if (v->statics) print_works(v);
        sentence(v, text, sizeof text);
        printf("%s\n", text);
        if (!v->statics) print_share(v);
        print_free_motions(v);
        printf("%s\n", v->summary.audit.text);
        cli_print_resolution(&v->summary.audit, "  ");
    }
    print_effort(v);
    print_solver(v);
    if (v->results) printf("  results: %s\n", v->results);
    if (v->csv) printf("  table:   %s\n", v->csv);
    if (strcmp(v->status, "completed") != 0)
        printf("%s at t = %.6g s, step %lld of %lld\n",
               strcmp(v->status, "interrupted") == 0 ? "interrupted" : "FAILED", v->t_end,
               (long long)v->step, (long long)v->steps);
}

/* ---- JSON ---- */

static void json_ledger(ts_json *j, const char *key, const ts_ledger *l) {
    const struct {
        const char *name;
        double value;
    } list[] = {{"kinetic", l->kinetic},         {"elastic", l->elastic},
                {"gravity", l->gravity},         {"work_loads", l->work_loads},
                {"work_drives", l->work_drives}, {"dissipated", l->dissipated},
                {"algorithmic", l->algorithmic}, {"balance", l->balance}};
    ts_json_open(j, key, '{');
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        cli_json_number(j, list[i].name, list[i].value);
    ts_json_close(j, '}');
}

static void json_path(ts_json *j, const char *key, const char *path) {
    if (path)
        ts_json_text(j, key, path);
    else
        ts_json_raw(j, key, "null");
}

static void json_solver(ts_json *j, const ts_summary *s) {
    const ts_effort *e = &s->effort;
    ts_json_open(j, "linear", '{');
    ts_json_text(j, "solver", s->solver);
    ts_json_count(j, "unknowns", s->unknowns);
    ts_json_count(j, "threads", s->threads);
    cli_json_number(j, "residual_seconds", e->residual);
    cli_json_number(j, "tangent_seconds", e->tangent);
    cli_json_number(j, "factor_seconds", e->linear.analysis + e->linear.factor);
    cli_json_number(j, "solve_seconds", e->linear.solve);
    cli_json_number(j, "fill", e->linear.fill);
    ts_json_close(j, '}');
}

void cli_verdict_json(const cli_verdict *v, int exit_code) {
    const ts_summary *s = &v->summary;
    char text[160];
    cli_line line;
    ts_json *j = cli_line_begin(&line, "done");
    sentence(v, text, sizeof text);
    ts_json_text(j, "status", v->status);
    ts_json_count(j, "exit_code", exit_code);
    cli_json_number(j, "t", v->t_end);
    ts_json_count(j, "step", (long)v->step);
    ts_json_count(j, "steps", (long)v->steps);
    json_ledger(j, "start", &v->start);
    json_ledger(j, "end", &v->end);
    ts_json_text(j, "audit", text);
    ts_json_flag(j, "sound", sound(v) && !scheme_gave(v));
    if (v->statics) ts_json_count(j, "unstable", v->unstable);
    if (v->statics) ts_json_text(j, "free_motions", s->free_motions);
    if (v->statics) cli_json_number(j, "load_factor", s->load_factor);
    cli_json_number(j, "worst_balance", s->worst_balance);
    cli_json_number(j, "relative_balance", relative(v));
    cli_json_number(j, "energy_scale", s->energy_scale);
    ts_audit_json(&s->audit, j);
    cli_json_number(j, "worst_violation", s->worst_violation);
    ts_json_text(j, "worst_part", v->worst_part);
    ts_json_count(j, "steps_done", (long)s->steps);
    ts_json_count(j, "iterations", (long)s->iterations);
    ts_json_count(j, "cuts", (long)s->cuts);
    ts_json_count(j, "factorisations", (long)s->factorisations);
    cli_json_number(j, "seconds", s->seconds);
    json_solver(j, s);
    json_path(j, "results", v->results);
    json_path(j, "csv", v->csv);
    cli_line_end(&line);
}
