/* From a model file to a system that is ready to run, and what there is to say about it. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "cli/cli.h"
#include "model/mesh.h"
#include "parts/continuum.h"
#include "study/schemes.h"

static const double TINY = 1e-12; /* moves below this fraction of the size are not worth a word */
enum { MOST_REPEATS = 4 };        /* notes about redundant conditions that are told one by one */
static const double FAR =
    1e4; /* of the size of the model: what squares of distances lose there is 1e-8 */

/* ---- reading and assembling ---- */

int cli_session_read(cli_session *s, const char *path, bool loud) {
    int status = ts_document_read(&s->document, path, &s->diagnostics);
    if (!status) return CLI_DONE;
    if (status == TORSOR_EIO && loud) return cli_fail_status(status);
    if (loud) {
        char problems[CLI_WORD];
        fflush(stdout);
        ts_diagnostics_print(&s->diagnostics, stderr, cli_colour(stderr));
        cli_fail(CLI_MODEL, "%s: %s", path,
                 cli_count(problems, s->diagnostics.count, "problem", "problems"));
    }
    return cli_exit_of(status);
}

int cli_session_parse(cli_session *s, const char *text, size_t length, const char *name) {
    int status = ts_document_parse(&s->document, text, length, name, &s->diagnostics);
    if (!status) return CLI_DONE;
    ts_diagnostics_print(&s->diagnostics, stderr, cli_colour(stderr));
    return cli_fail(cli_exit_of(status), "the model in %s cannot be read again", name);
}

static void warn_if_far(const ts_system *system) {
    if (system->far < FAR) return;
    fprintf(stderr,
            "torsor: WARNING: the model stands %.0e times its size away from the origin: places "
            "are known to %.0e of its size "
            "only; draw it near the origin\n",
            system->far, system->far * DBL_EPSILON);
}

static void warn_of_gravity(const ts_document *document) {
    char text[300];
    if (ts_gravity_doubt(document, text, sizeof text))
        fprintf(stderr, "torsor: WARNING: %s\n", text);
}

int cli_session_assemble(cli_session *s) {
    int status = ts_system_new(&s->system, s->document->model);
    if (!status) warn_if_far(s->system), warn_of_gravity(s->document);
    if (!status) status = ts_assemble_initial(s->system, s->document->model, &s->assembly);
    if (status) return cli_exit_of(status);
    ts_system_begin(s->system);
    const ts_options *o = &s->document->options;
    if (o->settle) status = ts_start_static(s->system, o, o->settle, &s->assembly);
    if (s->assembly.unstable > 0)
        fprintf(stderr, "torsor: WARNING: the static start is UNSTABLE, in %d %s\n",
                s->assembly.unstable, s->assembly.unstable == 1 ? "way" : "ways");
    return status ? cli_exit_of(status) : CLI_DONE;
}

void cli_session_clear(cli_session *s) {
    ts_assembly_report_clear(&s->assembly);
    ts_system_free(s->system);
    ts_document_free(s->document);
    ts_diagnostics_clear(&s->diagnostics);
    *s = (cli_session){.verbose = s->verbose};
}

/* ---- options of the command line ---- */

static int override_scheme(ts_options *o, const char *text) {
    cli_scheme given;
    int code = cli_scheme_read(&given, "scheme", text, strlen(text));
    if (code) return code;
    bool same = strcmp(o->scheme, given.scheme->name) == 0 && !ts_parameters_any(&given.parameters);
    snprintf(o->scheme, sizeof o->scheme, "%s", given.scheme->name);
    if (!same) o->parameters = given.parameters;
    return CLI_DONE;
}

static int override_solver(ts_options *o, const char *name) {
    bool known = strcmp(name, "auto") == 0;
    for (int i = 0; ts_solver_name(i); i++) known |= strcmp(name, ts_solver_name(i)) == 0;
    if (!known) {
        char names[100] = "auto";
        for (int i = 0; ts_solver_name(i); i++) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, ", %s", ts_solver_name(i));
        }
        return cli_fail(CLI_USAGE, "--solver %.40s: there are %s", name, names);
    }
    snprintf(o->solver, sizeof o->solver, "%s", name);
    return CLI_DONE;
}

int cli_session_override_threads(cli_session *s, const cli_settings *settings) {
    if (settings->threads < 0) return CLI_DONE;
    if (settings->threads == 0 || settings->threads > TS_MOST_THREADS)
        return cli_fail(CLI_USAGE, "--threads: expected 1 to %d", TS_MOST_THREADS);
    s->document->options.threads = (int)settings->threads;
    return CLI_DONE;
}

