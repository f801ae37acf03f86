/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a results file: checks its format and completeness, and reads states bit for bit.
 *
 * Only rows counted by `progress` are read, so a file that is still being written, or whose run was
 * killed, is read like any other.
 *
 * All data are checked: types, shapes and sizes before reading (h5_read.c), rows against their
 * checksums (checksum.c), the text of the model against its hash, and a state before a run
 * continues from it. HDF5 itself crashes on some damaged files. So the program first opens a file
 * in a child process (cli/rehearsal.c); a library must not do this. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/sha256.h"
#include "results/checksum.h"

enum { ATTEMPTS = 3, LOOK_BACK = 10000 };
static const char PAIRS[] = "contact_pairs";

static int cannot_read(const ts_results *r) {
    return ts_fail(TORSOR_EIO, "cannot read %s: %s", r->path, ts_error_message());
}

/* ---- opening ---- */

static bool ends_with(const char *path, const char *suffix) {
    size_t length = strlen(path), tail = strlen(suffix);
    return length > tail && strcmp(path + length - tail, suffix) == 0;
}

static int open_file(ts_results *r) {
    if (access(r->path, R_OK))
        return ts_fail(TORSOR_EIO, "cannot read %s: %s", r->path, strerror(errno));
    if (!ts_h5_is_hdf5(r->path) && ends_with(r->path, ".yaml"))
        return ts_fail(TORSOR_EIO,
                       "%s is a model, not a results file: run it first, 'torsor run %s'", r->path,
                       r->path);
    if (!ts_h5_is_hdf5(r->path))
        return ts_fail(TORSOR_EIO, "%s is not a results file (it is not HDF5)", r->path);
    if (ts_h5_open(&r->file, r->path, false) == 0) return 0;
    if (strstr(ts_error_message(), "truncated"))
        return ts_fail(TORSOR_EIO, "%s is cut short: its end is missing (an interrupted copy?)",
                       r->path);
    return cannot_read(r);
}

static int check_format(ts_results *r) {
    char format[32];
    int64_t version;
    if (ts_h5_get_text(r->file, "/", "format", format, sizeof format) ||
        strcmp(format, "torsor-results") != 0 ||
        ts_h5_get_integer(r->file, "/", "format_version", &version))
        return ts_fail(TORSOR_EIO, "%s is an HDF5 file, but not a results file of torsor", r->path);
    r->version = version;
    if (version >= 1 && version <= TS_RESULTS_VERSION) return 0;
    return ts_fail(
        TORSOR_EIO,
        "%s has format version %lld and this torsor (%s) reads up to %d: use a newer one", r->path,
        (long long)version, TORSOR_VERSION, TS_RESULTS_VERSION);
}

static int read_progress(ts_results *r) {
    int64_t extent[] = {TS_GROUPS};
    if (ts_h5_expect(&r->progress, r->file, "/progress", true, 1, extent) ||
        ts_h5_read(r->progress, true, 0, TS_GROUPS, 1, r->rows))
        return cannot_read(r);
    return 0;
}

/* The shape must be that of the table, with as many entries as the other arrays of the family, and
 * all counted rows. */
static int open_series(ts_results *r, ts_series_id id) {
    const ts_series *series = &TS_SERIES[id];
    ts_track *track = &r->track[id];
    char name[64];
    int64_t extent[3] = {-1}, *entries = &r->entries[series->each];
    int rank = 1;
    if (series->later && !ts_h5_exists(r->file, ts_series_path(id, name))) return 0;
    if (series->each != TS_EACH_ROW) extent[rank++] = *entries;
    if (series->width > 1) extent[rank++] = series->width;
    if (ts_h5_expect(&track->set, r->file, ts_series_path(id, name), series->integer, rank, extent))
        return cannot_read(r);
    int64_t rows = r->rows[series->group], *most = &r->most_rows[series->group];
    if (extent[0] < *most) *most = extent[0];
    if (rows < 0 || rows > extent[0])
        return ts_fail(TORSOR_EIO, "cannot read %s: dataset '%s' has an unexpected shape", r->path,
                       name);
    if (series->each != TS_EACH_ROW) *entries = extent[1];
    track->values = *entries * series->width;
    return 0;
}

