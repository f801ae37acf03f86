/* SPDX-License-Identifier: Apache-2.0 */
/* Many cases of one model: what the files of `torsor study` share.
 *
 *   cmd_study.c   the verb
 *   case.c        one case: its key, its run, its line for the journal
 *   crew.c        processes side by side; a dying one costs only its case
 *   journal.c     lines of finished cases, from which an interrupted study continues */
#ifndef TS_CLI_MANY_H
#define TS_CLI_MANY_H

#include "cli/cli.h"

typedef struct cli_many {
    torsor_plan *plan;
    torsor_model *model;     /* with what --set says */
    torsor_options *options; /* of each run */
    char *text, *title;      /* of the model; of the study */
    const char *model_name;  /* as the study file says */
    const char *folder;      /* of all that is written */
    bool keep, pages;        /* results of the cases; and their reports */
    const char **history;    /* channels */
    int histories;
} cli_many;

/* ---- case.c ---- */

/* The SHA-256 of the model, the parameters, the options and the measures. */
void cli_case_key(const cli_many *many, int64_t which, char key[65]);
/* Runs the case in this process; its line, to be freed. A status of torsor.h. */
int cli_case_run(const cli_many *many, int64_t which, char **line);
/* Are all columns there that are asked for? */
int cli_case_check(const cli_many *many);
/* The results file of a case; to be freed. */
char *cli_case_file(const cli_many *many, int64_t which, const char *ending);
/* "L = 2 m, M = 1 kg", for messages; to be freed. */
char *cli_case_words(const cli_many *many, int64_t which);

/* ---- journal.c ---- */

typedef struct cli_journal cli_journal;
/* All keys of the journals of a folder, and one of them to add to: NULL parts for the whole study,
 * or part i of n. Exit code. */
int cli_journal_open(cli_journal **out, const char *folder, int part, int parts);
bool cli_journal_has(const cli_journal *journal, const char *key);
int cli_journal_add(cli_journal *journal, const char *line);
void cli_journal_close(cli_journal *journal);
/* The names of the journals of a folder. */
const char *const *cli_journal_names(const cli_journal *journal, int *count);

/* ---- crew.c ---- */

typedef struct cli_crew {
    const cli_many *many;
    cli_journal *journal;
    const int64_t *which;       /* cases to run */
    int64_t count, before, all; /* of them; done earlier; in all */
    int jobs;
    bool quiet;
    int64_t failed;
} cli_crew;

/* Exit code: CLI_DONE, CLI_INTERRUPTED, CLI_FILE; cases that failed are reported and counted. */
int cli_crew_run(cli_crew *crew);

#endif
