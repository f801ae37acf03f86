/* SPDX-License-Identifier: Apache-2.0 */
/* Options by name: one table of all options, with their verbs and the types of their values. See
 * options.h. */
#include "api/options.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/error.h"
#include "expr/expr.h"

/* ---- mistakes ---- */

int ts_option_fail(const char *name, const char *value, const char *format, ...) {
    char why[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    ts_fail(TORSOR_EOPTION, "%s%s%.60s: %s", name, value ? " " : "", value ? value : "", why);
    return ts_locate(TORSOR_EOPTION, name, 0, 0, NULL);
}

/* ---- values ---- */

int ts_option_quantity(const char *name, const char *text, size_t length, ts_dim wanted,
                       double *out) {
    ts_expr *expr;
    ts_expr_error error = {0};
    if (ts_expr_compile(&expr, text, length, NULL, false, &error))
        return ts_option_fail(name, text, "%s%s%s%s", error.message, *error.hint ? " (" : "",
                              error.hint, *error.hint ? ")" : "");
    ts_dim dim = ts_expr_dim(expr);
    *out = ts_expr_value(expr, 0);
    ts_expr_free(expr);
    char want[64], got[64];
    if (ts_dim_bare(dim) || ts_dim_fits(dim, wanted)) return 0;
    return ts_option_fail(name, text, "expected a %s, got a %s",
                          ts_dim_name(wanted, want, sizeof want),
                          ts_dim_name(dim, got, sizeof got));
}

typedef struct option {
    const char *name;
    int uses;
    int (*read)(const struct option *o, const char *text, void *to);
    size_t offset;    /* in ts_choices */
    double low, high; /* of counts */
    const char *most; /* the same in words; NULL: as many as a count can be */
    const char *kind, *help;
} option;

static int read_seconds(const option *o, const char *text, void *to) {
    double *value = to;
    int status = ts_option_quantity(o->name, text, strlen(text), (ts_dim){.time = 1}, value);
    if (status) return status;
    return *value >= 0 ? 0 : ts_option_fail(o->name, text, "expected a time of 0 or later");
}

static int read_length_of_step(const option *o, const char *text, void *to) {
    int status = read_seconds(o, text, to);
    if (status || *(double *)to > 0) return status;
    return ts_option_fail(o->name, text, "the step must be positive");
}

static int read_step(const option *o, const char *text, void *to) {
    if (strcmp(text, "auto") != 0) return read_length_of_step(o, text, to);
    *(double *)to = INFINITY;
    return 0;
}

static int read_fraction(const option *o, const char *text, void *to) {
    double *value = to;
    int status = ts_option_quantity(o->name, text, strlen(text), (ts_dim){0}, value);
    if (status) return status;
    return *value >= 0 && *value <= 1 ? 0 : ts_option_fail(o->name, text, "expected 0 to 1");
}

static int read_count(const option *o, const char *text, void *to) {
    double number = 0;
    int status = ts_option_quantity(o->name, text, strlen(text), (ts_dim){0}, &number);
    if (status) return status;
    if (!(number >= 0) || number != floor(number))
        return ts_option_fail(o->name, text, "expected a whole number");
    if (number > 1e15 && !o->most)
        return ts_option_fail(o->name, text, "this is too large: expected at most 1e15");
    if (number < o->low || number > o->high)
        return o->most ? ts_option_fail(o->name, text, "expected %g to %s", o->low, o->most)
                       : ts_option_fail(o->name, text, "expected %g or more", o->low);
    *(int64_t *)to = (int64_t)number;
    return 0;
}

static int read_flag(const option *o, const char *text, void *to) {
    bool yes = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    if (!yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
        return ts_option_fail(o->name, text, "expected true or false");
    *(bool *)to = yes;
    return 0;
}

static int read_words(const option *o, const char *text, void *to) {
    if (!*text) return ts_option_fail(o->name, NULL, "the value is empty");
    free(*(char **)to);
    *(char **)to = ts_strdup(text);
    return 0;
}

static int read_scheme(const option *o, const char *text, void *to) {
    ts_scheme_spec spec;
    int status = ts_scheme_read(&spec, o->name, text, strlen(text));
    return status ? status : read_words(o, text, to);
}

static int read_solver(const option *o, const char *text, void *to) {
    char names[100] = "auto";
    bool known = strcmp(text, "auto") == 0;
    for (int i = 0; ts_solver_name(i); i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, ", %s", ts_solver_name(i));
        known |= strcmp(text, ts_solver_name(i)) == 0;
    }
    return known ? read_words(o, text, to) : ts_option_fail(o->name, text, "there are %s", names);
}

/* The components of "[a, b, c]" (brackets may be left out), split at commas outside parentheses. */
static int split(const char *text, const char *start[3], size_t length[3]) {
    size_t end = strlen(text), begin = 0;
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == ']')) end--;
    while (begin < end && (text[begin] == ' ' || text[begin] == '[')) begin++;
    int count = 0, depth = 0;
    start[0] = text + begin;
    for (size_t i = begin; i <= end; i++) {
        char c = i < end ? text[i] : ',';
        depth += (c == '(') - (c == ')');
        if (c != ',' || (depth > 0 && i < end)) continue;
        length[count] = (size_t)(text + i - start[count]);
        if (++count == 3) return i == end ? 3 : 4;
        if (i < end) start[count] = text + i + 1;
    }
    return count;
}