static int read_text(ts_results *r) {
    char stored[65], hash[65];
    if (ts_h5_text_read(r->file, "/model/text", &r->text, &r->length) ||
        ts_h5_get_text(r->file, "/", "model_hash", stored, sizeof stored))
        return cannot_read(r);
    ts_sha256_hex(r->text, r->length, hash);
    if (strcmp(stored, hash) == 0) return 0;
    return ts_fail(TORSOR_EIO,
                   "%s: the text of its model is not the one that was run (SHA-256 %.12s..., "
                   "model_hash %.12s...). The file is damaged or was changed. To run another "
                   "model, run its own file",
                   r->path, hash, stored);
}

/* The version must agree with the contents: otherwise the file is damaged. */
static int find_checksums(ts_results *r) {
    r->sealed = ts_h5_has_checksums(r->file);
    r->end_whole = true;
    if (r->sealed != (r->version >= 3))
        return ts_fail(TORSOR_EIO, "%s is damaged: format version %lld %s", r->path,
                       (long long)r->version,
                       r->sealed ? "has no checksums, but they are there"
                                 : "has checksums, but they are missing");
    if (!r->sealed || !ts_sums_find(r)) return 0;
    return strstr(ts_error_message(), r->path) ? TORSOR_EIO : cannot_read(r);
}

static int open_all(ts_results *r) {
    if (open_file(r) || check_format(r) || read_progress(r)) return TORSOR_EIO;
    for (int e = 0; e < TS_EACH_COUNT; e++) r->entries[e] = e == TS_EACH_ROW ? 1 : -1;
    for (int g = 0; g < TS_GROUPS; g++) r->most_rows[g] = INT64_MAX;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (open_series(r, (ts_series_id)i)) return TORSOR_EIO;
    /* an older file */
    for (int e = 0; e < TS_EACH_COUNT; e++)
        if (r->entries[e] < 0) r->entries[e] = 0;
    if (ts_pairs_find(r)) return cannot_read(r);
    return find_checksums(r) || read_text(r) ? TORSOR_EIO : 0;
}

int ts_results_open(ts_results **out, const char *path) {
    *out = NULL;
    ts_results *r = ts_results_blank(path);
    int status = open_all(r);
    if (status)
        ts_results_discard(r);
    else
        *out = r;
    return status;
}

void ts_results_free(ts_results *results) { ts_results_discard(results); }

/* ---- what is in it ---- */

int64_t ts_results_frames(const ts_results *r) { return r->rows[TS_FRAMES]; }

const char *ts_results_text(const ts_results *r, size_t *length) {
    if (length) *length = r->length;
    return r->text;
}

/* ---- rows, and damage to them ---- */

static int read_rows(ts_results *r, ts_series_id id, int64_t first, int64_t rows, void *out) {
    const ts_track *track = &r->track[id];
    if (ts_h5_read(track->set, TS_SERIES[id].integer, first, rows, track->values, out))
        return cannot_read(r);
    return 0;
}

/* The first array of the state whose row is not as it was written; NULL: none that is known. */
static const char *bad_series(ts_results *r, int64_t frame) {
    bool good = true;
    if (!r->sealed) return NULL;
    for (int i = 0; i < TS_SERIES_COUNT; i++) {
        const ts_track *track = &r->track[i];
        bool state = TS_SERIES[i].kept != TS_KEPT_NOT || i == TS_FRAME_LEDGER ||
                     i == TS_FRAME_INPUT || i == TS_FRAME_RANGE;
        if (!state || track->set < 0 || track->values == 0) continue;
        double *row = ts_calloc((size_t)track->values, sizeof *row);
        good = !read_rows(r, (ts_series_id)i, frame, 1, row) &&
               ts_sums_bad_frame(r, (ts_series_id)i, frame, 1, row) < 0;
        free(row);
        if (!good) return TS_SERIES[i].name;
    }
    return ts_pairs_good(r, frame) ? NULL : PAIRS;
}

bool ts_results_is_good(ts_results *r, int64_t frame) { return !bad_series(r, frame); }

