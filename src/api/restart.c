/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that continue a run from a stored state, bit for bit like an uninterrupted run.
 *
 * The model is read from the echo in the results file and assembled as at first, which finds the
 * same redundant constraints; then the stored state and ledger replace the assembled ones. At some
 * of its stored states, about every 50 steps, a run discards all data that are not in its state.
 * These states are exact, and marked in the file. A restart begins at the last exact state, unless
 * the last state is damaged, which is reported. If another state is requested, the steps from the
 * last exact state to it are repeated first, without output. A restart with another step or another
 * rho_inf is another run and repeats no steps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/error.h"

/* ---- which state ---- */

typedef struct place {
    ts_results *file;
    int64_t frame, step;
    double t;
    int64_t
        *damaged; /* the step of an exact state that is damaged, and was passed over; -1: none */
} place;

static int go_to(place *p, int64_t frame) {
    p->frame = frame;
    return ts_results_frame_step(p->file, frame, &p->step, &p->t);
}

/* The last state up to that one whose time and step are not damaged. */
static int go_down_to(place *p, int64_t frame) {
    int status = go_to(p, frame);
    while (status == TORSOR_EIO && frame > 0) status = go_to(p, --frame);
    return status;
}

static int choose_step(place *p, int64_t step) {
    int64_t last = p->step, above = -1;
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%lld", (long long)step);
    while (p->step > step && p->frame > 0) {
        above = p->step;
        int status = go_down_to(p, p->frame - 1);
        if (status) return status;
    }
    if (p->step == step) return 0;
    if (p->step > step)
        return ts_option_fail("from", wanted, "the first stored step is %lld", (long long)p->step);
    if (above < 0)
        return ts_option_fail("from", wanted, "the last stored step is %lld", (long long)last);
    return ts_option_fail("from", wanted, "not stored; the nearest are %lld and %lld",
                          (long long)p->step, (long long)above);
}

static int choose_time(place *p, double time, double h) {
    int status = 0;
    while (!status && p->t > time + 1e-6 * h && p->frame > 0) status = go_down_to(p, p->frame - 1);
    if (status || p->t <= time + 1e-6 * h) return status;
    return ts_option_fail("time", NULL, "the first stored state is at t = %g s", p->t);
}

static int choose_frame(place *p, int64_t frame) {
    int64_t last = ts_results_frames(p->file) - 1;
    if (frame > last)
        return ts_option_fail("frame", NULL, "the last stored state is number %lld",
                              (long long)last);
    return go_to(p, frame);
}

/* A damaged one is of no use. */
static bool is_exact(const place *p) {
    bool exact;
    if (ts_results_exact(p->file, p->frame, &exact) || !exact) return false;
    bool good = ts_results_is_good(p->file, p->frame);
    if (!good) *p->damaged = p->step;
    return good;
}

/* The last exact state up to this one. Where there is none (a file may begin between two of them,
 * they may be damaged): this one. */
static int go_to_exact(place *p) {
    place here = *p;
    int status = 0;
    while (!status && !is_exact(p) && p->frame > 0) status = go_down_to(p, p->frame - 1);
    if (!status && !is_exact(p)) *p = here;
    return status;
}

static bool is_asked(const ts_choices *c) {
    return c->from >= 0 || !isnan(c->time) || c->frame >= 0;
}

/* A run with another step or another scheme is not continued bit for bit. */
static bool is_same_run(const ts_choices *c) { return isnan(c->step) && isnan(c->rho); }

static int choose(place *p, const ts_choices *c, const ts_options *o) {
    if ((c->from >= 0) + !isnan(c->time) + (c->frame >= 0) > 1)
        return ts_fail(TORSOR_EOPTION,
                       "from, time and frame all choose the state: give one of them, not both");
    int64_t frames = ts_results_frames(p->file);
    if (frames == 0)
        return ts_fail(TORSOR_EIO, "the results file has no stored state to continue from");
    int status = is_asked(c) ? go_down_to(p, frames - 1) : go_to(p, frames - 1);
    if (status) return status;
    if (c->from >= 0) return choose_step(p, c->from);
    if (!isnan(c->time)) return choose_time(p, c->time, o->h);
    if (c->frame >= 0) return choose_frame(p, c->frame);
    status = ts_results_check_frame(p->file, p->frame);
    if (status) return status;
    bool done = p->step >= llround(o->t_end / o->h);
    return done || !is_same_run(c) ? 0 : go_to_exact(p);
}

/* ---- the run ---- */

static int check_steps(const ts_options *o) {
    if (!(o->h > 0) || o->t_end / o->h <= 1e9) return 0;
    return ts_fail(TORSOR_EOPTION,
                   "this makes more than 1e9 steps: use a longer step, or an earlier end");
}

static int check_end(const ts_options *o, const place *p) {
    if (llround(o->t_end / o->h) > p->step) return 0;
    return ts_fail(TORSOR_EOPTION, "nothing is left to do: t = %g s, end %g s; give a later end",
                   p->t, o->t_end);
}

