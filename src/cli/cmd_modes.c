/* SPDX-License-Identifier: Apache-2.0 */
/* torsor modes: frequencies and shapes of vibration about equilibrium, and buckling loads. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    CLI_OPTION_SET,
    {"modes", 'n', CLI_OPTION, 0, "N", "number of modes, the lowest first; default 10"},
    {"spin", 0, CLI_OPTION, 0, "VECTOR",
     "steady rotation of everything, ground included: \"[0, 0, 300 rpm]\"; numbers without unit in "
     "rad/s"},
    {"about", 0, CLI_OPTION, 0, "PLACE",
     "a point of the axis of rotation: \"[0, 0, 20 mm]\", numbers without unit in m, or the name "
     "of one of the model's points; default the origin"},
    {"as-drawn", 0, CLI_SWITCH, AT(as_drawn), NULL,
     "modes about the state as drawn, without a search for equilibrium"},
    {"buckling", 0, CLI_SWITCH, AT(buckling), NULL,
     "factors of all loads at which the state as drawn buckles, instead of frequencies"},
    {"campbell", 0, CLI_FLAG, AT(campbell), NULL,
     "modes at several speeds from rest to --spin, connected to curves by their shapes"},
    {"speeds", 0, CLI_OPTION, 0, "N",
     "with --campbell: number of speeds, both ends included; default 21"},
    {"report", 0, CLI_FLAG, AT(report), NULL,
     "write a page for the browser, MODEL-modes.html: animated shapes, Campbell diagram"},
    {"output", 'o', CLI_TEXT, AT(output), "FILE", "write the shapes to an HDF5 file"},
    {"force", 'f', CLI_FLAG, AT(force), NULL, "replace files that exist, whatever they are"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print one JSON object"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print the modes, warnings and errors only"},
    {"verbose", 'v', CLI_FLAG, AT(verbose), NULL, "list every redundant constraint"},
    {0}};

/* ---- what there is to say ---- */

static const char *const MOTION[] = {"moves along x", "moves along y", "moves along z",
                                     "turns about x", "turns about y", "turns about z"};