static int read_vector(const option *o, const char *text, ts_dim dim, double *to) {
    const char *start[3];
    size_t length[3];
    if (split(text, start, length) != 3)
        return ts_option_fail(o->name, text, "expected three numbers, \"[x, y, z]\"");
    for (int i = 0; i < 3; i++) {
        char want[64];
        ts_expr *expr;
        ts_expr_error error = {0};
        if (ts_expr_compile(&expr, start[i], length[i], NULL, false, &error))
            return ts_option_fail(o->name, text, "%s", error.message);
        ts_dim got = ts_expr_dim(expr);
        to[i] = ts_expr_value(expr, 0);
        ts_expr_free(expr);
        if (!ts_dim_bare(got) && !ts_dim_fits(got, dim))
            return ts_option_fail(o->name, text, "expected %s",
                                  ts_dim_name(dim, want, sizeof want));
    }
    return 0;
}

static int read_spin(const option *o, const char *text, void *to) {
    ts_choices *c = (ts_choices *)((char *)to - o->offset);
    c->spun = true;
    return read_vector(o, text, (ts_dim){.time = -1, .angle = 1}, to);
}

static int read_about(const option *o, const char *text, void *to) {
    ts_choices *c = (ts_choices *)((char *)to - o->offset);
    c->placed = true;
    free(c->about_name), c->about_name = NULL;
    /* Numbers start with a bracket, a digit, a sign or a parenthesis. */
    if (isalpha((unsigned char)*text) || *text == '_') {
        c->about_name = ts_strdup(text);
        return 0;
    }
    return read_vector(o, text, (ts_dim){.length = 1}, to);
}

/* ---- the table ---- */

enum { RUN = 1, RESTART = 2, MODES = 4, CONVERGE = 8, COMPARE = 16, SPECTRUM = 32, RESOLVE = 64 };
enum {
    LADDER = CONVERGE | COMPARE,
    SOME_RUN = RUN | RESTART,
    MOST_RUNGS = 24,
    MOST_POINTS = 100000
};

static const struct {
    const char *name;
    int use;
} USES[] = {{"run", RUN},           {"restart", RESTART}, {"modes", MODES},
            {"converge", CONVERGE}, {"compare", COMPARE}, {"spectrum", SPECTRUM},
            {"resolve", RESOLVE}};
enum { USE_COUNT = sizeof USES / sizeof *USES };

