/* SPDX-License-Identifier: Apache-2.0 */
/* A run before its first step: the model, its assembly, its analysis; as text and as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "cli/cli.h"

static const double TINY = 1e-12; /* moves below this fraction of the size are not worth a word */
enum { MOST_REPEATS = 4 }; /* notes about redundant constraints that are printed one by one */

void cli_warn(const char *word, const char *lines) {
    for (const char *at = lines; *at;) {
        int length = (int)strcspn(at, "\n");
        fprintf(stderr, "torsor: %s: %.*s\n", word, length, at);
        at += length + (at[length] == '\n');
    }
}

void cli_warn_of_model(torsor_model *model) {
    char *lines;
    if (torsor_model_warnings(model, &lines)) return;
    cli_warn("WARNING", lines);
    torsor_text_free(lines);
}

void cli_warn_of_start(const torsor_run *run) {
    const torsor_setup *s = torsor_run_setup(run);
    if (s->unstable > 0)
        fprintf(stderr, "torsor: WARNING: the static start is UNSTABLE, in %d %s\n", s->unstable,
                s->unstable == 1 ? "way" : "ways");
}

void cli_warn_of_blas(const char *solver) {
    if (strcmp(solver, "mumps") != 0 || !ts_blas_is_reference()) return;
    fprintf(
        stderr,
        "torsor: WARNING: the linear solver mumps uses the reference BLAS here, which is two to "
        "six times slower than OpenBLAS; install that: sudo apt install libopenblas0-serial\n");
}

/* ---- the model, for people ---- */

static int count_section(const torsor_run *run, const char *section) {
    int count = 0;
    torsor_part part;
    for (int p = 1; p < torsor_run_parts(run); p++) {
        torsor_run_part(run, p, &part);
        if (strcmp(part.section, section) == 0) count++;
    }
    return count;
}

static const struct {
    const char *section, *singular;
} SECTIONS[] = {
    {"meshes", "mesh"},  {"bodies", "body"},      {"beams", "beam"},         {"cables", "cable"},
    {"shells", "shell"}, {"solids", "solid"},     {"couplings", "coupling"}, {"masses", "mass"},
    {"joints", "joint"}, {"springs", "spring"},   {"motions", "motion"},     {"loads", "load"},
    {"shapes", "shape"}, {"contacts", "contact"}, {"states", "state"},       {"events", "event"}};
enum { SECTION_COUNT = sizeof SECTIONS / sizeof *SECTIONS };

static void print_parts(const torsor_run *run) {
    char text[TS_WORD];
    bool more = false;
    printf("  parts       ");
    for (int i = 0; i < SECTION_COUNT; i++) {
        int count = count_section(run, SECTIONS[i].section);
        if (count == 0) continue;
        printf("%s%s", more ? ", " : "",
               ts_words_count(text, count, SECTIONS[i].singular, SECTIONS[i].section));
        more = true;
    }
    printf("%s\n", more ? "" : "none");
}

static void print_notes(const torsor_run *run, int notes, bool verbose) {
    const torsor_setup *s = torsor_run_setup(run);
    bool brief = s->repeat_notes > MOST_REPEATS && !verbose;
    if (brief) {
        printf("              - ");
        ts_words_wrap(stdout, s->repeats, 16, 100);
    }
    for (int i = 0; i < notes; i++) {
        if (brief && i >= s->first_repeat && i < s->first_repeat + s->repeat_notes) continue;
        printf("              - ");
        ts_words_wrap(stdout, torsor_run_note(run, i), 16, 100);
    }
}

static void print_freedom(const torsor_run *run, bool verbose) {
    char text[TS_WORD];
    torsor_assembly a;
    torsor_run_assembly(run, &a);
    printf("  freedom     %s (%d unknowns, %d constraints)\n",
           ts_words_count(text, a.freedom, "degree of freedom", "degrees of freedom"), a.unknowns,
           a.conditions);
    if (a.redundant > 0)
        printf("  redundant   %s, left out\n",
               ts_words_count(text, a.redundant, "constraint", "constraints"));
    print_notes(run, a.notes, verbose);
}

