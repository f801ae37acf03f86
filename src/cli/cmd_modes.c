/* torsor modes: frequencies and shapes of vibration about equilibrium, and buckling loads. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "expr/expr.h"
#include "parts/parts.h"
#include "results/modes.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"modes", 'n', CLI_COUNT, AT(modes), "N", "how many, the lowest first; default 10"},
    {"spin", 0, CLI_TEXT, AT(spin), "VECTOR",
     "steady rotation of everything, ground included: \"[0, 0, 300 rpm]\"; bare numbers in rad/s"},
    {"about", 0, CLI_TEXT, AT(about), "PLACE",
     "a point of the axis of rotation: \"[0, 0, 20 mm]\", bare numbers in m, or the name of one of "
     "the model's points; default the origin"},
    {"as-drawn", 0, CLI_FLAG, AT(as_drawn), NULL,
     "about the state as it is, without looking for equilibrium"},
    {"buckling", 0, CLI_FLAG, AT(buckling), NULL,
     "factors of all loads at which the state as drawn buckles, in place of frequencies"},
    {"output", 'o', CLI_TEXT, AT(output), "FILE", "write the shapes to an HDF5 file"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print one JSON object"},
    {0}};

enum { USUAL = 10 };

/* ---- vectors on the command line ---- */

/* The components of "[a, b, c]" (brackets may be left out), split at commas outside parentheses. */
static int split(const char *text, const char *start[3], size_t length[3]) {
    size_t end = strlen(text), begin = 0;
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == ']')) end--;
    while (begin < end && (text[begin] == ' ' || text[begin] == '[')) begin++;
    int count = 0, depth = 0;
    start[0] = text + begin;
    for (size_t i = begin; i <= end; i++) {
        char c = i < end ? text[i] : ',';
        depth += (c == '(') - (c == ')');
        if (c != ',' || (depth > 0 && i < end)) continue;
        length[count] = (size_t)(text + i - start[count]);
        if (++count == 3) return i == end ? 3 : 4;
        if (i < end) start[count] = text + i + 1;
    }
    return count;
}

static int read_vector(const char *option, const char *text, ts_dim dim, v3 *out) {
    const char *start[3];
    size_t length[3];
    double value[3];
    *out = v3_make(0, 0, 0);
    if (!text) return CLI_DONE;
    if (split(text, start, length) != 3)
        return cli_fail(CLI_USAGE, "--%s %.60s: expected three numbers, \"[x, y, z]\"", option,
                        text);
    for (int i = 0; i < 3; i++) {
        ts_expr *expr;
        ts_expr_error error;
        if (ts_expr_compile(&expr, start[i], length[i], NULL, false, &error))
            return cli_fail(CLI_USAGE, "--%s %.60s: %s", option, text, error.message);
        ts_dim got = ts_expr_dim(expr);
        value[i] = ts_expr_value(expr, 0);
        ts_expr_free(expr);
        char name[64];
        if (!ts_dim_bare(got) && !ts_dim_fits(got, dim))
            return cli_fail(CLI_USAGE, "--%s %.60s: expected %s", option, text,
                            ts_dim_name(dim, name, sizeof name));
    }
    *out = v3_load(value);
    return CLI_DONE;
}

/* Numbers start with a bracket, a digit, a sign or a parenthesis; anything else is the name of a point. */
static bool is_name(const char *text) {
    return text && (isalpha((unsigned char)*text) || *text == '_');
}

static int find_place(const cli_session *s, const char *name, v3 *out) {
    const ts_document *d = s->document;
    char names[300] = "";
    for (int i = 0; i < d->place_count; i++) {
        if (strcmp(d->places[i].name, name) == 0) {
            *out = d->places[i].x;
            return CLI_DONE;
        }
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", d->places[i].name);
    }
    return cli_fail(CLI_USAGE, "--about %.60s: the model has no point of this name; it has %s",
                    name, d->place_count ? names : "none; give three numbers, \"[x, y, z]\"");
}

/* ---- what there is to say ---- */

static const char *const MOTION[] = {"moves along x", "moves along y", "moves along z",
                                     "turns about x", "turns about y", "turns about z"};