#define AT(field) offsetof(ts_choices, field)
static const option OPTIONS[] = {
    {"scheme", RUN | CONVERGE, read_scheme, AT(scheme), 0, 0, NULL, "name",
     "scheme instead of the model's; with parameters: newmark:gamma=0.6"},
    {"solver", RUN, read_solver, AT(solver), 0, 0, NULL, "name", "solver of the linear equations"},
    {"step", RUN, read_step, AT(step), 0, 0, NULL, "time",
     "size of a step, or auto; states are stored at about the same times as before"},
    {"step", RESTART, read_length_of_step, AT(step), 0, 0, NULL, "time",
     "another size of step, of which the time of the state is a multiple"},
    {"from", CONVERGE, read_length_of_step, AT(step), 0, 0, NULL, "time", "the same as step"},
    {"step", LADDER, read_length_of_step, AT(step), 0, 0, NULL, "time",
     "the longest step; default: the model's"},
    {"end", SOME_RUN | LADDER, read_seconds, AT(end), 0, 0, NULL, "time", "end of the run"},
    {"rho", SOME_RUN | LADDER, read_fraction, AT(rho), 0, 0, NULL, "number",
     "spectral radius at infinite frequency, 0 to 1"},
    {"tolerance", RUN, read_fraction, AT(tolerance), 0, 0, NULL, "number",
     "error that Newton's method may leave in a step; 1e-15: round-off"},
    {"every", SOME_RUN, read_count, AT(every), 1, 1e9, "1e9", "count", "store every n-th step"},
    {"linear", RUN, read_flag, AT(linear), 0, 0, NULL, "flag",
     "statics: one linear solution about the model as drawn, instead of increments"},
    {"threads", SOME_RUN, read_count, AT(threads), 1, TS_MOST_THREADS, "256", "count",
     "threads that assemble the equations"},
    {"from", RESTART, read_count, AT(from), 0, 1e15, NULL, "count",
     "the stored state of this step"},
    {"time", RESTART, read_seconds, AT(time), 0, 0, NULL, "time",
     "the last stored state up to this time"},
    {"frame", RESTART, read_count, AT(frame), 0, 1e15, NULL, "count",
     "the stored state of this index"},
    {"modes", MODES, read_count, AT(modes), 1, 1e6, "1e6", "count",
     "number of modes, the lowest first"},
    {"spin", MODES, read_spin, AT(spin), 0, 0, NULL, "vector",
     "steady rotation of everything, rad/s"},
    {"about", MODES, read_about, AT(about), 0, 0, NULL, "vector",
     "a point of the axis of rotation, m; or the name of a point of the model"},
    {"speeds", MODES, read_count, AT(speeds), 2, 10000, "10000", "count",
     "speeds of a Campbell diagram: from rest to spin, both included"},
    {"as_drawn", MODES, read_flag, AT(as_drawn), 0, 0, NULL, "flag",
     "modes about the state as drawn"},
    {"buckling", MODES, read_flag, AT(buckling), 0, 0, NULL, "flag",
     "factors of all loads instead of frequencies"},
    {"levels", LADDER, read_count, AT(levels), 1, MOST_RUNGS, "24", "count",
     "number of steps, each half as long as the one before"},
    {"steps", LADDER, read_words, AT(steps), 0, 0, NULL, "list", "the steps: 4ms,2ms,1ms"},
    {"reference", LADDER, read_words, AT(reference), 0, 0, NULL, "[scheme:]time",
     "reference for errors"},
    {"rms", LADDER, read_flag, AT(rms), 0, 0, NULL, "flag",
     "root mean square instead of the largest error"},
    {"mesh", CONVERGE, read_flag, AT(mesh), 0, 0, NULL, "flag",
     "a ladder of refined meshes instead of steps"},
    {"jobs", LADDER | RESOLVE, read_count, AT(jobs), 1, 1e15, NULL, "count", "runs side by side"},
    {"schemes", COMPARE | SPECTRUM, read_words, AT(schemes), 0, 0, NULL, "list",
     "names with commas"},
    {"rho", SPECTRUM, read_words, AT(rhos), 0, 0, NULL, "list",
     "spectral radii at infinite frequency"},
    {"range", SPECTRUM, read_words, AT(range), 0, 0, NULL, "a,b", "step / period from a to b"},
    {"points", SPECTRUM, read_count, AT(points), 2, MOST_POINTS, "100000", "count",
     "number of steps in the range"},
    {"channels", RESOLVE, read_words, AT(channels), 0, 0, NULL, "list",
     "columns of the results, separated by commas"}};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof *OPTIONS };

static const ts_choices NOTHING = {.step = NAN,
                                   .end = NAN,
                                   .rho = NAN,
                                   .tolerance = NAN,
                                   .time = NAN,
                                   .every = -1,
                                   .threads = -1,
                                   .from = -1,
                                   .frame = -1,
                                   .modes = -1,
                                   .speeds = -1,
                                   .levels = -1,
                                   .points = -1,
                                   .jobs = -1};

/* ---- the handle ---- */

const ts_choices *ts_choices_of(const torsor_options *options) {
    return options ? &options->choices : &NOTHING;
}

static int find_use(const char *name, int *use) {
    for (int i = 0; i < USE_COUNT; i++)
        if (strcmp(USES[i].name, name) == 0) {
            *use = USES[i].use;
            return 0;
        }
    return ts_fail(TORSOR_EINVAL, "there are no options for '%.60s'", name);
}

