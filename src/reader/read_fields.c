/* SPDX-License-Identifier: Apache-2.0 */
/* A mapping by its table of fields: unknown keys, missing fields, values. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/reader.h"

enum { MAX_WORDS = 80, EXAMPLE_SIZE = 100, HINT_SIZE = 600 };

int ts_field_count(const ts_field *fields) {
    int count = 0;
    while (fields[count].name) count++;
    return count;
}

ts_value *ts_values_new(const ts_field *fields) {
    return ts_calloc((size_t)ts_field_count(fields), sizeof(ts_value));
}

void ts_values_free(const ts_field *fields, ts_value *values) {
    for (int i = 0; values && fields[i].name; i++) ts_value_clear(&values[i]);
    free(values);
}

static int find_field(const ts_field *fields, const char *name) {
    for (int i = 0; fields[i].name; i++)
        if (strcmp(fields[i].name, name) == 0) return i;
    return -1;
}

bool ts_has_field(const ts_field *fields, const char *name) {
    return find_field(fields, name) >= 0;
}

static bool among(const char *const *words, const char *word) {
    for (; words && *words; words++)
        if (strcmp(*words, word) == 0) return true;
    return false;
}

/* Keys that other programs have in joints, and where they belong. NULL: none of these. */
static const char *beside_joints(const char *key, const char *const *words) {
    static const char SPRING[] = "a spring in a joint is a part of `springs`: {type: joint_spring, "
                                 "joint: NAME, stiffness: 5 N/m}, or torsion_spring",
                      DRIVE[] = "a drive is a part of `loads`, {type: motor, joint: NAME, torque: "
                                "5 N*m}, or of `motions` where its motion is given",
                      STOP[] = "stops belong to a part of `springs`: {type: joint_spring, joint: "
                               "NAME, stop_max: 1 m, stop_stiffness: 1e6 N/m}, or torsion_spring",
                      RUB[] = "friction in a joint is a part of `springs`: {type: slide_friction, "
                              "joint: NAME, coefficient: 0.2}, or pivot_friction, ball_friction";
    static const char *const of[][2] = {
        {"friction", RUB},      {"pivot_friction", RUB}, {"slide_friction", RUB},
        {"ball_friction", RUB}, {"stiffness", SPRING},   {"damping", SPRING},
        {"spring", SPRING},     {"torque", DRIVE},       {"force", DRIVE},
        {"motor", DRIVE},       {"limits", STOP},        {"stop_min", STOP},
        {"stop_max", STOP},     {"lower", STOP},         {"upper", STOP}};
    bool joint = ts_is_among(words, "bodies") && ts_is_among(words, "at_b");
    for (size_t i = 0; joint && i < sizeof of / sizeof *of; i++)
        if (strcmp(key, of[i][0]) == 0) return of[i][1];
    return NULL;
}

/* Keys of a body that is thought of as a link between two places, or as a volume. NULL: none. */
static const char *beside_bodies(const char *key, const char *const *words) {
    static const char
        LINK[] =
            "for a link from A to B write `position: (A + B)/2, orientation: {x: B - A, y: "
            "[0, 1, 0]}, shape: box, size: [norm(B - A), 8 mm, 8 mm]`; see `torsor new four-bar`",
        MASS[] =
            "give `mass`, which may be an expression: `mass: 7800 kg/m^3*8 mm*8 mm*norm(B - A)`";
    static const char *const of[][2] = {{"from", LINK},     {"to", LINK},     {"start", LINK},
                                        {"end", LINK},      {"ends", LINK},   {"points", LINK},
                                        {"density", MASS},  {"rho", MASS},    {"volume", MASS},
                                        {"material", MASS}, {"section", MASS}};
    bool body = ts_is_among(words, "shape_axis");
    for (size_t i = 0; body && i < sizeof of / sizeof *of; i++)
        if (strcmp(key, of[i][0]) == 0) return of[i][1];
    return NULL;
}

/* Keys that other programs have in units and in the analysis. NULL: none of these. */
static const char *beside_settings(const char *key, const char *what) {
    static const char DERIVED[] =
        "units of other quantities follow from these: forces are in mN "
        "with kg, mm and s, in N with t, mm and s. Or write a unit behind "
        "a number",
                      RADIUS[] = "it is a parameter of the scheme: `scheme: {name: ED, rho_inf: "
                                 "0.6}`";
    static const char *const of[][3] = {
        {"units", "force", DERIVED},          {"units", "stress", DERIVED},
        {"units", "pressure", DERIVED},       {"units", "energy", DERIVED},
        {"analysis", "rho_inf", RADIUS},      {"analysis", "rho", RADIUS},
        {"analysis", "rho_infinity", RADIUS}, {"analysis", "spectral_radius", RADIUS}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strcmp(what, of[i][0]) == 0 && strcmp(key, of[i][1]) == 0) return of[i][2];
    return NULL;
}

