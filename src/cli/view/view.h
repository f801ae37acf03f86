/* SPDX-License-Identifier: Apache-2.0 */
/* A model and its run in the browser: `torsor view` and `torsor run --view`.
 *
 *   session.c   the server with its board; the loop that follows a file; the run in its thread
 *   state.c     the state of the page as JSON
 *   source.c    when the model file, or a file that it names, has changed
 */
#ifndef TS_CLI_VIEW_H
#define TS_CLI_VIEW_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "server/server.h"

/* ---- source.c ---- */

enum { CLI_VIEW_FILES = 32 };

typedef struct cli_stamp {
    struct timespec changed;
    int64_t size;
    uint64_t inode;
    bool there;
} cli_stamp;

/* The model file, and files that it names: tables, meshes, models that it includes and theirs. */
typedef struct cli_source {
    char *path[CLI_VIEW_FILES];
    cli_stamp stamp[CLI_VIEW_FILES]; /* as they were read */
    cli_stamp seen[CLI_VIEW_FILES];  /* at the last look, */
    double moved;                    /* and when a look last saw them change, s */
    int count;
} cli_source;

void cli_source_open(cli_source *source, const char *path);
/* Notes the files that the text of the model names, and how all of them are now. */
void cli_source_note(cli_source *source, const char *text);
bool cli_source_changed(cli_source *source);
void cli_source_clear(cli_source *source);

/* ---- session.c ---- */

/* Is a file there, or a folder? A pipe cannot be read again. */
bool cli_can_follow(const char *path);
/* NULL if it cannot be read. */
char *cli_text_of_file(const char *path);

typedef enum cli_phase {
    CLI_PHASE_NONE,
    CLI_PHASE_RUNNING,
    CLI_PHASE_PAUSED,
    CLI_PHASE_ENDED,
    CLI_PHASE_STOPPED,
    CLI_PHASE_FAILED
} cli_phase;

typedef struct cli_assignment {
    char name[SERVER_TEXT], value[SERVER_TEXT];
} cli_assignment;
enum { CLI_VIEW_SET = 64, CLI_VIEW_WORDS = 2000 };

/* Data that the thread of a run shares with the session. Words are written before `done` is set. */
typedef struct cli_worker {
    pthread_t thread;
    bool exists;
    torsor_model *model;
    const cli_settings *settings;
    server_board *board;
    server_live live;
    atomic_int phase, done, paced;
    double ahead; /* paced: the wall time that t = 0 has, s */
    volatile sig_atomic_t stop;
    char words[CLI_VIEW_WORDS], audit[CLI_VIEW_WORDS];
    bool good;
    pthread_mutex_t lock; /* of the channels: those that are wanted, those that are read */
    char channel[SERVER_CHANNELS][SERVER_TEXT];
    int channels;
    atomic_int rechannel;                 /* others are wanted */
    cli_assignment watched[SERVER_WIDTH]; /* name and unit */
    int watched_count;
    char refused[CLI_VIEW_WORDS]; /* why the wanted ones cannot be read; "": they can */
    atomic_int told;              /* the state has news of the run */
} cli_worker;

typedef struct cli_view {
    const cli_settings *settings;
    const char *path;
    bool follows; /* a file, for `torsor view`; otherwise a run of `torsor run` is shown */
    server_board *board;
    server *server;
    bool quits; /* the page asked for the end */
    cli_source source;
    torsor_model *model; /* as drawn; NULL: it has mistakes */
    char *text;          /* of the file, for lines with mistakes */
    char *drawn;         /* JSON of the model, or of its mistakes */
    cli_assignment set[CLI_VIEW_SET];
    int sets;
    cli_worker worker;
} cli_view;

/* Starts the server, prints its address, opens the browser. Exit code. */
int cli_view_open(cli_view *view, const cli_settings *settings, const char *path, bool follows);
/* `torsor view`: draws and runs the model until Ctrl-C. */
int cli_view_follow(cli_view *view);
void cli_view_close(cli_view *view);

/* `torsor run --view`: the run before its first step; after each step (not 0: it shall stop); at
 * its end, where it stays until Ctrl-C or until the page says so. */
void cli_view_attach(cli_view *view, torsor_model *model, const torsor_run *run);
int cli_view_step(cli_view *view, torsor_run *run);
void cli_view_finish(cli_view *view, torsor_run *run);

/* ---- state.c ---- */

/* The model that is drawn, or what is wrong with it: objects of the state, to be freed. */
char *cli_view_tell_model(const cli_view *view, torsor_model *model, const torsor_run *run);
char *cli_view_tell_mistakes(const cli_view *view, const char *text);
/* The whole state onto the board, with a new scene or NULL. */
void cli_view_publish(cli_view *view, const char *scene);

#endif