/* With another size, steps are counted as if the whole run had had it. */
static int count_anew(const ts_options *o, place *p) {
    double steps = p->t / o->h;
    if (!(steps < 1e9))
        return ts_fail(TORSOR_EOPTION,
                       "this makes more than 1e9 steps: use a longer step, or an earlier end");
    p->step = llround(steps);
    if (fabs(steps - (double)p->step) <= 1e-9 * fmax(1, steps)) return 0;
    return ts_option_fail("step", NULL,
                          "the state is at t = %.12g s, %.12g steps of %g s; give a step that "
                          "divides it, or another state by its time",
                          p->t, steps, o->h);
}

static int read_document(ts_document **out, place *p, const char *path) {
    size_t length;
    const char *text = ts_results_text(p->file, &length);
    int status = ts_document_parse(out, text, length, path, NULL);
    return status ? status : ts_results_options(p->file, &(*out)->options);
}

static int load_state(torsor_run *run, const place *p) {
    int status = ts_results_state(p->file, p->frame, run->system);
    if (!status) status = ts_results_admissible(p->file, p->frame, run->system);
    run->system->state.step = p->step;
    run->system->state.exact = run->runner == NULL; /* or it begins with what it remembers */
    return status;
}

/* Repeats the steps from the last exact state to this one, to restore the data that are not in the
 * state; the state itself is that of the file. Without an exact state before, the run begins here.
 * */
static int catch_up(torsor_run *run, place p) {
    place from = p;
    int status = go_to_exact(&from);
    if (status || from.frame == p.frame) return 0;
    status = load_state(run, &from);
    if (!status) status = ts_runner_new(&run->runner, run->system, &run->document->options);
    if (!status) status = ts_runner_catch_up(run->runner, p.step);
    if (status) ts_runner_free(run->runner), run->runner = NULL;
    return load_state(run, &p);
}

/* Takes the document over. `strict`: there must be something left to do. */
static int make(torsor_run **out, ts_document *document, place *p, const char *path,
                const ts_choices *c, bool strict) {
    ts_options *o = &document->options;
    if (!isnan(c->end)) o->t_end = c->end;
    int status = choose(p, c, o);
    if (!status && strict) status = ts_choices_apply(c, o, path);
    if (!status && !isnan(c->step)) status = count_anew(o, p);
    if (!status) status = check_steps(o);
    if (!status && strict) status = check_end(o, p);
    if (status) {
        ts_document_free(document);
        return status;
    }
    status = ts_run_from_document(out, document);
    if (!status) status = load_state(*out, p);
    if (!status && is_asked(c) && is_same_run(c)) status = catch_up(*out, *p);
    if (status) torsor_run_free(*out), *out = NULL;
    return status;
}

static void note_choice(torsor_run *run, const place *p, const ts_choices *c) {
    int64_t step, last = ts_results_frames(p->file) - 1;
    if (is_asked(c) || p->frame == last || ts_results_frame_step(p->file, last, &step, NULL))
        return;
    snprintf(run->resumed, sizeof run->resumed,
             "continuing from step %lld, as the uninterrupted run would; the last stored state is "
             "that of step %lld (--from %lld)",
             (long long)p->step, (long long)step, (long long)step);
}

/* What is made again from an earlier state, or not at all, differs by round-off. */
static void note_damage(torsor_run *run, const place *p) {
    if (*p->damaged < 0) return;
    snprintf(run->damage, sizeof run->damage,
             "the state of step %lld is damaged: the run does not continue from it, and may differ "
             "from the uninterrupted one by the error that Newton's method leaves",
             (long long)*p->damaged);
}

static int resume(torsor_run **out, const char *path, const ts_choices *c, bool strict) {
    int64_t damaged = -1;
    place p = {.damaged = &damaged};
    ts_document *document = NULL;
    *out = NULL;
    ts_lock_libraries();
    int status = ts_results_open(&p.file, path);
    if (!status) status = read_document(&document, &p, path);
    if (!status)
        status = make(out, document, &p, path, c, strict);
    else
        ts_document_free(document);
    if (!status) note_choice(*out, &p, c), note_damage(*out, &p);
    ts_results_free(p.file);
    ts_unlock_libraries();
    return status;
}

int ts_api_run_resume(torsor_run **out, const char *results, const torsor_options *options) {
    if (!out || !results) return ts_null_argument("torsor_run_resume");
    return resume(out, results, ts_choices_of(options), true);
}

int ts_api_run_restart(torsor_run **out, const char *results, int64_t frame, double t_end) {
    if (!out || !results) return ts_null_argument("torsor_run_restart");
    ts_choices c = *ts_choices_of(NULL);
    if (frame < -1)
        return ts_fail(TORSOR_EINVAL,
                       "there is no stored state %lld: they are counted from 0, and -1 is the last",
                       (long long)frame);
    if (isnan(t_end))
        return ts_fail(TORSOR_EINVAL,
                       "the end is not a number: give a time, or 0 for the planned end");
    if (frame >= 0) c.frame = frame;
    if (t_end > 0) c.end = t_end;
    return resume(out, results, &c, false);
}

const char *torsor_run_resumed(const torsor_run *run) { return run ? run->resumed : NULL; }
