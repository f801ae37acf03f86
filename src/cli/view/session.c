/* SPDX-License-Identifier: Apache-2.0 */
/* The session: a server, the file that it follows, and the run in its thread.
 *
 * `torsor view` has three kinds of threads: this one draws the model and serves the orders of the
 * page; one runs the model, with a model handle of its own; those of the server answer requests
 * from the board. `torsor run --view` runs in this thread. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/view/view.h"

static const double LOOK = 0.15; /* s between looks at the file */
static const double MOMENT = 2;  /* s that a run is waited for at the end */

/* ---- the server ---- */

/* A waiting session wakes up at its next look. */
int cli_view_open(cli_view *v, const cli_settings *settings, const char *path, bool follows) {
    char why[200];
    *v = (cli_view){.settings = settings, .path = path, .follows = follows};
    pthread_mutex_init(&v->worker.lock, NULL);
    if (settings->port > 65535)
        return cli_fail(CLI_USAGE, "--port %lld: expected 1 to 65535", (long long)settings->port);
    v->board = server_board_new();
    if (!v->board) return cli_fail(CLI_FILE, "out of memory");
    v->server =
        server_start(v->board, settings->port > 0 ? (unsigned)settings->port : 0, why, sizeof why);
    if (!v->server)
        return cli_fail(CLI_FILE, "%s%s", why,
                        settings->port > 0 ? "; choose another --port, or leave it out" : "");
    cli_source_open(&v->source, path);
    printf("view: %s\n", server_address(v->server));
    fflush(stdout);
    if (!settings->no_browser) server_open_browser(v->server);
    return CLI_DONE;
}

/* ---- what both modes do after a step ---- */

static void note_refused(cli_worker *w, int status) {
    *w->refused = 0;
    if (status == TORSOR_EOPTION)
        snprintf(w->refused, sizeof w->refused, "too many numbers: choose single components");
    else if (status)
        snprintf(w->refused, sizeof w->refused, "%s", torsor_error());
}

/* Moves the channels that exist to the front; returns how many. */
static int that_exist(const torsor_run *run, int count, const char **channel) {
    int good = 0;
    for (int i = 0; i < count; i++) {
        torsor_probe *probe = NULL;
        if (!torsor_probe_new(&probe, run, 1, channel + i)) channel[good++] = channel[i];
        torsor_probe_free(probe);
    }
    return good;
}

static void fill_watched(cli_worker *w) {
    const torsor_probe *probe = w->live.probe;
    w->watched_count = torsor_probe_count(probe);
    for (int i = 0; i < w->watched_count; i++) {
        snprintf(w->watched[i].name, SERVER_TEXT, "%s", torsor_probe_name(probe, i));
        snprintf(w->watched[i].value, SERVER_TEXT, "%s", torsor_probe_unit(probe, i));
    }
}

static void choose_channels(cli_worker *w, const torsor_run *run) {
    const char *channel[SERVER_CHANNELS];
    pthread_mutex_lock(&w->lock);
    for (int i = 0; i < SERVER_CHANNELS; i++) channel[i] = w->channel[i];
    int status = server_live_watch(&w->live, run, w->channels, channel);
    note_refused(w, status);
    if (status && status != TORSOR_EOPTION)
        server_live_watch(&w->live, run, that_exist(run, w->channels, channel), channel);
    fill_watched(w);
    pthread_mutex_unlock(&w->lock);
    atomic_store(&w->told, 1);
}

static void show_step(cli_worker *w, const torsor_run *run) {
    if (atomic_exchange(&w->rechannel, 0)) choose_channels(w, run);
    server_live_step(&w->live, run, false);
}

/* Reads the selection of the page. */
static void take_channels(cli_view *v) {
    char channel[SERVER_CHANNELS][SERVER_TEXT];
    cli_worker *w = &v->worker;
    int count = server_board_channels(v->board, channel);
    if (count < 0) return;
    pthread_mutex_lock(&w->lock);
    memcpy(w->channel, channel, sizeof channel);
    w->channels = count;
    pthread_mutex_unlock(&w->lock);
    atomic_store(&w->rechannel, 1);
}

/* The verdict of a run at its end. */
static void note_end(cli_worker *w, torsor_run *run, int status) {
    const torsor_verdict *verdict = torsor_run_verdict(run);
    bool stopped = status == TORSOR_EINTERRUPTED;
    snprintf(w->audit, sizeof w->audit, "%s", verdict ? verdict->audit : "");
    w->good = verdict && verdict->good && !status;
    server_live_step(&w->live, run, true);
    atomic_store(&w->phase, stopped  ? CLI_PHASE_STOPPED
                            : status ? CLI_PHASE_FAILED
                                     : CLI_PHASE_ENDED);
}

/* ---- the thread of a run ---- */

static void rest(double seconds) {
    double whole = floor(seconds);
    const struct timespec moment = {(time_t)whole, (long)(1e9 * (seconds - whole))};
    nanosleep(&moment, NULL);
}

