/* SPDX-License-Identifier: Apache-2.0 */
/* torsor study: many cases of one model, side by side, with a journal, a table and a page. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/ranks.h"
#include "cli/many/many.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_TEXT, AT(output), "FOLDER",
     "folder for journal, table and page; default: as the study says, or its name without .yaml"},
    {"part", 0, CLI_TEXT, AT(part), "I/N",
     "only every N-th case, from the I-th, into its own journal; for arrays of jobs on a cluster"},
    {"gather", 0, CLI_FLAG, AT(gather), NULL,
     "run nothing: write table and page from the journals"},
    {"list", 0, CLI_FLAG, AT(columns), NULL, "print the cases as a table, and run nothing"},
    CLI_OPTION_SET,
    {"jobs", 'j', CLI_COUNT, AT(every), "N", "cases in parallel; default: as many as cores"},
    {"force", 'f', CLI_FLAG, AT(force), NULL,
     "write into a folder that contains other files than those of a study"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print warnings and errors only"},
    {0}};

/* ---- the study ---- */

static int set_options(cli_many *many) {
    int status = torsor_options_new(&many->options, "run");
    for (int i = 0; i < torsor_plan_count(many->plan, "options") && !status; i++)
        status = torsor_options_set(many->options, torsor_plan_name(many->plan, "options", i),
                                    torsor_plan_text(many->plan, "options", i));
    return status;
}

/* The histories requested by the study, otherwise those of the channels that it measures. */
static void set_histories(cli_many *many) {
    int named = torsor_plan_count(many->plan, "histories"),
        measured = torsor_plan_count(many->plan, "measures");
    many->history = ts_calloc((size_t)(named + measured) + 1, sizeof *many->history);
    for (int i = 0; i < named; i++)
        many->history[many->histories++] = torsor_plan_name(many->plan, "histories", i);
    for (int i = 0; named == 0 && i < measured; i++) {
        const char *text = torsor_plan_text(many->plan, "measures", i), *column = strchr(text, ' ');
        bool known = false;
        column += strspn(column, " ");
        for (int k = 0; k < many->histories; k++) known |= strcmp(many->history[k], column) == 0;
        if (!known) many->history[many->histories++] = column;
    }
}

static char *title_of(const cli_many *many) {
    char *title = NULL;
    const char *own = torsor_plan_setting(many->plan, "title");
    if (own) return ts_strdup(own);
    if (torsor_model_has(many->model, "title")) torsor_model_get(many->model, "title", &title);
    size_t length = title ? strlen(title) : 0;
    bool quoted = length > 1 && strchr("'\"", *title) && title[length - 1] == *title;
    if (quoted) title[length - 1] = 0;
    char *copy = ts_strdup(title ? title + quoted : many->model_name);
    torsor_text_free(title);
    return copy;
}

static int read_study(cli_many *many, const cli_settings *settings) {
    const char *path = settings->argument[0];
    int status = torsor_plan_read(&many->plan, path);
    if (!status) status = torsor_model_copy(&many->model, torsor_plan_model(many->plan));
    for (int i = 0; i < settings->sets && !status; i++)
        status = cli_override(many->model, settings->set[i]);
    if (!status) status = torsor_model_whole(many->model, &many->text);
    if (!status) status = set_options(many);
    if (status) return cli_fail_file(status, path);
    if (torsor_plan_count(many->plan, "measures") == 0)
        return cli_fail(CLI_MODEL, "%s: the study has no measures: add `measures`", path);
    const char *keep = torsor_plan_setting(many->plan, "keep");
    many->pages = keep && strcmp(keep, "reports") == 0;
    many->keep = many->pages || (keep && strcmp(keep, "results") == 0);
    many->model_name = torsor_plan_setting(many->plan, "model");
    many->title = title_of(many);
    set_histories(many);
    return CLI_DONE;
}

static void clear_study(cli_many *many) {
    torsor_options_free(many->options);
    torsor_model_free(many->model);
    torsor_plan_free(many->plan);
    torsor_text_free(many->text);
    free(many->title), free(many->history);
}

/* In a process of its own: this one must not get threads before it forks. */
static int check_channels(const cli_many *many) {
    int status = 0;
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        int wrong = cli_case_check(many);
        _exit(wrong ? cli_fail_status(wrong) : CLI_DONE);
    }
    while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    if (process < 0) return cli_fail(CLI_FILE, "cannot start a process: %s", strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : CLI_NUMERICS;
}

/* ---- the folder ---- */

static char *join(const char *folder, const char *name) {
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = ts_calloc(room, 1);
    snprintf(path, room, "%s/%s", folder, name);
    return path;
}

/* A new one; or one with a `runs` inside, which an earlier study made. */
static int make_folder(const char *folder, bool force) {
    char *runs = join(folder, "runs");
    int code = CLI_DONE;
    bool there = access(folder, F_OK) == 0, ours = access(runs, F_OK) == 0;
    if (there && !ours && !force && rmdir(folder))
        code = cli_fail(CLI_FILE,
                        "%s exists and was not made by a study: choose another --output, or use "
                        "--force",
                        folder);
    if (!code && mkdir(folder, 0777) && errno != EEXIST)
        code = cli_fail(CLI_FILE, "%s: cannot make the folder: %s", folder, strerror(errno));
    if (!code && mkdir(runs, 0777) && errno != EEXIST)
        code = cli_fail(CLI_FILE, "%s: cannot make the folder: %s", runs, strerror(errno));
    free(runs);
    return code;
}