/* Mass of nodes of shells and solids that supports hold in all their motions. */
static double held_mass(const torsor_run *run) {
    double sum = 0;
    torsor_node node;
    for (int n = 0; n < torsor_run_nodes(run); n++) {
        torsor_run_node(run, n, &node);
        if (node.fixed) sum += node.mass;
    }
    return sum;
}

static void print_mass(const torsor_run *run) {
    torsor_assembly a;
    torsor_run_assembly(run, &a);
    printf("  mass        %.6g kg, centre (%.6g, %.6g, %.6g) m\n", a.mass, a.centre[0], a.centre[1],
           a.centre[2]);
    double held = held_mass(run);
    if (held > 0) printf("              and %.6g kg on nodes that are held\n", held);
}

static void print_energy(const torsor_run *run) {
    char total[TS_WORD], kinetic[TS_WORD], elastic[TS_WORD], gravity[TS_WORD];
    torsor_ledger l;
    torsor_run_ledger(run, &l);
    printf("  energy      %s: kinetic %s, elastic %s, gravity %s\n",
           ts_words_quantity(total, l.kinetic + l.elastic + l.gravity, "J"),
           ts_words_quantity(kinetic, l.kinetic, "J"), ts_words_quantity(elastic, l.elastic, "J"),
           ts_words_quantity(gravity, l.gravity, "J"));
}

static void print_descriptions(const torsor_run *run) {
    for (int p = 1; p < torsor_run_parts(run); p++) {
        char *text;
        if (torsor_run_part_describe(run, p, &text)) continue;
        fputs(text, stdout);
        torsor_text_free(text);
    }
}

void cli_print_model(const torsor_run *run, const char *path, bool verbose) {
    const char *title = torsor_run_title(run);
    printf("%s\n", cli_shown(*title ? title : path));
    if (*title) printf("  model       %s\n", cli_shown(path));
    print_parts(run);
    print_freedom(run, verbose);
    print_mass(run);
    printf("  gravity     %s\n", torsor_run_setup(run)->gravity_words);
    print_energy(run);
    print_descriptions(run);
}

static void print_steps(const torsor_setup *s, int64_t first) {
    char step[TS_WORD], count[TS_WORD];
    int64_t steps = s->steps - first;
    printf("; step %s, %s", ts_words_quantity(step, s->step, "s"),
           ts_words_count(count, steps, "step", "steps"));
    if (s->tolerance > 0)
        printf(" or more (ED dissipates at most about %g of the energy at once)", s->tolerance);
    if (first > 0) printf(" from t = %g s", (double)first * s->step);
    double end = (double)(first + steps) * s->step;
    printf(" to t = %g s", end);
    if (fabs(end - s->end) > 1e-9 * s->end) printf(" (not %g s: whole steps only)", s->end);
    if (s->every > 1) printf(", 1 of %lld stored", (long long)s->every);
    putchar('\n');
}

void cli_print_analysis(const torsor_run *run) {
    const torsor_setup *s = torsor_run_setup(run);
    char count[TS_WORD];
    int64_t first = torsor_run_steps_done(run), steps = s->steps - first;
    if (s->arc_length) {
        printf("  statics     arc length, %d to the load, at most %s\n", s->increments,
               ts_words_count(count, steps, "point", "points"));
        return;
    }
    if (s->linear) {
        printf("  statics     linear, about the model as drawn\n");
        return;
    }
    if (s->statics) {
        printf("  statics     %s of load\n",
               ts_words_count(count, steps, "increment", "increments"));
        return;
    }
    if (s->settles && first == 0) printf("  start       static equilibrium\n");
    printf("  scheme      %s", s->scheme);
    if (s->takes_rho) printf(", rho_inf %g", s->rho_inf);
    if (*s->parameters) printf(", %s", s->parameters);
    print_steps(s, first);
}

/* ---- contacts, for people ---- */

enum { MOST_IMPACTS = 6 };