static int frame_is_damaged(ts_results *r, const char *name, int64_t frame) {
    int64_t good = frame - 1, step = 0;
    while (good >= 0 && frame - good < LOOK_BACK && !ts_results_is_good(r, good)) good--;
    if (good < 0 || !ts_results_is_good(r, good) || read_rows(r, TS_FRAME_STEP, good, 1, &step))
        return ts_fail(TORSOR_EIO,
                       "%s is damaged: '%s' of stored state %lld is not as it was written, and no "
                       "state before it is good",
                       r->path, name, (long long)frame);
    return ts_fail(
        TORSOR_EIO,
        "%s is damaged: '%s' of stored state %lld is not as it was written. The last good state "
        "before it is number %lld: torsor restart --from %lld continues there",
        r->path, name, (long long)frame, (long long)good, (long long)step);
}

int ts_results_check_frame(ts_results *r, int64_t frame) {
    const char *bad = bad_series(r, frame);
    return bad ? frame_is_damaged(r, bad, frame) : 0;
}

/* The caller gets the very numbers whose checksums were compared. */
static int step_rows(ts_results *r, ts_series_id id, int64_t first, int64_t rows, void *out) {
    int64_t bad;
    if (ts_sums_steps(r, id, first, rows, out, &bad)) return cannot_read(r);
    if (bad < 0) return 0;
    return ts_fail(TORSOR_EIO,
                   "%s is damaged: row %lld of '/steps' is not as it was written. Stored states "
                   "have their own checksums, and torsor restart continues from a good one",
                   r->path, (long long)bad);
}

/* A run may write a row again between the reading of the row and of its checksum. */
int ts_results_rows(ts_results *r, ts_series_id id, int64_t first, int64_t rows, void *out) {
    if (r->sealed && !r->writing && TS_SERIES[id].group == TS_STEPS)
        return step_rows(r, id, first, rows, out);
    int64_t bad = -1;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (read_rows(r, id, first, rows, out)) return TORSOR_EIO;
        if (!r->sealed || TS_SERIES[id].group != TS_FRAMES || r->track[id].values == 0) return 0;
        bad = ts_sums_bad_frame(r, id, first, rows, out);
        if (bad < 0) return 0;
        ts_sums_forget(r);
    }
    return frame_is_damaged(r, TS_SERIES[id].name, bad);
}

int ts_results_pairs(ts_results *r, int64_t frame, int64_t *numbers, double **row) {
    if (ts_pairs_read(r, frame, numbers, row)) return cannot_read(r);
    if (!r->sealed || !ts_pairs_told(r) || ts_sums_pairs_good(r, frame, *row, 8 * (size_t)*numbers))
        return 0;
    free(*row);
    *row = NULL, *numbers = 0;
    return frame_is_damaged(r, PAIRS, frame);
}

/* All rows, by blocks of about a megabyte. */
static int verify_series(ts_results *r, ts_series_id id) {
    int64_t values = r->track[id].values, rows = r->rows[TS_SERIES[id].group];
    int64_t most = values < 131072 ? 131072 / values : 1;
    double *block = ts_calloc((size_t)(most * values), sizeof *block);
    int status = 0;
    for (int64_t first = 0; first < rows && !status; first += most)
        status = ts_results_rows(r, id, first, rows - first < most ? rows - first : most, block);
    free(block);
    return status;
}

int ts_results_verify(ts_results *r) {
    int status = r->sealed ? verify_series(r, TS_STEP_STEP) : 0; /* with it, all of /steps */
    for (int i = 0; i < TS_SERIES_COUNT && !status && r->sealed; i++)
        if (TS_SERIES[i].group == TS_FRAMES && r->track[i].set >= 0 && r->track[i].values > 0)
            status = verify_series(r, (ts_series_id)i);
    for (int64_t k = 0; k < r->rows[TS_FRAMES] && !status; k++)
        if (!ts_pairs_good(r, k)) status = frame_is_damaged(r, PAIRS, k);
    return status;
}

static int check_frame(const ts_results *r, int64_t frame) {
    int64_t frames = ts_results_frames(r);
    if (frame >= 0 && frame < frames) return 0;
    if (frames == 0) return ts_fail(TORSOR_EINVAL, "%s contains no stored state", r->path);
    return ts_fail(TORSOR_EINVAL, "%s contains the stored states 0 to %lld, there is no %lld",
                   r->path, (long long)(frames - 1), (long long)frame);
}