int ts_api_options_new(torsor_options **out, const char *use) {
    if (!out || !use) return ts_null_argument("torsor_options_new");
    int which;
    *out = NULL;
    int status = find_use(use, &which);
    if (status) return status;
    *out = ts_calloc(1, sizeof **out);
    **out = (torsor_options){.use = which, .choices = NOTHING};
    return 0;
}

static void take_apart(void *options) {
    torsor_options *o = options;
    for (int i = 0; i < OPTION_COUNT; i++) {
        bool words = OPTIONS[i].read == read_words || OPTIONS[i].read == read_scheme ||
                     OPTIONS[i].read == read_solver;
        char **text = (char **)((char *)&o->choices + OPTIONS[i].offset);
        if (words) free(*text), *text = NULL;
    }
    free(o->choices.about_name);
    free(o);
}

void torsor_options_free(torsor_options *options) {
    if (!options) return;
    ts_pool_free(options, take_apart);
}

static int unknown(const torsor_options *o, const char *name) {
    const char *nearest = NULL;
    char names[400] = "";
    int best = INT_MAX;
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!(OPTIONS[i].uses & o->use)) continue;
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", OPTIONS[i].name);
        if (ts_word_closer(name, strlen(name), OPTIONS[i].name, &best)) nearest = OPTIONS[i].name;
    }
    if (nearest)
        ts_fail(TORSOR_EOPTION, "there is no option '%.60s': did you mean '%s'?", name, nearest);
    else
        ts_fail(TORSOR_EOPTION, "there is no option '%.60s': there are %s", name, names);
    return TORSOR_EOPTION;
}

int ts_api_options_set(torsor_options *o, const char *name, const char *value) {
    if (!o || !name || !value) return ts_null_argument("torsor_options_set");
    for (int i = 0; i < OPTION_COUNT; i++)
        if ((OPTIONS[i].uses & o->use) && strcmp(OPTIONS[i].name, name) == 0)
            return OPTIONS[i].read(&OPTIONS[i], value, (char *)&o->choices + OPTIONS[i].offset);
    return unknown(o, name);
}

int ts_api_options_list(const char *use, char **out) {
    if (!use || !out) return ts_null_argument("torsor_options_list");
    ts_memo memo;
    int which;
    *out = NULL;
    int status = find_use(use, &which);
    if (!status) status = ts_memo_open(&memo);
    if (status) return status;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (OPTIONS[i].uses & which)
            fprintf(memo.out, "%s\t%s\t%s\n", OPTIONS[i].name, OPTIONS[i].kind, OPTIONS[i].help);
    return ts_memo_take(&memo, 0, out);
}

void torsor_options_watch(torsor_options *o, const torsor_watch *watch) {
    if (o) o->watch = watch ? *watch : (torsor_watch){0};
}

int ts_options_tell(const torsor_options *o, const char *words, double share) {
    if (!o || !o->watch.tell || o->watch.tell(o->watch.context, words, share) == 0) return 0;
    return ts_fail(TORSOR_EINTERRUPTED, "stopped by the caller");
}

/* ---- numbers ---- */

int ts_api_number(const char *text, const char *unit, double *out) {
    if (!text || !unit || !out) return ts_null_argument("torsor_number");
    char one[80], want[64], got[64];
    ts_expr *expr;
    ts_expr_error error = {0};
    snprintf(one, sizeof one, "1%s%.70s", strcmp(unit, "1") ? " " : "",
             strcmp(unit, "1") ? unit : "");
    if (ts_expr_compile(&expr, one, strlen(one), NULL, false, &error))
        return ts_fail(TORSOR_EINVAL, "'%.60s' is not a unit: %s", unit, error.message);
    ts_dim wanted = ts_expr_dim(expr);
    ts_expr_free(expr);
    if (ts_expr_compile(&expr, text, strlen(text), NULL, false, &error))
        return ts_fail(TORSOR_EINVAL, "%.60s: %s%s%s%s", text, error.message,
                       *error.hint ? " (" : "", error.hint, *error.hint ? ")" : "");
    ts_dim dim = ts_expr_dim(expr);
    *out = ts_expr_value(expr, 0);
    ts_expr_free(expr);
    if (ts_dim_bare(dim) || ts_dim_fits(dim, wanted)) return 0;
    return ts_fail(TORSOR_EINVAL, "%.60s: expected a %s, got a %s", text,
                   ts_dim_name(wanted, want, sizeof want), ts_dim_name(dim, got, sizeof got));
}