/* By what is heaviest and fastest: is an impact resolved by the step? */
static void print_impact(const torsor_impact *x, double step) {
    char speed[TS_WORD], stiffness[TS_WORD], lasts[TS_WORD], depth[TS_WORD];
    char sinks[TS_WORD], text[600];
    int n = snprintf(text, sizeof text, "'%.60s': %.4g kg at %s, stiffness %s: an impact lasts %s",
                     x->contact, x->mass, ts_words_quantity(speed, x->speed, "m/s"),
                     ts_words_quantity(stiffness, x->stiffness, "N/m"),
                     ts_words_quantity(lasts, x->duration, "s"));
    if (step > 0)
        n += snprintf(text + n, sizeof text - (size_t)n, " (%.2g steps)", x->duration / step);
    if (x->speed > 0)
        n += snprintf(text + n, sizeof text - (size_t)n, ", %s deep",
                      ts_words_quantity(depth, x->depth, "m"));
    if (x->sinks > 0)
        snprintf(text + n, sizeof text - (size_t)n, "; it penetrates by %s under its weight",
                 ts_words_quantity(sinks, x->sinks, "m"));
    ts_words_wrap(stdout, text, 14, 100);
}

void cli_print_impacts(const torsor_run *run, bool verbose) {
    torsor_impact x;
    int told = 0, left = 0;
    for (int i = 0; i < torsor_run_impacts(run); i++) {
        if (torsor_run_impact(run, i, &x) || !(x.duration > 0)) continue;
        if (told == MOST_IMPACTS && !verbose) {
            left++;
            continue;
        }
        printf("%s", told++ ? "              " : "  contacts    ");
        print_impact(&x, torsor_run_setup(run)->step);
    }
    if (left > 0) printf("              and %d more: --verbose lists them\n", left);
}

void cli_json_impacts(ts_json *j, const torsor_run *run) {
    torsor_impact x;
    ts_json_open(j, "contacts", '[');
    for (int i = 0; i < torsor_run_impacts(run); i++) {
        if (torsor_run_impact(run, i, &x)) continue;
        ts_json_open(j, NULL, '{');
        ts_json_text(j, "name", x.contact);
        ts_json_number(j, "mass", x.mass), ts_json_number(j, "speed", x.speed);
        ts_json_number(j, "stiffness", x.stiffness), ts_json_number(j, "duration", x.duration);
        ts_json_number(j, "depth", x.depth), ts_json_number(j, "sinks", x.sinks);
        ts_json_close(j, '}');
    }
    ts_json_close(j, ']');
}

/* ---- the assembly, for people ---- */

static bool moved(const torsor_run *run, const torsor_assembly *a) {
    double length = torsor_run_setup(run)->size;
    return a->moved > TINY * length || a->turned > TINY || a->rate_moved > TINY * length ||
           a->rate_turned > TINY;
}

static void worst_joint(const torsor_run *run, int gaps, double *position, double *rate) {
    torsor_gap gap;
    *position = *rate = 0;
    for (int i = 0; i < gaps; i++) {
        torsor_run_gap(run, i, &gap);
        *position = fmax(*position, gap.position_after);
        *rate = fmax(*rate, gap.rate_after);
    }
}

static const char *name_of(const torsor_run *run, int part) {
    torsor_part p;
    return torsor_run_part(run, part, &p) ? "" : p.name;
}

static void print_joints(const torsor_run *run, int gaps) {
    torsor_gap g;
    printf("              %-20s %21s %21s\n", "violation", "position", "rate");
    printf("              %-20s %10s %10s %10s %10s\n", "", "before", "after", "before", "after");
    for (int i = 0; i < gaps; i++) {
        torsor_run_gap(run, i, &g);
        printf("              %-20.60s %10.1e %10.1e %10.1e %10.1e\n", name_of(run, g.part),
               g.position_before, g.position_after, g.rate_before, g.rate_after);
    }
}

