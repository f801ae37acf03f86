/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the page as JSON.
 *
 *   mode, file     "view" or "run"; the name of the model file
 *   drawn          title, model, assembly, analysis, parameters, channels, warnings; or mistakes
 *   run            phase, words, audit, good
 *   watched        channels that are drawn: names and units
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/view/view.h"

/* Names of channels are listed for models up to this size; of larger ones they can be typed. */
enum { MOST_NODES_LISTED = 300 };

/* ---- the model ---- */

static void put_parameters(ts_json *j, const torsor_model *model) {
    char *keys = NULL;
    int count = 0;
    ts_json_open(j, "parameters", '[');
    if (torsor_model_has(model, "parameters") && !torsor_model_keys(model, "parameters", &keys)) {
        char **name = cli_split_lines(keys, &count);
        for (int i = 0; i < count; i++) {
            char path[2 * SERVER_TEXT], *text;
            snprintf(path, sizeof path, "parameters.%s", name[i]);
            if (torsor_model_get(model, path, &text)) continue;
            ts_json_open(j, NULL, '{');
            ts_json_text(j, "name", name[i]);
            ts_json_text(j, "text", text);
            ts_json_close(j, '}');
            torsor_text_free(text);
        }
        free(name);
        torsor_text_free(keys);
    }
    ts_json_close(j, ']');
}

static void put_channels(ts_json *j, torsor_model *model, const torsor_run *run) {
    char *list = NULL;
    if (torsor_run_nodes(run) > MOST_NODES_LISTED ||
        torsor_model_channels(model, 0, NULL, true, &list)) {
        ts_json_raw(j, "channels", "null");
        return;
    }
    ts_json_raw(j, "channels", list);
    torsor_text_free(list);
}

static void put_setup(ts_json *j, const torsor_run *run) {
    const torsor_setup *setup = torsor_run_setup(run);
    ts_json_text(j, "repeats", setup->repeats);
    ts_json_text(j, "gravity_words", setup->gravity_words);
    ts_json_text(j, "warnings", setup->warnings);
    ts_json_flag(j, "runs", setup->step > 0);
}

char *cli_view_tell_model(const cli_view *view, torsor_model *model, const torsor_run *run) {
    ts_text *memory = ts_text_begin();
    ts_json j = {.out = memory->out};
    ts_json_open(&j, NULL, '{');
    ts_json_flag(&j, "good", true);
    ts_json_open(&j, "model", '{');
    cli_json_model(&j, run, view->path);
    cli_json_analysis(&j, run);
    ts_json_close(&j, '}');
    ts_json_open(&j, "assembly", '{');
    cli_json_assembly(&j, run);
    ts_json_close(&j, '}');
    put_setup(&j, run);
    put_parameters(&j, model);
    put_channels(&j, model, run);
    ts_json_close(&j, '}');
    return ts_text_end(memory);
}

/* ---- mistakes ---- */