static void tell_state(const cli_session *s, const ts_modes *m, const cli_settings *settings) {
    const ts_options *o = &s->document->options;
    printf("  state       ");
    if (settings->buckling)
        printf("as drawn, loads from nothing\n");
    else if (o->statics || o->settle || m->settled)
        printf("static equilibrium%s\n", o->statics ? " at the end of the analysis" : "");
    else
        printf("as drawn%s\n", settings->as_drawn ? "" : ", in equilibrium");
    if (v3_norm(m->spin) > 0)
        printf("  rotation    (%g, %g, %g) rad/s about (%g, %g, %g) m\n", m->spin.x, m->spin.y,
               m->spin.z, m->about.x, m->about.y, m->about.z);
}

static void tell_hint(const cli_session *s, const ts_modes *m, int i) {
    const ts_model *model = s->document->model;
    ts_mode_hint h = ts_mode_explain(s->system, m, i);
    if (h.share > 0)
        printf("  %s %s (%.0f %%)", model->parts[h.part].name, MOTION[h.axis],
               100 * h.share * h.in_axis);
}

static const char *const WHIRL[] = {"", "forward", "backward"};

static void tell_whirl(const cli_session *s, const ts_modes *m, int i) {
    ts_whirl whirl = ts_mode_whirl(s->system, m, i);
    if (whirl.way != TS_NO_WHIRL)
        printf(", whirls %ss, %.9g rad/s seen from outside", WHIRL[whirl.way], whirl.frequency);
}

static void tell_free(const cli_session *s, const ts_modes *m) {
    char words[400];
    if (m->free_motions > 0)
        printf("\n  free        %d motion%s, against which nothing acts\n", m->free_motions,
               m->free_motions > 1 ? "s" : "");
    for (int i = 0; i < m->count; i++) {
        if (!m->mode[i].rigid) continue;
        ts_mode_free_words(s->system, m, i, words, sizeof words);
        printf("    mode %-3d  %s\n", i + 1, words);
    }
}

static void tell(const cli_session *s, const ts_modes *m, const cli_settings *settings) {
    bool damped = false;
    for (int i = 0; i < m->count; i++) damped |= m->mode[i].growth != 0;
    bool masses = !settings->buckling && !m->quarter && m->mass > 0;
    if (masses) printf("\n%40s%21s", "", "effective mass, %");
    if (settings->buckling)
        printf("\n  mode      load factor");
    else
        printf("\n  mode     frequency, Hz           rad/s%s", damped ? "     damping" : "");
    if (masses) printf("%7s%7s%7s", "x", "y", "z");
    printf("  most of it\n");
    for (int i = 0; i < m->count; i++) {
        const ts_mode *mode = &m->mode[i];
        printf("  %4d", i + 1);
        if (settings->buckling) {
            printf("  %15.9g", mode->factor);
        } else {
            printf("  %16.9g%16.9g", mode->frequency / (2 * M_PI), mode->frequency);
            if (damped) printf("%12.4g", mode->damping);
            for (int k = 0; k < 3 && masses; k++)
                printf("%7.2f", 100 * v3_get(mode->effective, k) / m->mass);
        }
        tell_hint(s, m, i);
        tell_whirl(s, m, i);
        if (mode->rigid) printf(", freely");
        if (!mode->rigid && mode->growth > 1e-6 * mode->frequency)
            printf(", UNSTABLE: grows with %.4g/s", mode->growth);
        putchar('\n');
    }
    if (m->count == 0) printf("  none: nothing can move\n");
    tell_free(s, m);
}