/* With another step, states are stored at about the same times as before. */
static void override_step(ts_options *o, double h) {
    double every = o->h > 0 ? rint(o->store_every * o->h / h) : o->store_every;
    o->store_every = (int)fmin(1e9, fmax(1, every));
    o->h = h;
}

/* `auto`, for the end as it is now. */
static void choose_step(ts_options *o) {
    if (!(o->interval > 0) && o->h > 0 && o->store_every > 1) o->interval = o->store_every * o->h;
    o->store_every = 1;
    ts_options_auto(o);
}

static int check_options(const ts_options *o, const char *path) {
    if (o->h > 0 && o->t_end == 0)
        return cli_fail(CLI_USAGE, "--end: the end must be later than 0");
    if (!(o->h > 0) || !(o->t_end > 0))
        return cli_fail(CLI_MODEL, "%s has no 'analysis': add it, or give --step and --end", path);
    if (o->t_end < o->h * (1 - 1e-9))
        return cli_fail(CLI_USAGE, "the run ends (%g s) before its first step (%g s)", o->t_end,
                        o->h);
    if (o->t_end / o->h > 1e9) return cli_fail(CLI_USAGE, "this makes more than 1e9 steps");
    return CLI_DONE;
}

int cli_session_override(cli_session *s, const cli_settings *settings, const char *path) {
    ts_options *o = &s->document->options;
    if (settings->scheme && override_scheme(o, settings->scheme)) return CLI_USAGE;
    if (settings->solver && override_solver(o, settings->solver)) return CLI_USAGE;
    if (cli_session_override_threads(s, settings)) return CLI_USAGE;
    if (settings->step == 0) return cli_fail(CLI_USAGE, "--step: the step must be positive");
    if (settings->every == 0 || settings->every > 1000000000)
        return cli_fail(CLI_USAGE, "--every: expected 1 to 1e9");
    if (isfinite(settings->step)) override_step(o, settings->step), o->auto_step = false;
    if (isinf(settings->step)) o->auto_step = true;
    if (!isnan(settings->end)) o->t_end = settings->end;
    if (o->auto_step && o->t_end > 0 && (isinf(settings->step) || !isnan(settings->end)))
        choose_step(o);
    if (!isnan(settings->rho)) o->rho_inf = settings->rho;
    if (settings->every > 0) o->store_every = (int)settings->every;
    if (settings->linear && (!o->statics || o->arc_length))
        return cli_fail(CLI_USAGE, "--linear is for `analysis: {type: static}` without a path");
    if (settings->linear) o->linear = true, o->h = o->t_end;
    return check_options(o, path);
}

/* ---- the model, for people ---- */

static int count_section(const ts_model *model, const char *section) {
    int count = 0;
    for (int p = 1; p < model->parts_count; p++) {
        const ts_kind *kind = model->parts[p].kind;
        if (kind && strcmp(kind->section, section) == 0) count++;
    }
    return count;
}

static const struct {
    const char *section, *singular;
} SECTIONS[] = {{"meshes", "mesh"},        {"bodies", "body"},    {"beams", "beam"},
                {"cables", "cable"},       {"shells", "shell"},   {"solids", "solid"},
                {"couplings", "coupling"}, {"masses", "mass"},    {"joints", "joint"},
                {"springs", "spring"},     {"motions", "motion"}, {"loads", "load"}};
enum { SECTION_COUNT = sizeof SECTIONS / sizeof *SECTIONS };

static void print_parts(const ts_model *model) {
    char text[CLI_WORD];
    bool more = false;
    printf("  parts       ");
    for (int i = 0; i < SECTION_COUNT; i++) {
        int count = count_section(model, SECTIONS[i].section);
        if (count == 0) continue;
        printf("%s%s", more ? ", " : "",
               cli_count(text, count, SECTIONS[i].singular, SECTIONS[i].section));
        more = true;
    }
    printf("%s\n", more ? "" : "none");
}

static void print_freedom(const cli_session *s) {
    char text[CLI_WORD];
    printf("  freedom     %s (%d unknowns, %d conditions)\n",
           cli_count(text, s->assembly.freedom, "degree of freedom", "degrees of freedom"),
           s->system->dofs, s->system->rows);
    if (s->assembly.redundant > 0)
        printf("  redundant   %s, left out\n",
               cli_count(text, s->assembly.redundant, "condition", "conditions"));
    const ts_assembly_report *a = &s->assembly;
    bool brief = a->repeat_notes > MOST_REPEATS && !s->verbose;
    if (brief) {
        printf("              - ");
        cli_print_wrapped(a->repeats, 16, 100);
    }
    for (int i = 0; i < a->note_count; i++) {
        if (brief && i >= a->first_repeat && i < a->first_repeat + a->repeat_notes) continue;
        printf("              - ");
        cli_print_wrapped(s->assembly.notes[i], 16, 100);
    }
}