int ts_results_frame_step(ts_results *r, int64_t frame, int64_t *step, double *t) {
    int status = check_frame(r, frame);
    if (!status && step) status = ts_results_rows(r, TS_FRAME_STEP, frame, 1, step);
    if (!status && t) status = ts_results_rows(r, TS_FRAME_T, frame, 1, t);
    return status;
}

/* Files that do not say it are of versions that forgot at every regular state. */
int ts_results_exact(ts_results *r, int64_t frame, bool *exact) {
    int64_t told = 1, step, every;
    *exact = false;
    int status = ts_results_frame_step(r, frame, &step, NULL);
    if (!status && r->track[TS_FRAME_EXACT].set >= 0)
        status = ts_results_rows(r, TS_FRAME_EXACT, frame, 1, &told);
    else if (!status && !ts_h5_get_integer(r->file, "/", "store_every", &every) && every > 0)
        told = step % every == 0;
    *exact = !status && told == 1;
    return status;
}

/* ---- the options of the run ---- */

static int get_attribute(ts_h5 file, const ts_attribute *a, void *place) {
    int64_t whole;
    if (a->type == TS_ATTRIBUTE_REAL) return ts_h5_get_number(file, "/", a->name, place);
    if (a->type == TS_ATTRIBUTE_WHOLE) return ts_h5_get_integer(file, "/", a->name, place);
    int status = ts_h5_get_integer(file, "/", a->name, &whole);
    if (!status && (whole < INT_MIN || whole > INT_MAX))
        status = ts_fail(TORSOR_EIO, "attribute '%s' is out of range", a->name);
    if (!status) *(int *)place = (int)whole;
    return status;
}

/* A file from before schemes had parameters has no text of them. */
int ts_results_parameters(const ts_results *r, const ts_scheme *scheme, ts_scheme_values *values) {
    char text[TS_PARAMETERS_TEXT + 1] = "";
    const ts_scheme_parameter *p = scheme ? scheme->parameters : NULL;
    if (ts_h5_get_text(r->file, "/", "scheme_parameters", text, sizeof text)) *text = 0;
    *values = (ts_scheme_values){0};
    int status = scheme ? ts_parameters_read(values, scheme, text) : 0;
    for (int i = 0; p && p[i].name && !status; i++) {
        double value;
        if (p[i].reach == TS_COMMON && !ts_h5_get_number(r->file, "/", p[i].name, &value))
            status = ts_parameter_set(values, scheme, p[i].name, strlen(p[i].name), value);
    }
    return status ? ts_fail(TORSOR_EIO, "%s: %s", r->path, ts_error_message()) : 0;
}

int ts_results_options(const ts_results *r, ts_options *o) {
    int status = ts_h5_get_text(r->file, "/", "scheme", o->scheme, sizeof o->scheme);
    for (int i = 0; i < TS_OPTION_COUNT && !status; i++)
        status = get_attribute(r->file, &TS_OPTIONS[i], (char *)o + TS_OPTIONS[i].offset);
    if (status) return cannot_read(r);
    /* a file from before there was a choice */
    if (ts_h5_get_text(r->file, "/", "solver", o->solver, sizeof o->solver))
        snprintf(o->solver, sizeof o->solver, "klu");
    if (ts_results_parameters(r, ts_scheme_find(o->scheme), &o->parameters)) return TORSOR_EIO;
    if (ts_h5_get_number(r->file, "/", "step_tolerance", &o->step_tolerance) ||
        ts_h5_get_number(r->file, "/", "step_energy", &o->step_energy) ||
        ts_h5_get_number(r->file, "/", "min_step", &o->min_step))
        o->step_tolerance = o->step_energy = o->min_step = 0; /* likewise */
    int64_t exact = 1; /* likewise: every stored state is exact */
    if (ts_h5_get_integer(r->file, "/", "exact_every", &exact) || exact < 0 || exact > INT_MAX)
        exact = 1;
    o->exact_every = (int)exact;
    o->auto_step = false;
    if (!(o->h > 0) || !(o->t_end > 0) || !isfinite(o->h) || !isfinite(o->t_end) ||
        o->store_every < 1 || o->max_iterations < 1 || o->max_cuts < 0 || o->max_cuts > 1000)
        return ts_fail(TORSOR_EIO, "%s: the stored options of the run are not valid", r->path);
    return 0;
}