/* A run that is faster than real time waits for it, in moments that a stop can end. */
static void keep_pace(cli_worker *w, const torsor_run *run) {
    double now = ts_wall_time(), t = torsor_run_time(run);
    if (!atomic_load(&w->paced)) {
        w->ahead = now - t; /* from here on, if it is paced later */
        return;
    }
    while (t + w->ahead > now && !w->stop && atomic_load(&w->paced) &&
           atomic_load(&w->phase) == CLI_PHASE_RUNNING) {
        rest(fmin(0.05, t + w->ahead - now));
        now = ts_wall_time();
    }
}

static int after_step(void *context, torsor_run *run) {
    cli_worker *w = context;
    show_step(w, run);
    keep_pace(w, run);
    if (atomic_load(&w->phase) != CLI_PHASE_PAUSED) return w->stop != 0;
    server_live_step(&w->live, run, true);
    while (atomic_load(&w->phase) == CLI_PHASE_PAUSED && !w->stop) {
        if (atomic_exchange(&w->rechannel, 0)) choose_channels(w, run);
        rest(0.02);
    }
    w->ahead = ts_wall_time() - torsor_run_time(run);
    return w->stop != 0;
}

static int follow_run(cli_worker *w, torsor_run *run) {
    torsor_observer observer = {.context = w, .after = after_step};
    server_live_begin(&w->live, w->board, run);
    choose_channels(w, run);
    server_live_step(&w->live, run, true);
    w->ahead = ts_wall_time() - torsor_run_time(run);
    torsor_run_observe(run, &observer);
    torsor_run_stop_when(run, &w->stop);
    int status = torsor_run_to(run, INFINITY);
    if (!status) status = torsor_run_complete(run);
    if (status) snprintf(w->words, sizeof w->words, "%s", torsor_error());
    note_end(w, run, status);
    server_live_end(&w->live);
    return status;
}

static void *work(void *context) {
    cli_worker *w = context;
    torsor_run *run = NULL;
    *w->words = *w->audit = 0;
    int status = torsor_run_begin(&run, w->model, w->settings->options);
    if (!status) {
        follow_run(w, run);
    } else {
        snprintf(w->words, sizeof w->words, "%s", torsor_error());
        atomic_store(&w->phase, CLI_PHASE_FAILED);
    }
    torsor_run_free(run);
    atomic_store(&w->done, 1);
    return NULL;
}

/* Signals are for the thread of the session. */
static void start_thread(cli_worker *w) {
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    w->exists = pthread_create(&w->thread, NULL, work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void start_run(cli_view *v) {
    cli_worker *w = &v->worker;
    if (w->exists || !v->model || torsor_model_copy(&w->model, v->model)) return;
    w->settings = v->settings, w->board = v->board, w->stop = 0;
    atomic_store(&w->done, 0), atomic_store(&w->phase, CLI_PHASE_RUNNING);
    start_thread(w);
    if (!w->exists) atomic_store(&w->phase, CLI_PHASE_FAILED);
    atomic_store(&w->told, 1);
}

static void join_run(cli_worker *w) {
    if (!w->exists) return;
    pthread_join(w->thread, NULL);
    torsor_model_free(w->model);
    w->model = NULL, w->exists = false;
    atomic_store(&w->told, 1);
}

static void end_run(cli_worker *w) {
    w->stop = 1;
    join_run(w);
}

/* ---- drawing ---- */

bool cli_can_follow(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode));
}

char *cli_text_of_file(const char *path) {
    enum { MOST = 1 << 22 };
    FILE *file = cli_can_follow(path) ? ts_open(path, "rb") : NULL;
    if (!file) return NULL;
    char *text = ts_calloc(MOST + 1, 1);
    size_t length = fread(text, 1, MOST, file);
    text[length] = 0;
    ts_close(file);
    return text;
}

static int make_model(torsor_model **model, torsor_run **run, const cli_view *v) {
    int status = cli_read_model(model, v->settings);
    for (int i = 0; i < v->sets && !status; i++)
        status = torsor_model_override(*model, v->set[i].name, v->set[i].value);
    return status ? status : torsor_run_new(run, *model); /* drawn also without an analysis */
}

/* Reads the file anew and shows the model, or what is wrong with it. */
static void draw(cli_view *v) {
    torsor_model *model = NULL;
    torsor_run *run = NULL;
    char *scene = NULL, *text = cli_text_of_file(v->path);
    end_run(&v->worker);
    atomic_store(&v->worker.phase, CLI_PHASE_NONE);
    cli_source_note(&v->source, text);
    free(v->drawn), torsor_model_free(v->model);
    v->drawn = NULL, v->model = NULL;
    int status = cli_can_follow(v->path) ? make_model(&model, &run, v) : TORSOR_EIO;
    if (!status) status = torsor_run_scene(run, &scene);
    v->drawn = status ? cli_view_tell_mistakes(v, text) : cli_view_tell_model(v, model, run);
    if (status)
        torsor_model_free(model);
    else
        v->model = model;
    cli_view_publish(v, scene);
    torsor_run_free(run);
    torsor_text_free(scene);
    free(text);
}

/* ---- what the page asks for ---- */