static double norm(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

static void tell_state(const torsor_modes *m, const cli_settings *settings) {
    const torsor_setup *s = torsor_run_setup(torsor_modes_run(m));
    double spin[3], about[3];
    printf("  state       ");
    if (settings->buckling)
        printf("as drawn, loads from nothing\n");
    else if (s->statics || s->settles || torsor_modes_settled(m))
        printf("static equilibrium%s\n", s->statics ? " at the end of the analysis" : "");
    else
        printf("as drawn%s\n", settings->as_drawn ? "" : ", in equilibrium");
    torsor_modes_rotation(m, spin, about);
    if (norm(spin) > 0)
        printf("  rotation    (%g, %g, %g) rad/s about (%g, %g, %g) m\n", spin[0], spin[1], spin[2],
               about[0], about[1], about[2]);
}

static const char *whirl_of(const torsor_modes *m, int i, double *omega) {
    int way = 0;
    torsor_modes_whirl(m, i, &way, omega);
    return way > 0 ? "forward" : way < 0 ? "backward" : NULL;
}

static bool is_unstable(const torsor_mode *mode) {
    return !mode->rigid && mode->growth > 1e-6 * mode->frequency;
}

static void tell_mode(const torsor_modes *m, int i, const torsor_mode *mode) {
    double omega;
    const char *whirl = whirl_of(m, i, &omega);
    if (mode->share > 0)
        printf("  %s %s (%.0f %%)", mode->part, MOTION[mode->axis],
               100 * mode->share * mode->share_of_axis);
    if (whirl) printf(", whirls %ss, %.9g Hz seen from outside", whirl, omega / (2 * M_PI));
    if (mode->rigid) printf(", freely");
    if (is_unstable(mode)) printf(", UNSTABLE: grows with %.4g/s", mode->growth);
    putchar('\n');
}

/* Which columns the table has. */
typedef struct layout {
    bool buckling, damped, masses;
    double mass;
} layout;

static layout lay_out(const torsor_modes *m, const cli_settings *settings) {
    layout l = {.buckling = settings->buckling, .mass = torsor_modes_mass(m)};
    bool complex = false;
    torsor_mode mode;
    for (int i = 0; i < torsor_modes_count(m); i++) {
        torsor_modes_get(m, i, &mode);
        l.damped |= mode.growth != 0, complex |= mode.shape_early != NULL;
    }
    l.masses = torsor_modes_count(m) > 0 && !l.buckling && !complex && l.mass > 0;
    return l;
}

static void tell_head(const layout *l) {
    if (l->masses) printf("\n%40s%21s", "", "effective mass, %");
    if (l->buckling)
        printf("\n  mode      load factor");
    else
        printf("\n  mode     frequency, Hz           rad/s%s", l->damped ? "     damping" : "");
    if (l->masses) printf("%7s%7s%7s", "x", "y", "z");
    printf("  dominant motion\n");
}

static void tell_row(const torsor_modes *m, int i, const layout *l) {
    torsor_mode mode;
    double effective[3];
    torsor_modes_get(m, i, &mode);
    torsor_modes_effective_mass(m, i, effective);
    printf("  %4d", i + 1);
    if (l->buckling) {
        printf("  %15.9g", mode.factor);
    } else {
        printf("  %16.9g%16.9g", mode.frequency / (2 * M_PI), mode.frequency);
        if (l->damped) printf("%12.4g", mode.damping);
        for (int k = 0; k < 3 && l->masses; k++) printf("%7.2f", 100 * effective[k] / l->mass);
    }
    tell_mode(m, i, &mode);
}

static void tell_free(const torsor_modes *m) {
    int count = torsor_modes_free_motions(m);
    torsor_mode mode;
    char *words;
    if (count > 0)
        printf("\n  free        %d motion%s that nothing resists\n", count, count > 1 ? "s" : "");
    for (int i = 0; i < torsor_modes_count(m); i++) {
        torsor_modes_get(m, i, &mode);
        if (!mode.rigid || torsor_modes_free_words(m, i, &words)) continue;
        printf("    mode %-3d  %s\n", i + 1, words);
        torsor_text_free(words);
    }
}

static double speed_of(const torsor_modes *m) {
    double spin[3], about[3];
    torsor_modes_rotation(m, spin, about);
    return norm(spin);
}

/* In rotation the ground turns with the rotor, and so do dampers between both: unlike those of
 * bearings that stand still, they make a forward whirl grow above the critical speed. */
static void tell_dampers(const torsor_modes *m) {
    bool grows = false;
    torsor_mode mode;
    for (int i = 0; i < torsor_modes_count(m) && !grows; i++) {
        torsor_modes_get(m, i, &mode);
        grows = is_unstable(&mode) && mode.shape_early != NULL;
    }
    if (grows && speed_of(m) > 0)
        printf("\n  note        dampers between rotor and ground rotate with the rotor here, which "
               "can make a mode\n              grow; for dampers that do not rotate, run the model "
               "in time (docs/modes.md)\n");
}

static void tell(const torsor_modes *m, const cli_settings *settings) {
    layout l = lay_out(m, settings);
    tell_head(&l);
    for (int i = 0; i < torsor_modes_count(m); i++) tell_row(m, i, &l);
    if (torsor_modes_count(m) == 0) printf("  none: nothing can move\n");
    tell_free(m);
    tell_dampers(m);
}

/* ---- Campbell diagrams ---- */

/* The frequency of a curve at a speed, rad/s; NAN where it has none. */
static double frequency_on(const torsor_campbell *c, int speed, int curve) {
    torsor_mode mode;
    int i = torsor_campbell_mode(c, speed, curve);
    if (i < 0 || torsor_modes_get(torsor_campbell_modes(c, speed), i, &mode)) return NAN;
    return mode.frequency;
}

static void tell_curves(const torsor_campbell *c) {
    int curves = torsor_campbell_curves(c), speeds = torsor_campbell_speeds(c);
    printf("\n  Campbell diagram: frequencies in Hz, seen from the rotating frame\n  %10s",
           "speed, rpm");
    for (int k = 0; k < curves; k++) printf("   curve %-3d", k + 1);
    for (int s = 0; s < speeds; s++) {
        printf("\n  %10.5g", speed_of(torsor_campbell_modes(c, s)) * 30 / M_PI);
        for (int k = 0; k < curves; k++) {
            double omega = frequency_on(c, s, k);
            if (isnan(omega))
                printf("%12s", "-");
            else
                printf("%12.6g", omega / (2 * M_PI));
        }
    }
    putchar('\n');
}

static void json_curves(ts_json *j, const torsor_campbell *c) {
    ts_json_open(j, "campbell", '{');
    ts_json_open(j, "omega", '[');
    for (int s = 0; s < torsor_campbell_speeds(c); s++)
        ts_json_number(j, NULL, speed_of(torsor_campbell_modes(c, s)));
    ts_json_close(j, ']');
    ts_json_open(j, "curves", '[');
    for (int k = 0; k < torsor_campbell_curves(c); k++) {
        ts_json_open(j, NULL, '[');
        for (int s = 0; s < torsor_campbell_speeds(c); s++)
            ts_json_number(j, NULL, frequency_on(c, s, k));
        ts_json_close(j, ']');
    }
    ts_json_close(j, ']');
    ts_json_close(j, '}');
}

/* ---- JSON ---- */

static void json_frequency(ts_json *j, const torsor_modes *m, int i, const torsor_mode *mode) {
    double effective[3], omega;
    const char *whirl = whirl_of(m, i, &omega);
    torsor_modes_effective_mass(m, i, effective);
    ts_json_number(j, "frequency", mode->frequency / (2 * M_PI));
    ts_json_number(j, "omega", mode->frequency);
    ts_json_number(j, "growth", mode->growth);
    ts_json_number(j, "damping", mode->damping);
    ts_json_flag(j, "rigid", mode->rigid);
    char *words;
    if (mode->rigid && !torsor_modes_free_words(m, i, &words)) {
        ts_json_text(j, "free_motion", words);
        torsor_text_free(words);
    }
    if (!mode->shape_early) ts_json_vector(j, "effective_mass", effective);
    if (!whirl) return;
    ts_json_text(j, "whirl", whirl);
    ts_json_number(j, "omega_outside", omega);
}

static void json_mode(ts_json *j, const torsor_modes *m, int i, bool buckling) {
    torsor_mode mode;
    torsor_modes_get(m, i, &mode);
    ts_json_open(j, NULL, '{');
    if (buckling)
        ts_json_number(j, "load_factor", mode.factor);
    else
        json_frequency(j, m, i, &mode);
    ts_json_text(j, "part", mode.part);
    ts_json_number(j, "share", mode.share);
    ts_json_text(j, "motion", MOTION[mode.axis]);
    ts_json_number(j, "share_of_motion", mode.share_of_axis);
    ts_json_close(j, '}');
}

static void tell_json(const torsor_modes *m, const torsor_campbell *c,
                      const cli_settings *settings) {
    ts_json j = {.out = stdout};
    double spin[3], about[3];
    torsor_modes_rotation(m, spin, about);
    ts_json_open(&j, NULL, '{');
    cli_json_model(&j, torsor_modes_run(m), settings->argument[0]);
    ts_json_vector(&j, "spin", spin);
    ts_json_vector(&j, "about", about);
    ts_json_flag(&j, "settled", torsor_modes_settled(m));
    ts_json_number(&j, "imbalance", torsor_modes_imbalance(m));
    ts_json_number(&j, "moving_mass", torsor_modes_mass(m));
    ts_json_number(&j, "free_motions", torsor_modes_free_motions(m));
    ts_json_open(&j, "modes", '[');
    for (int i = 0; i < torsor_modes_count(m); i++) json_mode(&j, m, i, settings->buckling);
    ts_json_close(&j, ']');
    if (c) json_curves(&j, c);
    ts_json_close(&j, '}');
    putchar('\n');
}

/* ---- the verb ---- */

/* With a Campbell diagram, the modes at its last speed, which are the diagram's. */
typedef struct found {
    torsor_campbell *campbell;
    torsor_modes *own;
    const torsor_modes *modes;
    char *page; /* NULL: none is wanted */
} found;

static int search(found *f, const torsor_model *model, const cli_settings *settings) {
    int status = 0;
    if (settings->campbell) {
        status = torsor_campbell_new(&f->campbell, model, settings->options);
        f->modes = torsor_campbell_modes(f->campbell, torsor_campbell_speeds(f->campbell) - 1);
    } else {
        status = torsor_modes_find(&f->own, model, settings->options);
        f->modes = f->own;
    }
    return status;
}

static int check_page(const found *f, const char *path) {
    int code = f->page ? cli_check_output("report", f->page, path, NULL) : CLI_DONE;
    int status = f->page && !code ? torsor_report_check(f->page) : 0;
    return status ? cli_fail_status(status) : code;
}

static int find(found *f, const cli_settings *settings) {
    const char *path = settings->argument[0];
    torsor_model *model = NULL;
    int status = cli_read_model(&model, settings);
    if (status) return cli_fail_file(status, path);
    if (settings->report)
        f->page = cli_file_name(strcmp(path, "-") == 0 ? "model" : path, "-modes.html");
    int code = cli_check_output("modes", settings->output, path, model);
    if (!code) code = check_page(f, path);
    if (!code) cli_warn_of_model(model);
    if (!code) status = search(f, model, settings);
    torsor_model_free(model);
    return status ? cli_fail_file(status, path) : code;
}

static int write_files(const found *f, const cli_settings *settings) {
    int status = settings->output ? torsor_modes_write(f->modes, settings->output) : 0;
    if (status) return cli_fail_status(status);
    if (settings->output && !settings->json)
        printf("  shapes      %s\n", cli_shown(settings->output));
    if (f->page)
        status = f->campbell ? torsor_campbell_report(f->campbell, f->page)
                             : torsor_modes_report(f->modes, f->page);
    if (status) return cli_fail_status(status);
    if (f->page && !settings->json) printf("  report      %s\n", cli_shown(f->page));
    return CLI_DONE;
}

static void tell_all(const found *f, const cli_settings *settings) {
    if (settings->json) {
        tell_json(f->modes, f->campbell, settings);
        return;
    }
    if (!settings->quiet) {
        cli_print_model(torsor_modes_run(f->modes), settings->argument[0], settings->verbose);
        tell_state(f->modes, settings);
    }
    tell(f->modes, settings);
    if (f->campbell) tell_curves(f->campbell);
}

static int run(const cli_settings *settings) {
    found f = {0};
    int code = find(&f, settings);
    if (!code) {
        cli_warn_of_start(torsor_modes_run(f.modes));
        tell_all(&f, settings);
        code = write_files(&f, settings);
    }
    torsor_campbell_free(f.campbell), torsor_modes_free(f.own);
    free(f.page);
    return code;
}

const cli_verb CLI_MODES = {
    .name = "modes",
    .help = "frequencies and shapes of vibration about equilibrium; buckling loads",
    .arguments = "MODEL.yaml",
    .least = 1,
    .models = 1,
    .most = 1,
    .about =
        "Finds the lowest modes of vibration about the state as drawn if it is in equilibrium, "
        "about the equilibrium under its loads if it is not, and about the end of a static "
        "analysis if the model has one; at rest, or in steady rotation (--spin).",
    .use = "modes",
    .options = OPTIONS,
    .run = run};