/* ---- a state ---- */

/* A row of every series that goes into the state must have just the size that it has there. */
static int check_model(const ts_results *r, const ts_model *model) {
    ts_subject subject = {.model = model};
    for (int i = 0; i < TS_SERIES_COUNT; i++) {
        const ts_family *family = &TS_FAMILY[TS_SERIES[i].each];
        int64_t found = r->entries[TS_SERIES[i].each];
        bool other = TS_SERIES[i].each == TS_EACH_MEASURE; /* of another version: not read */
        if (TS_SERIES[i].kept == TS_KEPT_NOT || r->track[i].set < 0 || other) continue;
        int64_t wanted = family->count ? family->count(&subject) : family->list(&subject, NULL);
        if (found != wanted)
            return ts_fail(
                TORSOR_EINVAL,
                "the states in %s belong to another model: %lld numbers of '%s' there, %lld here",
                r->path, (long long)found, TS_SERIES[i].name, (long long)wanted);
    }
    return 0;
}

/* Files of version 1 count the energy of gravity from the origin of coordinates. */
static void count_from_drawing(ts_system *system) {
    double kinetic, elastic, gravity;
    ts_energies(system, &kinetic, &elastic, &gravity);
    system->energy_start += gravity - system->ledger.gravity;
    system->ledger.gravity = gravity;
}

static int read_account(ts_results *r, int64_t frame, ts_system *system) {
    double account[TS_LEDGER_COLUMNS];
    if (ts_results_rows(r, TS_FRAME_LEDGER, frame, 1, account)) return TORSOR_EIO;
    memcpy(&system->ledger, account, sizeof system->ledger);
    system->energy_start = account[TS_LEDGER_COLUMNS - 1];
    if (r->version < 2) count_from_drawing(system);
    return 0;
}

/* Files of version 1 do not have what the strains of the last step of ED follow from. */
static bool lacks_jump(const ts_results *r, const ts_system *system) {
    bool stations = system->model->stations_count > 0;
    return r->version < 2 && stations && ts_trail_alpha(&system->state) >= 0;
}

/* Files of another version may have other measures; a file without inputs has no count of them. */
static bool counted_alike(const ts_results *r, const ts_channel *c, const ts_model *model) {
    if (c->each == TS_EACH_MEASURE) return r->entries[c->each] == TS_GAUGES;
    return c->each != TS_EACH_INPUT || r->entries[c->each] == model->inputs;
}

/* Shapes that touch. */
static int read_pairs(ts_results *r, int64_t frame, ts_system *system) {
    const ts_model *model = system->model;
    int64_t numbers;
    double *row;
    system->state.touching.count = 0;
    if (model->contacts_count == 0) return 0;
    if (!ts_pairs_told(r))
        return ts_fail(TORSOR_EIO, "%s does not contain the pairs of shapes that touch", r->path);
    int status = ts_results_pairs(r, frame, &numbers, &row);
    if (!status && !ts_touching_unpack(model, row, numbers, &system->state.touching))
        status = ts_fail(TORSOR_EIO,
                         "%s: stored state %lld does not contain all pairs of shapes that touch; "
                         "choose another one by --from",
                         r->path, (long long)frame);
    free(row);
    return status;
}

/* The series that come from the state go back to where they came from. */
int ts_results_state(ts_results *r, int64_t frame, ts_system *system) {
    int status = check_frame(r, frame);
    if (!status) status = check_model(r, system->model);
    for (int i = 0; i < TS_SERIES_COUNT && !status; i++) {
        const ts_channel *c = &TS_SERIES[i];
        void *place = (char *)&system->state + c->offset;
        bool there = !c->later || r->track[i].set >= 0;
        if (c->kept == TS_KEPT_NOT || !there || !counted_alike(r, c, system->model)) continue;
        if (c->kept == TS_KEPT_ARRAY) place = *(double **)place;
        status = ts_results_rows(r, (ts_series_id)i, frame, 1, place);
    }
    if (!status) status = read_pairs(r, frame, system);
    if (!status && r->track[TS_FRAME_PAST].set >= 0) ts_trail_recall(&system->state);
    if (!status && lacks_jump(r, system)) ts_trail_forget(&system->state);
    if (!status && system->view) ts_view_follow(system);
    return status ? status : read_account(r, frame, system);
}

