/* SPDX-License-Identifier: Apache-2.0 */
/* torsor modes: frequencies and shapes of vibration about equilibrium, and buckling loads. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    CLI_OPTION_SET,
    {"modes", 'n', CLI_OPTION, 0, "N", "how many, the lowest first; default 10"},
    {"spin", 0, CLI_OPTION, 0, "VECTOR",
     "steady rotation of everything, ground included: \"[0, 0, 300 rpm]\"; bare numbers in rad/s"},
    {"about", 0, CLI_OPTION, 0, "PLACE",
     "a point of the axis of rotation: \"[0, 0, 20 mm]\", bare numbers in m, or the name of one of "
     "the model's points; default the origin"},
    {"as-drawn", 0, CLI_SWITCH, AT(as_drawn), NULL,
     "about the state as it is, without looking for equilibrium"},
    {"buckling", 0, CLI_SWITCH, AT(buckling), NULL,
     "factors of all loads at which the state as drawn buckles, in place of frequencies"},
    {"output", 'o', CLI_TEXT, AT(output), "FILE", "write the shapes to an HDF5 file"},
    {"force", 'f', CLI_FLAG, AT(force), NULL, "replace files that exist, whatever they are"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print one JSON object"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print the modes, warnings and errors only"},
    {"verbose", 'v', CLI_FLAG, AT(verbose), NULL, "tell every redundant condition"},
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

static void tell_mode(const torsor_modes *m, int i, const torsor_mode *mode) {
    double omega;
    const char *whirl = whirl_of(m, i, &omega);
    if (mode->share > 0)
        printf("  %s %s (%.0f %%)", mode->part, MOTION[mode->axis],
               100 * mode->share * mode->share_of_axis);
    if (whirl) printf(", whirls %ss, %.9g rad/s seen from outside", whirl, omega);
    if (mode->rigid) printf(", freely");
    if (!mode->rigid && mode->growth > 1e-6 * mode->frequency)
        printf(", UNSTABLE: grows with %.4g/s", mode->growth);
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
    printf("  most of it\n");
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
        printf("\n  free        %d motion%s, against which nothing acts\n", count,
               count > 1 ? "s" : "");
    for (int i = 0; i < torsor_modes_count(m); i++) {
        torsor_modes_get(m, i, &mode);
        if (!mode.rigid || torsor_modes_free_words(m, i, &words)) continue;
        printf("    mode %-3d  %s\n", i + 1, words);
        torsor_text_free(words);
    }
}

static void tell(const torsor_modes *m, const cli_settings *settings) {
    layout l = lay_out(m, settings);
    tell_head(&l);
    for (int i = 0; i < torsor_modes_count(m); i++) tell_row(m, i, &l);
    if (torsor_modes_count(m) == 0) printf("  none: nothing can move\n");
    tell_free(m);
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

static void tell_json(const torsor_modes *m, const cli_settings *settings) {
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
    ts_json_close(&j, '}');
    putchar('\n');
}

/* ---- the verb ---- */

static int find(torsor_modes **modes, const cli_settings *settings) {
    const char *path = settings->argument[0];
    torsor_model *model = NULL;
    int status = cli_read_model(&model, settings);
    if (status) return cli_fail_file(status, path);
    int code = cli_check_output("modes", settings->output, path, model);
    if (!code) cli_warn_of_model(model);
    if (!code) status = torsor_modes_find(modes, model, settings->options);
    torsor_model_free(model);
    return status ? cli_fail_file(status, path) : code;
}

static int write_shapes(const torsor_modes *modes, const cli_settings *settings) {
    int status = torsor_modes_write(modes, settings->output);
    if (status) return cli_fail_status(status);
    if (!settings->json) printf("  shapes      %s\n", cli_shown(settings->output));
    return CLI_DONE;
}

static int run(const cli_settings *settings) {
    torsor_modes *modes;
    int code = find(&modes, settings);
    if (code) return code;
    cli_warn_of_start(torsor_modes_run(modes));
    if (settings->json) {
        tell_json(modes, settings);
    } else {
        if (!settings->quiet) {
            cli_print_model(torsor_modes_run(modes), settings->argument[0], settings->verbose);
            tell_state(modes, settings);
        }
        tell(modes, settings);
    }
    if (settings->output) code = write_shapes(modes, settings);
    torsor_modes_free(modes);
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
