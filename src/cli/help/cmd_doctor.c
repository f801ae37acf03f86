/* SPDX-License-Identifier: Apache-2.0 */
/* torsor doctor: checks the installation. Tries a run, looks for programs and libraries that
 * pictures, reports and Python need, and prints what to install. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/blas.h"
#include "base/memory.h"
#include "base/ranks.h"
#include "cli/begin/models.h"
#include "cli/cli.h"
#include "server/server.h"

enum { FACT = 4600 };

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"json", 0, CLI_FLAG, AT(json), NULL, "print one JSON object"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print only what is missing or wrong"},
    {0}};

typedef enum level { FINE, MISSING, WRONG } level;
static const char *const LEVEL[] = {"ok", "missing", "WRONG"};

/* A finding and the advice that goes with it; "": nothing to do. */
typedef struct finding {
    level level;
    char text[FACT];
    const char *advice;
} finding;

/* ---- other programs ---- */

/* The first line that a command prints, by sh; false: it failed. `found` is cut to its room. */
static bool first_line(const char *command, char *found, size_t size) {
    *found = 0;
    fflush(stdout);
    FILE *pipe = popen(command, "r");
    if (!pipe) return false;
    if (!fgets(found, (int)size, pipe)) *found = 0;
    found[strcspn(found, "\n")] = 0;
    while (fgetc(pipe) != EOF) continue;
    int status = pclose(pipe);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- what is looked at ---- */

static void look_program(finding *f) {
    char path[FACT - 100];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    snprintf(f->text, FACT, "%s, %s", torsor_version(), path);
}

static void look_compiler(finding *f) {
#ifdef __clang__
    snprintf(f->text, FACT, "%s", __VERSION__);
#else
    snprintf(f->text, FACT, "gcc %s", __VERSION__);
#endif
}

static void look_blas(finding *f) {
    ts_blas_name(f->text, FACT);
    if (!ts_blas_is_reference()) return;
    f->level = MISSING;
    f->advice = "this BLAS is slow for large meshes: install libopenblas0-serial";
}

static void look_cores(finding *f) {
    snprintf(f->text, FACT, "%ld, for --threads and --jobs", sysconf(_SC_NPROCESSORS_ONLN));
}

static void look_mpi(finding *f) {
    const ts_ranks *ranks = ts_ranks_here();
    if (ranks->transport)
        snprintf(f->text, FACT, "%s, ranks now: %d", ranks->transport, ranks->count);
    else
        snprintf(f->text, FACT, "none in this program; torsor-mpi has it");
}

/* A short run of a model of `torsor new`: assembled, stepped, its energy audit closed. */
static void look_run(finding *f) {
    torsor_model *model = NULL;
    torsor_run *run = NULL;
    torsor_options *options = NULL;
    const torsor_verdict *verdict = NULL;
    const char *text = CLI_MODELS[0].text;
    int status = torsor_model_parse(&model, text, strlen(text), "pendulum");
    if (!status) status = torsor_options_new(&options, "run");
    if (!status) status = torsor_options_set(options, "end", "0.1 s");
    if (!status) status = torsor_run_begin(&run, model, options);
    if (!status) status = torsor_run_to(run, 0.1);
    if (!status) verdict = torsor_run_verdict(run);
    if (!verdict || !verdict->good) {
        f->level = WRONG;
        f->advice = "a pendulum does not run: this program or its libraries are damaged";
        snprintf(f->text, FACT, "%s", status ? torsor_error() : "the energy audit is open");
    } else
        snprintf(f->text, FACT, "a pendulum runs, its energy audit is closed");
    torsor_run_free(run);
    torsor_options_free(options);
    torsor_model_free(model);
}

static void look_report(finding *f) {
    /* other errors of the path do not concern the page */
    if (torsor_report_check("/dev/null") == 0 || !strstr(torsor_error(), "built without")) {
        snprintf(f->text, FACT, "the page of torsor report is in this program");
        return;
    }
    f->level = MISSING;
    f->advice = "torsor was built without npm: run `make setup`, then `make`";
    snprintf(f->text, FACT, "%s", torsor_error());
}

static void look_http(finding *f) {
    if (server_http_name(f->text, FACT)) return;
    f->level = MISSING;
    f->advice = "for torsor view and run --view: install libmicrohttpd12";
}

static void look_python(finding *f) {
    char found[FACT - 200];
    static const char COMMAND[] =
        "for python in \"${TORSOR_PYTHON:-python3}\" python3 /usr/bin/python3; do "
        "\"$python\" -c 'import torsor; print(torsor.__version__, torsor.__file__)' 2>/dev/null "
        "&& exit; done; exit 1";
    bool there = first_line(COMMAND, found, sizeof found);
    if (!there) {
        f->level = MISSING;
        f->advice =
            "for Python: install the package python3-torsor or the wheel, or `make install`; "
            "it needs numpy and cffi";
        snprintf(f->text, FACT, "`import torsor` fails in python3");
        return;
    }
    size_t length = strcspn(found, " ");
    snprintf(f->text, FACT, "torsor %s", found);
    if (strlen(torsor_version()) == length && memcmp(found, torsor_version(), length) == 0) return;
    f->level = WRONG;
    f->advice = "the Python module is of another version than this program: install both again";
}

static void look_png(finding *f) {
    if (first_line("command -v rsvg-convert", f->text, FACT)) return;
    f->level = MISSING;
    f->advice = "for torsor plot -o plot.png: install librsvg2-bin; .svg works without";
    snprintf(f->text, FACT, "no rsvg-convert");
}

static void look_folder(finding *f) {
    const char *given = getenv("TMPDIR"), *folder = given && *given ? given : "/tmp";
    snprintf(f->text, FACT, "%.200s", folder);
    if (access(folder, W_OK | X_OK) == 0) return;
    f->level = WRONG;
    f->advice = "run --resolve writes there: set TMPDIR to a folder that you may write to";
}

static const struct {
    const char *name;
    void (*look)(finding *f);
} LOOKS[] = {{"program", look_program}, {"compiler", look_compiler}, {"run", look_run},
             {"BLAS", look_blas},       {"cores", look_cores},       {"MPI", look_mpi},
             {"report", look_report},   {"HTTP", look_http},         {"Python", look_python},
             {"PNG", look_png},         {"TMPDIR", look_folder}};

/* ---- telling ---- */

static void tell(const char *name, const finding *f) {
    printf("%-8s  %-9s %s\n", LEVEL[f->level], name, cli_shown(f->text));
    if (*f->advice) printf("%21s%s\n", "", f->advice);
}

static void tell_json(ts_json *j, const char *name, const finding *f) {
    ts_json_open(j, name, '{');
    ts_json_text(j, "state", f->level == WRONG ? "wrong" : LEVEL[f->level]);
    ts_json_text(j, "text", f->text);
    if (*f->advice) ts_json_text(j, "advice", f->advice);
    ts_json_close(j, '}');
}

static int doctor(const cli_settings *settings) {
    finding *f = ts_calloc(1, sizeof *f);
    ts_json j = {.out = stdout};
    int wrong = 0;
    if (settings->json) ts_json_open(&j, NULL, '{');
    for (size_t i = 0; i < sizeof LOOKS / sizeof *LOOKS; i++) {
        f->level = FINE, f->advice = "", *f->text = 0;
        LOOKS[i].look(f);
        wrong += f->level == WRONG;
        if (settings->json)
            tell_json(&j, LOOKS[i].name, f);
        else if (!settings->quiet || f->level != FINE)
            tell(LOOKS[i].name, f);
    }
    if (settings->json) ts_json_close(&j, '}');
    free(f);
    return wrong ? CLI_FILE : CLI_DONE;
}

const cli_verb CLI_DOCTOR = {
    .name = "doctor",
    .help = "check the installation: is torsor complete, and does it work here",
    .arguments = "",
    .least = 0,
    .most = 0,
    .about =
        "Tries a short run and looks for the libraries and programs that torsor uses: BLAS, the "
        "page of reports, the server of pages, the Python module, rsvg-convert. For each missing "
        "item it names the "
        "package to install. The exit code is 3 if something is wrong, 0 otherwise.",
    .options = OPTIONS,
    .run = doctor};