/* Of shells and solids whose supports hold nodes in everything. */
static double held_mass(const ts_model *model) {
    double sum = 0;
    for (int n = 0; n < model->nodes_count; n++)
        if (model->nodes[n].fixed) sum += model->nodes[n].mass[0][0];
    return sum;
}

static void print_mass(const ts_system *system) {
    double mass;
    v3 c;
    ts_mass_centre(system, &mass, &c);
    printf("  mass        %.6g kg, centre (%.6g, %.6g, %.6g) m\n", mass, c.x, c.y, c.z);
    double held = held_mass(system->model);
    if (held > 0) printf("              and %.6g kg on nodes that are held\n", held);
}

static void print_energy(const ts_ledger *l) {
    char total[CLI_WORD], kinetic[CLI_WORD], elastic[CLI_WORD], gravity[CLI_WORD];
    printf("  energy      %s: kinetic %s, elastic %s, gravity %s\n",
           cli_quantity(total, l->kinetic + l->elastic + l->gravity, "J"),
           cli_quantity(kinetic, l->kinetic, "J"), cli_quantity(elastic, l->elastic, "J"),
           cli_quantity(gravity, l->gravity, "J"));
}

static void print_gravity(const ts_document *document) {
    char text[CLI_WORD + 200];
    printf("  gravity     %s\n", ts_gravity_words(document, text, sizeof text));
}

void cli_print_model(const cli_session *s, const char *path) {
    const ts_model *model = s->document->model;
    printf("%s\n", model->title ? model->title : path);
    if (model->title) printf("  model       %s\n", path);
    print_parts(model);
    print_freedom(s);
    print_mass(s->system);
    print_gravity(s->document);
    print_energy(&s->system->ledger);
    for (int p = 1; p < model->parts_count; p++)
        if (strcmp(model->parts[p].kind->section, "sections") == 0)
            ts_section_describe(model, p, stdout);
        else if (ts_mesh_of(model, p))
            ts_mesh_describe(model, p, stdout);
        else if (strcmp(model->parts[p].kind->section, "shell_sections") == 0)
            ts_section_shell_describe(model, p, stdout);
}

void cli_print_analysis(const ts_options *o, int64_t first) {
    char step[CLI_WORD], count[CLI_WORD];
    int64_t steps = llround(o->t_end / o->h) - first;
    if (o->arc_length) {
        printf("  statics     arc length, %d to the load, at most %s\n", o->increments,
               cli_count(count, steps, "point", "points"));
        return;
    }
    if (o->linear) {
        printf("  statics     linear, about the model as drawn\n");
        return;
    }
    if (o->statics) {
        printf("  statics     %s of load\n", cli_count(count, steps, "increment", "increments"));
        return;
    }
    if (o->settle && first == 0) printf("  start       static equilibrium\n");
    char parameters[TS_PARAMETERS_TEXT];
    printf("  scheme      %s", o->scheme);
    if (ts_scheme_takes_rho(ts_scheme_find(o->scheme))) printf(", rho_inf %g", o->rho_inf);
    ts_parameters_print(&o->parameters, ts_scheme_find(o->scheme), parameters);
    if (*parameters) printf(", %s", parameters);
    printf("; step %s, %s", cli_quantity(step, o->h, "s"),
           cli_count(count, steps, "step", "steps"));
    if (o->step_tolerance > 0)
        printf(" or more (ED takes about %g of the energy at once, at most)", o->step_tolerance);
    if (first > 0) printf(" from t = %g s", (double)first * o->h);
    double end = (double)(first + steps) * o->h;
    printf(" to t = %g s", end);
    if (fabs(end - o->t_end) > 1e-9 * o->t_end) printf(" (not %g s: whole steps only)", o->t_end);
    if (o->store_every > 1) printf(", 1 of %d stored", o->store_every);
    putchar('\n');
}

/* ---- the assembly, for people ---- */

static bool moved(const cli_session *s) {
    const ts_assembly_report *a = &s->assembly;
    double length = s->system->length;
    return a->moved > TINY * length || a->turned > TINY || a->rate_moved > TINY * length ||
           a->rate_turned > TINY;
}

static void worst_joint(const ts_assembly_report *a, double *position, double *rate) {
    *position = *rate = 0;
    for (int i = 0; i < a->joint_count; i++) {
        *position = fmax(*position, a->joints[i].position_after);
        *rate = fmax(*rate, a->joints[i].rate_after);
    }
}