void cli_print_assembly(const torsor_run *run) {
    torsor_assembly a;
    double position, rate;
    char length[TS_WORD], velocity[TS_WORD];
    torsor_run_assembly(run, &a);
    worst_joint(run, a.gaps, &position, &rate);
    if (!moved(run, &a)) {
        if (a.gaps > 0)
            printf("  assembly    nothing was moved: joints hold to %.1e, their rates to %.1e\n",
                   position, rate);
        return;
    }
    printf("  assembly    moved by at most %s and %.3g deg, velocities by %s and %.3g rad/s\n",
           ts_words_quantity(length, a.moved, "m"), a.turned * 180 / M_PI,
           ts_words_quantity(velocity, a.rate_moved, "m/s"), a.rate_turned);
    print_joints(run, a.gaps);
}

/* ---- as JSON ---- */

static void json_energies(ts_json *j, const torsor_run *run) {
    torsor_ledger l;
    torsor_run_ledger(run, &l);
    ts_json_open(j, "energy", '{');
    ts_json_number(j, "kinetic", l.kinetic);
    ts_json_number(j, "elastic", l.elastic);
    ts_json_number(j, "gravity", l.gravity);
    ts_json_close(j, '}');
}

void cli_json_model(ts_json *j, const torsor_run *run, const char *path) {
    torsor_assembly a;
    torsor_run_assembly(run, &a);
    ts_json_text(j, "file", path);
    ts_json_text(j, "title", torsor_run_title(run));
    for (int i = 0; i < SECTION_COUNT; i++)
        ts_json_count(j, SECTIONS[i].section, count_section(run, SECTIONS[i].section));
    ts_json_count(j, "freedom", a.freedom);
    ts_json_count(j, "unknowns", a.unknowns);
    ts_json_count(j, "conditions", a.conditions);
    ts_json_count(j, "redundant", a.redundant);
    ts_json_number(j, "mass", a.mass);
    ts_json_vector(j, "centre", a.centre);
    ts_json_vector(j, "gravity", torsor_run_setup(run)->gravity);
    json_energies(j, run);
}

void cli_json_analysis(ts_json *j, const torsor_run *run) {
    const torsor_setup *s = torsor_run_setup(run);
    ts_json_text(j, "analysis", s->statics ? "static" : "transient");
    if (s->statics)
        ts_json_raw(j, "scheme", "null");
    else
        ts_json_text(j, "scheme", s->scheme);
    ts_json_number(j, "rho_inf", s->takes_rho && !s->statics ? s->rho_inf : NAN);
    ts_json_number(j, "h", s->step);
    ts_json_number(j, "t_end", s->end);
    if (s->tolerance > 0) ts_json_number(j, "step_tolerance", s->tolerance);
    ts_json_count(j, "steps", (long)s->steps);
    ts_json_count(j, "store_every", (long)s->every);
}

static void json_joint(ts_json *j, const torsor_run *run, int i) {
    torsor_gap g;
    torsor_run_gap(run, i, &g);
    ts_json_open(j, NULL, '{');
    ts_json_text(j, "part", name_of(run, g.part));
    ts_json_number(j, "position_before", g.position_before);
    ts_json_number(j, "position_after", g.position_after);
    ts_json_number(j, "rate_before", g.rate_before);
    ts_json_number(j, "rate_after", g.rate_after);
    ts_json_close(j, '}');
}

void cli_json_assembly(ts_json *j, const torsor_run *run) {
    torsor_assembly a;
    torsor_run_assembly(run, &a);
    ts_json_count(j, "iterations", torsor_run_setup(run)->assembly_iterations);
    ts_json_number(j, "moved", a.moved);
    ts_json_number(j, "turned", a.turned);
    ts_json_number(j, "rate_moved", a.rate_moved);
    ts_json_number(j, "rate_turned", a.rate_turned);
    ts_json_open(j, "notes", '[');
    for (int i = 0; i < a.notes; i++) ts_json_text(j, NULL, torsor_run_note(run, i));
    ts_json_close(j, ']');
    ts_json_open(j, "joints", '[');
    for (int i = 0; i < a.gaps; i++) json_joint(j, run, i);
    ts_json_close(j, ']');
}