/* The line of a text, from 1; a copy, or NULL. */
static char *line_of(const char *text, int line) {
    for (int i = 1; text && i < line; i++) {
        text = strchr(text, '\n');
        if (text) text++;
    }
    if (!text || line < 1) return NULL;
    size_t length = strcspn(text, "\r\n");
    if (length > 400) length = 400;
    char *copy = ts_calloc(length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

/* Sections whose names are not those of parts that an assembly or a run can blame. */
static bool holds_values(const char *line) {
    static const char *const NAME[] = {"parameters", "points", "signals", "materials", "sections"};
    for (size_t i = 0; i < sizeof NAME / sizeof *NAME; i++)
        if (strncmp(line, NAME[i], strlen(NAME[i])) == 0 && line[strlen(NAME[i])] == ':')
            return true;
    return false;
}

/* Where an entry of this name begins: its line, from 1, and its column; 0: not found. A failure of
 * the assembly names a part only, and who looks for it wants its line. */
static int line_of_part(const char *text, const char *part, int *column) {
    size_t length = strlen(part);
    bool values = false;
    for (int line = 1; length > 0 && text; line++) {
        size_t blank = strspn(text, " ");
        if (blank == 0 && *text != '\n' && *text != '#') values = holds_values(text);
        const char *key = text + blank;
        if (blank > 0 && !values && strncmp(key, part, length) == 0 && key[length] == ':')
            return *column = (int)blank + 1, line;
        text = strchr(text, '\n');
        if (text) text++;
    }
    return 0;
}

static bool same_name(const char *path, const char *file) {
    const char *slash = strrchr(path, '/'), *other = strrchr(file, '/');
    return strcmp(slash ? slash + 1 : path, other ? other + 1 : file) == 0;
}

static void put_mistake(ts_json *j, const cli_view *view, const torsor_mistake *m,
                        const char *text) {
    char *source = same_name(view->path, m->file) ? line_of(text, m->line) : NULL;
    ts_json_open(j, NULL, '{');
    ts_json_text(j, "file", m->file);
    ts_json_count(j, "line", m->line), ts_json_count(j, "column", m->column);
    ts_json_text(j, "message", m->message), ts_json_text(j, "hint", m->hint);
    if (source) ts_json_text(j, "source", source);
    ts_json_close(j, '}');
    free(source);
}

/* Before the first save, or after the file was moved or deleted. */
static torsor_mistake no_file(const cli_view *view) {
    return (torsor_mistake){
        .file = view->path,
        .message = "there is no such file yet",
        .hint = "save your model there: it begins with 'torsor: 1'. `torsor new` and `torsor init` "
                "write one to start from"};
}

char *cli_view_tell_mistakes(const cli_view *view, const char *text) {
    const torsor_problem *problem = torsor_error_details();
    ts_text *memory = ts_text_begin();
    ts_json j = {.out = memory->out};
    ts_json_open(&j, NULL, '{');
    bool there = cli_can_follow(view->path);
    int mistakes = there ? torsor_mistakes() : 0;
    ts_json_flag(&j, "good", false);
    ts_json_flag(&j, "there", there);
    ts_json_open(&j, "mistakes", '[');
    for (int i = 0; i < mistakes; i++) put_mistake(&j, view, torsor_mistake_at(i), text);
    if (mistakes == 0) {
        torsor_mistake one = {problem->file, problem->line, problem->column, problem->message,
                              problem->hint};
        if (!there)
            one = no_file(view);
        else if (!one.line && (one.line = line_of_part(text, problem->part, &one.column)))
            one.file = view->path;
        put_mistake(&j, view, &one, text);
    }
    ts_json_close(&j, ']');
    ts_json_close(&j, '}');
    return ts_text_end(memory);
}

/* ---- all of it ---- */

static const char *const PHASE[] = {
    [CLI_PHASE_NONE] = "none",   [CLI_PHASE_RUNNING] = "running", [CLI_PHASE_PAUSED] = "paused",
    [CLI_PHASE_ENDED] = "ended", [CLI_PHASE_STOPPED] = "stopped", [CLI_PHASE_FAILED] = "failed"};

static void put_run(ts_json *j, const cli_worker *w) {
    int phase = atomic_load(&w->phase);
    bool told = phase >= CLI_PHASE_ENDED;
    ts_json_open(j, "run", '{');
    ts_json_text(j, "phase", PHASE[phase]);
    ts_json_text(j, "words", told ? w->words : "");
    ts_json_text(j, "audit", told ? w->audit : "");
    ts_json_flag(j, "good", told && w->good);
    ts_json_close(j, '}');
}

static void put_pairs(ts_json *j, const char *key, int count, const cli_assignment *pair) {
    ts_json_open(j, key, '[');
    for (int i = 0; i < count; i++) {
        ts_json_open(j, NULL, '[');
        ts_json_text(j, NULL, pair[i].name), ts_json_text(j, NULL, pair[i].value);
        ts_json_close(j, ']');
    }
    ts_json_close(j, ']');
}

/* The thread of the run may be choosing others. */
static void put_watched(ts_json *j, cli_worker *w) {
    pthread_mutex_lock(&w->lock);
    put_pairs(j, "watched", w->watched_count, w->watched);
    ts_json_text(j, "refused", w->refused);
    pthread_mutex_unlock(&w->lock);
}

void cli_view_publish(cli_view *view, const char *scene) {
    const char *slash = strrchr(view->path, '/');
    ts_text *memory = ts_text_begin();
    ts_json j = {.out = memory->out};
    ts_json_open(&j, NULL, '{');
    ts_json_text(&j, "mode", view->follows ? "view" : "run");
    ts_json_text(&j, "file", slash ? slash + 1 : view->path);
    ts_json_raw(&j, "drawn", view->drawn ? view->drawn : "null");
    put_pairs(&j, "set", view->sets, view->set);
    put_run(&j, &view->worker);
    put_watched(&j, &view->worker);
    ts_json_close(&j, '}');
    char *text = ts_text_end(memory);
    server_board_state(view->board, text, scene);
    free(text);
}