static int write_tables(const cli_many *many, const cli_journal *journal, bool quiet) {
    static const char *const files[][2] = {
        {"csv", "table.csv"}, {"h5", "table.h5"}, {"report", "report.html"}};
    int count;
    int64_t cases = 0;
    const char *const *names = cli_journal_names(journal, &count);
    torsor_replace_files(true);
    for (int i = 0; i < 3; i++) {
        char *path = join(many->folder, files[i][1]);
        int status = torsor_journals_write(count, names, files[i][0], path, &cases);
        free(path);
        if (status) return cli_fail_status(status);
    }
    if (!quiet)
        printf("  table    %s/table.csv, table.h5: %lld of %lld cases\n  report   %s/report.html\n",
               many->folder, (long long)cases, (long long)torsor_plan_cases(many->plan),
               many->folder);
    return CLI_DONE;
}

/* ---- the verb ---- */

static int read_part(const char *text, int *part, int *parts) {
    char rest;
    *part = *parts = 0;
    if (!text) return CLI_DONE;
    if (sscanf(text, "%d/%d%c", part, parts, &rest) == 2 && *part >= 1 && *part <= *parts)
        return CLI_DONE;
    return cli_fail(CLI_USAGE, "--part %.40s: expected I/N with I from 1 to N, such as 3/8", text);
}

static void list_cases(const torsor_plan *plan) {
    int count = torsor_plan_count(plan, "parameters");
    printf("case");
    for (int i = 0; i < count; i++) printf(",%s", torsor_plan_name(plan, "parameters", i));
    for (int64_t k = 0; k < torsor_plan_cases(plan); k++) {
        printf("\n%lld", (long long)k);
        for (int i = 0; i < count; i++) printf(",%s", torsor_plan_value(plan, k, i));
    }
    printf("\n");
}

static int jobs_of(const cli_settings *settings, int64_t cases) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t jobs = settings->every > 0 ? settings->every : cores > 0 ? cores : 1;
    if (jobs > cases) jobs = cases;
    return (int)(jobs < 1 ? 1 : jobs > 1024 ? 1024 : jobs);
}

/* Cases of this part that are in no journal. */
static int64_t *cases_left(const cli_many *many, const cli_journal *journal, int part, int parts,
                           cli_crew *crew) {
    int64_t all = torsor_plan_cases(many->plan), step = parts ? parts : 1;
    int64_t *left = ts_calloc((size_t)all + 1, sizeof *left);
    for (int64_t k = parts ? part - 1 : 0; k < all; k += step) {
        char key[65];
        cli_case_key(many, k, key);
        crew->all++;
        if (cli_journal_has(journal, key))
            crew->before++;
        else
            left[crew->count++] = k;
    }
    return left;
}

static void tell(const cli_many *many, const cli_crew *crew, const char *path) {
    printf("study      %s: %s\n", cli_shown(path), cli_shown(many->title));
    printf("  cases    %lld", (long long)crew->all);
    if (crew->before) printf(", %lld of them in the journal", (long long)crew->before);
    printf("; %d at a time\n", crew->jobs);
    fflush(stdout);
}

static int run_cases(const cli_many *many, cli_journal *journal, const cli_settings *settings,
                     int part, int parts) {
    cli_crew crew = {.many = many, .journal = journal, .quiet = settings->quiet};
    int64_t *left = cases_left(many, journal, part, parts, &crew);
    crew.which = left, crew.jobs = jobs_of(settings, crew.count);
    if (!settings->quiet) tell(many, &crew, settings->argument[0]);
    int code = crew.count ? check_channels(many) : CLI_DONE;
    if (!code) code = cli_crew_run(&crew);
    free(left);
    if (code == CLI_INTERRUPTED)
        fprintf(stderr,
                "torsor: interrupted: give the same command to continue from the journal\n");
    if (!code && crew.failed)
        code = cli_fail(CLI_NUMERICS, "%lld of %lld cases failed; they are not in the journal",
                        (long long)crew.failed, (long long)crew.all);
    return code;
}

/* Parts write no table: others may still be running. */
static int run_study(cli_many *many, const cli_settings *settings) {
    int part, parts;
    cli_journal *journal = NULL;
    if (ts_ranks_here()->transport)
        return cli_fail(CLI_USAGE, "torsor-mpi shares one run among processes and cannot start "
                                   "others: use `torsor study`, with --part I/N on a cluster");
    int code = read_part(settings->part, &part, &parts);
    if (!code) code = make_folder(many->folder, settings->force);
    if (!code) code = cli_journal_open(&journal, many->folder, part, parts);
    if (!code && !settings->gather) code = run_cases(many, journal, settings, part, parts);
    if ((code == CLI_DONE || code == CLI_NUMERICS) && parts == 0) {
        int written = write_tables(many, journal, settings->quiet);
        code = code ? code : written;
    }
    cli_journal_close(journal);
    return code;
}

static int study(const cli_settings *settings) {
    cli_many many = {0};
    int code = read_study(&many, settings);
    char *name = cli_file_name(settings->argument[0], "");
    const char *own = code ? NULL : torsor_plan_setting(many.plan, "output");
    many.folder = settings->output ? settings->output : own ? own : name;
    if (!code && settings->columns)
        list_cases(many.plan);
    else if (!code)
        code = run_study(&many, settings);
    free(name);
    clear_study(&many);
    return code;
}

const cli_verb CLI_STUDY = {
    .name = "study",
    .help = "run many cases of a model: grids, samples, tables; on a cluster, too",
    .arguments = "STUDY.yaml",
    .least = 1,
    .most = 1,
    .about = "Runs the cases of a study file in parallel, each in its own process, and writes a "
             "line for each finished one to a journal. If it was interrupted or killed, give the "
             "same command again to continue from the journal. Ends with a table (CSV and HDF5) "
             "and a page for the browser. See docs/studies.md.",
    .options = OPTIONS,
    .run = study};