/* ---- may a run go on from it? ---- */

static bool all_finite(int64_t count, const double *numbers) {
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(numbers[i])) return false;
    return true;
}

/* How far the directors of a frame are from orthonormal. */
static double skewness(const double *d) {
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            double dot = 0;
            for (int k = 0; k < 3; k++) dot += d[3 * i + k] * d[3 * j + k];
            worst = fmax(worst, fabs(dot - (i == j)));
        }
    return worst;
}

static int not_admissible(const ts_results *r, int64_t frame, const char *why) {
    return ts_fail(TORSOR_EIO,
                   "%s: a run cannot continue from stored state %lld: %s. The file is damaged or "
                   "was changed; choose an earlier state by --from",
                   r->path, (long long)frame, why);
}

/* Violations reported by the step, which this state must not exceed by much; NaN: unknown. */
static double told_violation(ts_results *r, int64_t step) {
    int64_t first;
    double told = NAN;
    /* of before inputs were kept: where prescribed motions stood is not known */
    if (r->track[TS_FRAME_INPUT].set < 0) return NAN;
    if (r->rows[TS_STEPS] == 0 || ts_results_rows(r, TS_STEP_STEP, 0, 1, &first)) return NAN;
    if (step < first || step - first >= r->rows[TS_STEPS]) return NAN;
    if (ts_results_rows(r, TS_STEP_VIOLATION, step - first, 1, &told)) return NAN;
    return told;
}

static bool holds_together(ts_results *r, const ts_system *system) {
    double told = told_violation(r, system->state.step), size = 1, position, rate;
    const ts_model *model = system->model;
    for (int n = 0; n < model->nodes_count; n++)
        for (int k = 0; k < 3; k++)
            size = fmax(size, fabs(system->state.q[3 * model->nodes[n].slot + k]));
    for (int p = 0; p < model->parts_count && !isnan(told); p++) {
        ts_violation(system, p, &position, &rate);
        if (!(position <= 100 * told + 1e-6 * size)) return false;
    }
    return true;
}

/* Node 0 is the ground: its rows of q are those of the drawing, at rest. */
static bool ground_rests(const ts_system *system) {
    static const double at_rest[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const ts_node *ground = &system->model->nodes[0];
    for (int k = 0; k < 3 * ground->slots && k < 12; k++)
        if (system->state.q[3 * ground->slot + k] != at_rest[k] ||
            system->state.v[3 * ground->slot + k] != 0)
            return false;
    return true;
}

int ts_results_admissible(ts_results *r, int64_t frame, const ts_system *system) {
    const ts_model *model = system->model;
    const ts_state *s = &system->state;
    double account[TS_LEDGER_COLUMNS];
    memcpy(account, &system->ledger, sizeof system->ledger);
    account[TS_LEDGER_COLUMNS - 1] = system->energy_start;
    if (!isfinite(s->t) || !all_finite(3 * model->slots, s->q) ||
        !all_finite(3 * model->slots, s->v) || !all_finite(3 * model->slots, s->vdot) ||
        !all_finite(model->rows_count, s->lambda) || !all_finite(model->rows_count, s->kappa) ||
        !all_finite(model->memory, s->memory) || !all_finite(TS_LEDGER_COLUMNS, account))
        return not_admissible(r, frame, "it has numbers that are not finite");
    for (int n = 0; n < model->nodes_count; n++)
        if (model->nodes[n].kind == TS_NODE_FRAME &&
            !(skewness(s->q + 3 * (model->nodes[n].slot + 1)) < 1e-6))
            return not_admissible(r, frame, "the directors of a node are not orthonormal");
    if (!ground_rests(system)) return not_admissible(r, frame, "the ground moves");
    if (!holds_together(r, system))
        return not_admissible(r, frame, "its joints do not hold together");
    return 0;
}