static bool take_parameters(cli_view *v) {
    cli_assignment new;
    bool any = false;
    while (server_board_parameter(v->board, new.name, new.value)) {
        int i = 0;
        while (i < v->sets && strcmp(v->set[i].name, new.name) != 0) i++;
        if (i == CLI_VIEW_SET) continue;
        v->set[i] = new;
        if (i == v->sets) v->sets++;
        any = true;
    }
    return any;
}

static void change_phase(cli_worker *w, int from, int to) {
    if (atomic_compare_exchange_strong(&w->phase, &from, to)) atomic_store(&w->told, 1);
}

/* True: the model is to be drawn anew. */
static bool take_deeds(cli_view *v, unsigned deeds) {
    cli_worker *w = &v->worker;
    if (deeds & SERVER_PAUSE) change_phase(w, CLI_PHASE_RUNNING, CLI_PHASE_PAUSED);
    if (deeds & SERVER_GO_ON) change_phase(w, CLI_PHASE_PAUSED, CLI_PHASE_RUNNING);
    if (deeds & SERVER_STOP) w->stop = 1;
    if (deeds & SERVER_PACED) atomic_store(&w->paced, 1);
    if (deeds & SERVER_FREE) atomic_store(&w->paced, 0);
    if (v->follows && deeds & SERVER_RUN) start_run(v);
    bool reset = deeds & SERVER_RESET && v->sets > 0;
    if (reset) v->sets = 0;
    return reset;
}

static void look_around(cli_view *v) {
    bool anew = take_deeds(v, server_board_deeds(v->board));
    anew |= take_parameters(v);
    take_channels(v);
    if (anew || cli_source_changed(&v->source)) draw(v);
    if (atomic_load(&v->worker.done)) join_run(&v->worker);
    if (atomic_exchange(&v->worker.told, 0)) cli_view_publish(v, NULL);
}

/* One step of a large model may take minutes, and the run writes nothing: after a moment the
 * program ends without it. */
static void leave(cli_view *v) {
    cli_worker *w = &v->worker;
    w->stop = 1;
    for (double end = ts_wall_time() + MOMENT; w->exists && !atomic_load(&w->done);) {
        if (ts_wall_time() > end) {
            server_end(v->server);
            fflush(NULL);
            _exit(CLI_DONE);
        }
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    join_run(w);
}

int cli_view_follow(cli_view *v) {
    draw(v);
    while (!cli_stop) {
        look_around(v);
        server_board_wait(v->board, LOOK);
    }
    leave(v);
    return CLI_DONE;
}

void cli_view_close(cli_view *v) {
    server_end(v->server);
    server_board_free(v->board);
    cli_source_clear(&v->source);
    torsor_model_free(v->model);
    free(v->drawn);
    pthread_mutex_destroy(&v->worker.lock);
}

/* ---- torsor run --view ---- */

void cli_view_attach(cli_view *v, torsor_model *model, const torsor_run *run) {
    char *scene = NULL;
    int status = torsor_run_scene(run, &scene);
    v->drawn = status ? cli_view_tell_mistakes(v, NULL) : cli_view_tell_model(v, model, run);
    v->worker.board = v->board;
    atomic_store(&v->worker.phase, CLI_PHASE_RUNNING);
    cli_view_publish(v, scene);
    server_live_begin(&v->worker.live, v->board, run);
    server_live_step(&v->worker.live, run, true);
    torsor_text_free(scene);
}

/* A run that is to quit goes on to its end: its results are wanted. */
static void answer(cli_view *v) {
    unsigned deeds = server_board_deeds(v->board);
    v->quits |= (deeds & SERVER_QUIT) != 0;
    take_deeds(v, deeds);
    take_channels(v);
    if (atomic_exchange(&v->worker.told, 0)) cli_view_publish(v, NULL);
}

int cli_view_step(cli_view *v, torsor_run *run) {
    cli_worker *w = &v->worker;
    int64_t frames = w->live.frames;
    show_step(w, run);
    if (w->live.frames != frames) answer(v);
    while (atomic_load(&w->phase) == CLI_PHASE_PAUSED && !w->stop && !cli_stop) {
        server_board_wait(v->board, LOOK);
        answer(v);
        if (atomic_exchange(&w->rechannel, 0)) choose_channels(w, run);
    }
    return w->stop != 0;
}

void cli_view_finish(cli_view *v, torsor_run *run) {
    cli_worker *w = &v->worker;
    const torsor_verdict *verdict = torsor_run_verdict(run);
    bool failed = verdict && strncmp(verdict->status, "failed", 6) == 0;
    if (failed) snprintf(w->words, sizeof w->words, "%s", verdict->status);
    note_end(w, run,
             failed                                                 ? TORSOR_EDIVERGED
             : verdict && strcmp(verdict->status, "completed") != 0 ? TORSOR_EINTERRUPTED
                                                                    : 0);
    cli_view_publish(v, NULL);
    while (!cli_stop && !v->quits) {
        v->quits = server_board_deeds(v->board) & SERVER_QUIT;
        if (!v->quits) server_board_wait(v->board, LOOK);
    }
    server_live_end(&w->live);
}
