/* Reading a results file: is it ours and whole, and a state of it, bit for bit.
 *
 * Only the rows counted by `progress` exist for us; so a file that is still being written, or whose
 * run was killed, reads like any other.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "results/file.h"

static int cannot_read(const ts_results *r) {
    return ts_fail(TORSOR_EIO, "cannot read %s: %s", r->path, ts_error_message());
}

/* ---- opening ---- */

static int open_file(ts_results *r) {
    if (access(r->path, R_OK))
        return ts_fail(TORSOR_EIO, "cannot read %s: %s", r->path, strerror(errno));
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
    int rank;
    uint64_t shape[3];
    if (ts_h5_dataset(&r->progress, r->file, "/progress", &rank, shape) ||
        ts_h5_read(r->progress, true, 0, TS_GROUPS, r->rows))
        return cannot_read(r);
    return 0;
}

/* The shape must be the one the table says, with as many entries as its sisters have, and all
 * counted rows. */
static int open_series(ts_results *r, ts_series_id id) {
    const ts_series *series = &TS_SERIES[id];
    ts_track *track = &r->track[id];
    char name[64];
    int rank, at = 1;
    uint64_t shape[3];
    if (ts_h5_dataset(&track->set, r->file, ts_series_path(id, name), &rank, shape)) {
        track->set = -1;
        return series->later ? 0 : cannot_read(r);
    }
    int64_t *entries = &r->entries[series->each];
    if (series->each != TS_EACH_ROW && at < rank) {
        if (*entries < 0) *entries = (int64_t)shape[at];
        if (*entries != (int64_t)shape[at++]) rank = -1;
    }
    if (series->width > 1 && at < rank && (int64_t)shape[at++] != series->width) rank = -1;
    int64_t rows = r->rows[series->group];
    if (at != rank || rows < 0 || rows > (int64_t)shape[0])
        return ts_fail(TORSOR_EIO, "cannot read %s: dataset '%s' has an unexpected shape", r->path,
                       name);
    track->values = *entries * series->width;
    return 0;
}

static int open_all(ts_results *r) {
    if (open_file(r) || check_format(r) || read_progress(r)) return TORSOR_EIO;
    for (int e = 0; e < TS_EACH_COUNT; e++) r->entries[e] = e == TS_EACH_ROW ? 1 : -1;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (open_series(r, (ts_series_id)i)) return TORSOR_EIO;
    /* an older file */
    for (int e = 0; e < TS_EACH_COUNT; e++)
        if (r->entries[e] < 0) r->entries[e] = 0;
    return ts_h5_text_read(r->file, "/model/text", &r->text, &r->length) ? cannot_read(r) : 0;
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

int ts_results_rows(ts_results *r, ts_series_id id, int64_t first, int64_t rows, void *out) {
    const ts_series *series = &TS_SERIES[id];
    if (ts_h5_read(r->track[id].set, series->integer, first, rows, out)) return cannot_read(r);
    return 0;
}

static int check_frame(const ts_results *r, int64_t frame) {
    int64_t frames = ts_results_frames(r);
    if (frame >= 0 && frame < frames) return 0;
    if (frames == 0) return ts_fail(TORSOR_EINVAL, "%s holds no stored state", r->path);
    return ts_fail(TORSOR_EINVAL, "%s holds the stored states 0 to %lld, there is no %lld", r->path,
                   (long long)(frames - 1), (long long)frame);
}

int ts_results_frame_step(ts_results *r, int64_t frame, int64_t *step, double *t) {
    int status = check_frame(r, frame);
    if (!status && step) status = ts_results_rows(r, TS_FRAME_STEP, frame, 1, step);
    if (!status && t) status = ts_results_rows(r, TS_FRAME_T, frame, 1, t);
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

/* A file from before schemes had parameters has none. */
static int get_parameters(const ts_results *r, ts_options *o) {
    char text[TS_PARAMETERS_TEXT + 1] = "";
    const ts_scheme *scheme = ts_scheme_find(o->scheme);
    if (ts_h5_get_text(r->file, "/", "scheme_parameters", text, sizeof text)) *text = 0;
    o->parameters = (ts_scheme_values){0};
    if (!scheme || !ts_parameters_read(&o->parameters, scheme, text)) return 0;
    return ts_fail(TORSOR_EIO, "%s: %s", r->path, ts_error_message());
}

int ts_results_options(const ts_results *r, ts_options *o) {
    int status = ts_h5_get_text(r->file, "/", "scheme", o->scheme, sizeof o->scheme);
    for (int i = 0; i < TS_OPTION_COUNT && !status; i++)
        status = get_attribute(r->file, &TS_OPTIONS[i], (char *)o + TS_OPTIONS[i].offset);
    if (status) return cannot_read(r);
    /* a file from before there was a choice */
    if (ts_h5_get_text(r->file, "/", "solver", o->solver, sizeof o->solver))
        snprintf(o->solver, sizeof o->solver, "klu");
    if (get_parameters(r, o)) return TORSOR_EIO;
    if (ts_h5_get_number(r->file, "/", "step_tolerance", &o->step_tolerance) ||
        ts_h5_get_number(r->file, "/", "step_energy", &o->step_energy) ||
        ts_h5_get_number(r->file, "/", "min_step", &o->min_step))
        o->step_tolerance = o->step_energy = o->min_step = 0; /* likewise */
    o->auto_step = false;
    if (!(o->h > 0) || !(o->t_end > 0) || o->store_every < 1 || o->max_iterations < 1 ||
        o->max_cuts < 0 || o->max_cuts > 1000)
        return ts_fail(TORSOR_EIO, "%s: its options of the run make no sense", r->path);
    return 0;
}

/* ---- a state ---- */

static int check_model(const ts_results *r, const ts_model *model) {
    const struct {
        ts_each each;
        int count;
        const char *what;
    } wanted[] = {{TS_EACH_SLOT, model->slots, "slots"},
                  {TS_EACH_CONDITION, model->rows_count, "conditions"},
                  {TS_EACH_MEMORY, model->memory, "numbers of memory"}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (r->entries[wanted[i].each] != wanted[i].count)
            return ts_fail(TORSOR_EINVAL,
                           "the states in %s are of another model: %lld %s there, %d here", r->path,
                           (long long)r->entries[wanted[i].each], wanted[i].what, wanted[i].count);
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
    if (!status && lacks_jump(r, system)) ts_trail_forget(&system->state);
    return status ? status : read_account(r, frame, system);
}