static void tell_json(const cli_session *s, const ts_modes *m, const cli_settings *settings) {
    ts_json j = {.out = stdout};
    ts_json_open(&j, NULL, '{');
    cli_json_model(&j, s, settings->argument[0]);
    cli_json_vector(&j, "spin", m->spin);
    cli_json_vector(&j, "about", m->about);
    ts_json_flag(&j, "settled", m->settled);
    cli_json_number(&j, "imbalance", m->imbalance);
    cli_json_number(&j, "moving_mass", m->mass);
    cli_json_number(&j, "free_motions", m->free_motions);
    ts_json_open(&j, "modes", '[');
    for (int i = 0; i < m->count; i++) {
        const ts_mode *mode = &m->mode[i];
        ts_mode_hint h = ts_mode_explain(s->system, m, i);
        ts_json_open(&j, NULL, '{');
        if (settings->buckling) {
            cli_json_number(&j, "load_factor", mode->factor);
        } else {
            cli_json_number(&j, "frequency", mode->frequency / (2 * M_PI));
            cli_json_number(&j, "omega", mode->frequency);
            cli_json_number(&j, "growth", mode->growth);
            cli_json_number(&j, "damping", mode->damping);
            ts_json_flag(&j, "rigid", mode->rigid);
            if (mode->rigid) {
                char words[400];
                ts_mode_free_words(s->system, m, i, words, sizeof words);
                ts_json_text(&j, "free_motion", words);
            }
            if (!m->quarter) cli_json_vector(&j, "effective_mass", mode->effective);
            ts_whirl whirl = ts_mode_whirl(s->system, m, i);
            if (whirl.way != TS_NO_WHIRL) {
                ts_json_text(&j, "whirl", WHIRL[whirl.way]);
                cli_json_number(&j, "omega_outside", whirl.frequency);
            }
        }
        ts_json_text(&j, "part", s->document->model->parts[h.part].name);
        cli_json_number(&j, "share", h.share);
        ts_json_text(&j, "motion", MOTION[h.axis]);
        cli_json_number(&j, "share_of_motion", h.in_axis);
        ts_json_close(&j, '}');
    }
    ts_json_close(&j, ']');
    ts_json_close(&j, '}');
    putchar('\n');
}

/* ---- the verb ---- */

static int find(cli_session *session, const cli_settings *settings, ts_modes **modes) {
    const char *path = settings->argument[0];
    ts_modal_options modal = {.modes = settings->modes < 0 ? USUAL : (int)settings->modes,
                              .as_drawn = settings->as_drawn};
    if (settings->modes == 0 || settings->modes > 1000000)
        return cli_fail(CLI_USAGE, "--modes: expected 1 to 1e6");
    if (settings->buckling && (settings->spin || settings->as_drawn))
        return cli_fail(CLI_USAGE, "--buckling goes without --spin and --as-drawn");
    if (settings->about && !settings->spin)
        return cli_fail(CLI_USAGE, "--about is the axis of a rotation: give --spin too");
    int code = read_vector("spin", settings->spin, (ts_dim)TS_DIM_ANGULAR_VELOCITY, &modal.spin);
    bool named = is_name(settings->about);
    if (!code && !named)
        code = read_vector("about", settings->about, (ts_dim)TS_DIM_LENGTH, &modal.about);
    if (!code && settings->output) code = cli_check_output(settings->output, path);
    if (!code) code = cli_session_read(session, path, true);
    if (!code && named) code = find_place(session, settings->about, &modal.about);
    if (code) return code;
    if (settings->as_drawn || settings->buckling) session->document->options.settle = 0;
    code = cli_session_assemble(session);
    if (code) return cli_fail(code, "%s: %s", path, torsor_error());
    const ts_options *o = &session->document->options;
    int status = settings->buckling ? ts_buckling_find(modes, session->system, o, &modal)
                                    : ts_modes_find(modes, session->system, o, &modal);
    return status ? cli_fail(cli_exit_of(status), "%s: %s", path, torsor_error()) : CLI_DONE;
}

static int run(const cli_settings *settings) {
    cli_session session = {0};
    ts_modes *modes = NULL;
    int code = find(&session, settings, &modes);
    if (!code && settings->json) tell_json(&session, modes, settings);
    if (!code && !settings->json) {
        cli_print_model(&session, settings->argument[0]);
        tell_state(&session, modes, settings);
        tell(&session, modes, settings);
    }
    if (!code && settings->output) {
        int status = ts_results_modes(settings->output, session.document, session.system, modes,
                                      settings->buckling);
        if (status)
            code = cli_fail_status(status);
        else if (!settings->json)
            printf("  shapes      %s\n", settings->output);
    }
    ts_modes_free(modes);
    cli_session_clear(&session);
    return code;
}

const cli_verb CLI_MODES = {
    .name = "modes",
    .help = "frequencies and shapes of vibration about equilibrium; buckling loads",
    .arguments = "MODEL.yaml",
    .least = 1,
    .most = 1,
    .about =
        "Finds the lowest modes of vibration about the state as drawn if it is in equilibrium, "
        "about the equilibrium under its loads if it is not, and about the end of a static "
        "analysis if the model has one; at rest, or in steady rotation (--spin).",
    .options = OPTIONS,
    .run = run};