static void print_joints(const cli_session *s) {
    const ts_assembly_report *a = &s->assembly;
    printf("              %-20s %21s %21s\n", "violation", "position", "rate");
    printf("              %-20s %10s %10s %10s %10s\n", "", "before", "after", "before", "after");
    for (int i = 0; i < a->joint_count; i++) {
        const ts_assembly_joint *j = &a->joints[i];
        printf("              %-20.60s %10.1e %10.1e %10.1e %10.1e\n",
               s->document->model->parts[j->part].name, j->position_before, j->position_after,
               j->rate_before, j->rate_after);
    }
}

void cli_print_assembly(const cli_session *s) {
    const ts_assembly_report *a = &s->assembly;
    double position, rate;
    char length[CLI_WORD], velocity[CLI_WORD];
    worst_joint(a, &position, &rate);
    if (!moved(s)) {
        if (a->joint_count > 0)
            printf("  assembly    nothing to move: joints hold to %.1e, their rates to %.1e\n",
                   position, rate);
        return;
    }
    printf("  assembly    moved by at most %s and %.3g deg, velocities by %s and %.3g rad/s\n",
           cli_quantity(length, a->moved, "m"), a->turned * 180 / M_PI,
           cli_quantity(velocity, a->rate_moved, "m/s"), a->rate_turned);
    print_joints(s);
}

/* ---- the same in JSON ---- */

static void json_energies(ts_json *j, const ts_ledger *l) {
    ts_json_open(j, "energy", '{');
    cli_json_number(j, "kinetic", l->kinetic);
    cli_json_number(j, "elastic", l->elastic);
    cli_json_number(j, "gravity", l->gravity);
    ts_json_close(j, '}');
}

void cli_json_model(ts_json *j, const cli_session *s, const char *path) {
    const ts_model *model = s->document->model;
    double mass;
    v3 centre;
    ts_mass_centre(s->system, &mass, &centre);
    ts_json_text(j, "file", path);
    ts_json_text(j, "title", model->title ? model->title : "");
    for (int i = 0; i < SECTION_COUNT; i++)
        ts_json_count(j, SECTIONS[i].section, count_section(model, SECTIONS[i].section));
    ts_json_count(j, "freedom", s->assembly.freedom);
    ts_json_count(j, "unknowns", s->system->dofs);
    ts_json_count(j, "conditions", s->system->rows);
    ts_json_count(j, "redundant", s->assembly.redundant);
    cli_json_number(j, "mass", mass);
    cli_json_vector(j, "centre", centre);
    cli_json_vector(j, "gravity", s->document->model->gravity);
    json_energies(j, &s->system->ledger);
}

void cli_json_analysis(ts_json *j, const ts_options *o) {
    ts_json_text(j, "scheme", o->scheme);
    cli_json_number(j, "rho_inf", o->rho_inf);
    cli_json_number(j, "h", o->h);
    cli_json_number(j, "t_end", o->t_end);
    if (o->step_tolerance > 0) cli_json_number(j, "step_tolerance", o->step_tolerance);
    ts_json_count(j, "steps", (long)llround(o->t_end / o->h));
    ts_json_count(j, "store_every", o->store_every);
}

static void json_joint(ts_json *j, const cli_session *s, const ts_assembly_joint *joint) {
    ts_json_open(j, NULL, '{');
    ts_json_text(j, "part", s->document->model->parts[joint->part].name);
    cli_json_number(j, "position_before", joint->position_before);
    cli_json_number(j, "position_after", joint->position_after);
    cli_json_number(j, "rate_before", joint->rate_before);
    cli_json_number(j, "rate_after", joint->rate_after);
    ts_json_close(j, '}');
}

void cli_json_assembly(ts_json *j, const cli_session *s) {
    const ts_assembly_report *a = &s->assembly;
    ts_json_count(j, "iterations", a->iterations);
    cli_json_number(j, "moved", a->moved);
    cli_json_number(j, "turned", a->turned);
    cli_json_number(j, "rate_moved", a->rate_moved);
    cli_json_number(j, "rate_turned", a->rate_turned);
    ts_json_open(j, "notes", '[');
    for (int i = 0; i < a->note_count; i++) ts_json_text(j, NULL, a->notes[i]);
    ts_json_close(j, ']');
    ts_json_open(j, "joints", '[');
    for (int i = 0; i < a->joint_count; i++) json_joint(j, s, &a->joints[i]);
    ts_json_close(j, ']');
}