static bool unknown_key(ts_reader *r, const ts_fields_job *job, const ts_yaml *key) {
    const char *words[MAX_WORDS + 1] = {0};
    int count = 0;
    for (const char *const *o = job->others; o && *o && count < MAX_WORDS; o++) words[count++] = *o;
    for (const ts_field *f = job->fields; f->name && count < MAX_WORDS; f++)
        words[count++] = f->name;
    char hint[400];
    ts_hint_words(hint, sizeof hint, key->text, words);
    const char *ours = ts_synonym(key->text, words), *beside = beside_joints(key->text, words);
    if (!beside) beside = beside_bodies(key->text, words);
    if (!beside) beside = beside_settings(key->text, job->what);
    if (beside) snprintf(hint, sizeof hint, "%s", beside);
    int field = ours ? find_field(job->fields, ours) : -1;
    if (field >= 0) { /* another word may have another meaning: explain torsor's field */
        size_t used = strlen(hint);
        snprintf(hint + used, sizeof hint - used, " %s", job->fields[field].help);
    }
    return ts_report(r->source, key->start, hint, "unknown key '%.60s' in %s", key->text,
                     job->what);
}

/* "for example `to: [1, 0, 0]`", or nothing. */
static const char *show_example(const ts_reader *r, const ts_field *field, char *hint,
                                size_t size) {
    char example[EXAMPLE_SIZE];
    ts_example_of(r, field, example, sizeof example);
    *hint = 0;
    if (*example) snprintf(hint, size, "for example `%s: %s`", field->name, example);
    return hint;
}

static bool read_one(ts_reader *r, const ts_fields_job *job, int i, ts_value *values) {
    const ts_yaml *key = job->map->key[i];
    int field = find_field(job->fields, key->text);
    if (field < 0) return among(job->others, key->text) || unknown_key(r, job, key);
    ts_value *value = &values[field];
    value->given = true;
    ts_source_place(r->source, job->map->item[i]->start, &value->line, &value->column);
    int before = r->source->diagnostics->count;
    if (ts_read_value(r, job->map->item[i], &job->fields[field], value)) return true;
    char hint[HINT_SIZE];
    ts_report_hint(r->source, before, "expected ",
                   show_example(r, &job->fields[field], hint, sizeof hint));
    return false;
}

/* Is there a key that is no field, but nearly this one? Then that mistake was reported already. */
static bool misspelt(const ts_fields_job *job, const char *name) {
    for (int i = 0; i < job->map->count; i++) {
        const char *key = job->map->key[i]->text, *nearest = NULL;
        int best = INT_MAX;
        if (find_field(job->fields, key) >= 0 || among(job->others, key)) continue;
        for (const ts_field *f = job->fields; f->name; f++)
            if (ts_word_closer(key, strlen(key), f->name, &best)) nearest = f->name;
        if (nearest && strcmp(nearest, name) == 0) return true;
    }
    return false;
}

/* Keys that are no fields, and nearly none. */
static int strange_keys(const ts_fields_job *job) {
    int count = 0;
    for (int i = 0; i < job->map->count; i++) {
        const char *key = job->map->key[i]->text;
        int best = INT_MAX;
        bool strange = find_field(job->fields, key) < 0 && !among(job->others, key);
        for (const ts_field *f = job->fields; strange && f->name; f++)
            strange = !ts_word_closer(key, strlen(key), f->name, &best);
        count += strange;
    }
    return count;
}

static bool missing(ts_reader *r, const ts_fields_job *job, const ts_field *field) {
    char hint[HINT_SIZE];
    show_example(r, field, hint, sizeof hint);
    size_t used = strlen(hint);
    snprintf(hint + used, sizeof hint - used, "%s%s", used ? ". " : "", field->help);
    return ts_report(r->source, job->place, hint, "'%s' is missing in %s", field->name, job->what);
}

/* A strange key may stand for a missing field: `weight` for `mass`. As many missing fields are not
 * reported. */
static bool nothing_missing(ts_reader *r, const ts_fields_job *job, const ts_value *values) {
    bool fine = true;
    int strange = strange_keys(job);
    for (int i = 0; job->fields[i].name; i++)
        if (job->fields[i].required && !values[i].given && !misspelt(job, job->fields[i].name) &&
            strange-- <= 0)
            fine = missing(r, job, &job->fields[i]);
    return fine;
}

bool ts_read_fields(ts_reader *r, const ts_fields_job *job, ts_value *values) {
    bool fine = true;
    for (int i = 0; i < job->map->count; i++) fine &= read_one(r, job, i, values);
    return nothing_missing(r, job, values) && fine;
}
