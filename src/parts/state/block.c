/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of controllers and filters: several variables, ready for use.
 *
 *     state_space          x' = A x + B u ,   y = C x + D u , of one or several inputs u
 *     transfer_function    Y/U = (b_0 s^m + ... + b_m)/(a_0 s^n + ... + a_n), m <= n, in
 *                          controllable canonical form (Ogata, Modern Control Engineering, 5th ed.,
 *                          sec. 9-2)
 *     pid                  f' = (e - f)/T_f ,   v = K_p e + I + K_d (e - f)/T_f ,
 *                          y = min(max(v, lowest), highest) ,   I' = K_i e + (y - v)/T_t
 *
 * The last term of I' is the anti-windup by back-calculation (Astrom and Hagglund, Advanced PID
 * Control, 2006, sec. 3.5). Inputs and outputs are variables whose value over a step is that of
 * their expression; states have rates. With a `period` all are samples:
 *
 *     x_k+1 = A x_k + B u_k ,   y_k = C x_k + D u_k ,         s stands for z
 *     d_k = (T_f d_k-1 + K_d (e_k - e_k-1))/(T_f + T) ,   v_k = K_p e_k + I_k-1 + K_i T e_k + d_k ,
 *     I_k = I_k-1 + K_i T e_k + (y_k - v_k) T/T_t
 *
 * The equations are written as expressions of the block's own coordinates: `own.error`, after the
 * sample `own.error.next`.
 */
#include "parts/state/block.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "parts/parts.h"

enum { MOST_STATES = 16, MOST_TOGETHER = TS_MAX_FORMS - 1, ROOM = 4000 };

/* ---- expressions of own coordinates ---- */

typedef struct formula {
    const char *part;
    char text[ROOM];
    size_t used;
    char **channel;
    int channels;
} formula;

static void write(formula *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void write(formula *f, const char *format, ...) {
    va_list args;
    va_start(args, format);
    f->used += (size_t)vsnprintf(f->text + f->used, ROOM - f->used, format, args);
    va_end(args);
}

/* `own.error` is a channel of the part that is being built. */
static int own_channel(void *context, const char *name, size_t length, ts_dim *dim,
                       ts_expr_error *error) {
    formula *f = context;
    char text[200];
    (void)error;
    snprintf(text, sizeof text, "%s.%.*s", f->part, (int)(length - 4), name + 4);
    *dim = (ts_dim){0};
    for (int i = 0; i < f->channels; i++)
        if (strcmp(f->channel[i], text) == 0) return i + 1;
    f->channel = ts_realloc(f->channel, (size_t)f->channels + 1, sizeof *f->channel);
    f->channel[f->channels++] = ts_strdup(text);
    return f->channels;
}

/* The signal of the text; -1: zero. */
static int take(ts_model *model, formula *f) {
    ts_scope scope = {.context = f, .channel = own_channel};
    ts_signal signal = {.kind = TS_SIGNAL_EXPRESSION, .scale = 1};
    if (f->used == 0) return -1;
    if (ts_expr_compile(&signal.expr, f->text, f->used, &scope, true, NULL)) return -1;
    signal.channel = f->channel, signal.channels = f->channels;
    return ts_model_signal(model, signal);
}

/* Adds factor times a coordinate. */
static void plus(formula *f, double factor, const char *coordinate, int number, const char *when) {
    char index[16] = "";
    if (factor == 0) return;
    if (number > 0) snprintf(index, sizeof index, "%d", number);
    write(f, "%s(%.17g)*own.%s%s%s", f->used ? " + " : "", factor, coordinate, index, when);
}

/* ---- x' = A x + B u, y = C x + D u ---- */

typedef struct linear {
    int n, inputs, outputs;
    double A[MOST_STATES * MOST_STATES], B[MOST_STATES * TS_VALUE_SIGNALS];
    double C[MOST_STATES * MOST_STATES], D[MOST_STATES * TS_VALUE_SIGNALS];
    double initial[MOST_STATES];
    double scale;
    ts_variable how; /* of the states */
} linear;

/* A typical size of a variable with these coefficients, if states and inputs are of the size 1. */
static double size_of(const linear *l, const double *of_states, const double *of_inputs) {
    double size = 0;
    for (int j = 0; j < l->inputs; j++) size = fmax(size, fabs(of_inputs[j]));
    for (int j = 0; j < l->n; j++) size = fmax(size, fabs(of_states[j]));
    return fmax(1, size);
}

/* "input", "input2" ...; states begin with "state1". */
static void numbered(char name[16], const char *word, int number) {
    snprintf(name, 16, number > 1 ? "%s%d" : "%s", word, number);
}

/* Sampled variables read the inputs of this sample, and the previous states. */
static void add_linear(ts_builder *b, const linear *l, const int *input) {
    bool digital = l->how.law == TS_IS_SAMPLE;
    ts_variable value = digital ? l->how : (ts_variable){.law = TS_IS_VALUE};
    const char *now = digital ? ".next" : "";
    for (int k = 0; k < l->inputs; k++) {
        char name[16];
        numbered(name, "input", k + 1);
        ts_add_variable(b, name, (ts_start){.scale = l->scale}, value, input[k]);
    }
    for (int i = 0; i < l->n + l->outputs; i++) {
        bool state = i < l->n;
        int row = state ? i : i - l->n;
        const double *of_inputs = (state ? l->B : l->D) + row * l->inputs;
        formula f = {.part = b->name};
        char name[16];
        for (int j = 0; j < l->n; j++)
            plus(&f, (state ? l->A : l->C)[row * l->n + j], "state", j + 1, "");
        for (int k = 0; k < l->inputs; k++) plus(&f, of_inputs[k], "input", k > 0 ? k + 1 : 0, now);
        if (state)
            snprintf(name, sizeof name, "state%d", row + 1);
        else
            numbered(name, "value", row + 1);
        ts_start start = {state ? l->initial[row] : 0, l->scale};
        if (!state && l->scale == 0) start.scale = size_of(l, l->C + row * l->n, of_inputs);
        ts_add_variable(b, name, start, state ? l->how : value, take(b->model, &f));
    }
    if (digital) ts_add_clock(b->model, l->how);
}

/* Fields shared by linear blocks, after their own. */
enum { INPUT, PERIOD, START, SIZE, UNIT, OWN };
#define LINEAR_FIELDS(INPUTS, HELP)                                                    \
    {.name = "input", .type = INPUTS, .required = true, .help = HELP},                 \
        {.name = "period",                                                             \
         .type = TS_NUMBER,                                                            \
         .dim = {0, 0, 1, 0},                                                          \
         .help = "Of a digital block: time between samples, a whole number of steps.", \
         .fallback = "continuous"},                                                    \
        {.name = "start",                                                              \
         .type = TS_NUMBER,                                                            \
         .dim = {0, 0, 1, 0},                                                          \
         .help = "Of a digital block: time of the first sample.",                      \
         .fallback = "0"},                                                             \
        {.name = "scale",                                                              \
         .type = TS_NUMBER,                                                            \
         .help = "Typical size of the block's variables, if not 1.",                   \
         .fallback = "1"},                                                             \
        TS_UNIT_FIELD

static int read_linear(ts_builder *b, const ts_value *value, linear *l) {
    l->how = (ts_variable){.law = TS_IS_RATE};
    if (ts_read_scale(b, value, SIZE, &l->scale)) return TORSOR_EINVAL;
    if (value[START].given && !value[PERIOD].given)
        return ts_build_fail(b, START, "give `period`, too", "only samples have a start");
    return value[PERIOD].given ? ts_read_sampling(b, value, PERIOD, START, &l->how) : 0;
}

/* ---- A, B, C, D ---- */

enum { MATRIX = OWN, INTO, OUT, THROUGH, INITIAL };

static const ts_field SPACE_FIELDS[] = {
    LINEAR_FIELDS(TS_STATE_LIST,
                  "Input u: an expression of channels, signals and time, in SI units; "
                  "or a list of up to 8."),
    {.name = "A", .type = TS_ROWS, .required = true, .help = "n rows of n numbers, in SI units."},
    {.name = "B",
     .type = TS_ROWS,
     .required = true,
     .help = "n numbers; of several inputs n rows with a number for each."},
    {.name = "C",
     .type = TS_ROWS,
     .required = true,
     .help = "One row of n numbers for every output."},
    {.name = "D",
     .type = TS_ROWS,
     .help = "One number for every output; of several inputs one row for every output.",
     .fallback = "0"},
    {.name = "initial", .type = TS_NUMBERS, .help = "The n states at the start.", .fallback = "0"},
    {0}};

static int wrong_count(ts_builder *b, int field, int wanted, int got) {
    return ts_build_fail(b, field, NULL, "expected %d number%s here, got %d", wanted,
                         wanted == 1 ? "" : "s", got);
}

static int copy(ts_builder *b, const ts_value *value, int field, int count, double *out) {
    if (!value[field].given) return 0;
    if (value[field].count != count) return wrong_count(b, field, count, value[field].count);
    memcpy(out, value[field].list, (size_t)count * sizeof *out);
    return 0;
}

static int build_space(ts_builder *b, ts_value *value) {
    linear l = {.n = (int)lround(sqrt(value[MATRIX].count)), .inputs = value[INPUT].count};
    int input[TS_VALUE_SIGNALS];
    if (read_linear(b, value, &l)) return TORSOR_EINVAL;
    if (l.n < 1 || l.n > MOST_STATES || l.n * l.n != value[MATRIX].count)
        return ts_build_fail(b, MATRIX, "for example `A: [[0, 1], [-4, -1]]`",
                             "A needs n rows of n numbers, n from 1 to %d", MOST_STATES);
    if (l.n + l.inputs > MOST_TOGETHER)
        return ts_build_fail(b, INPUT, "split the block, or add inputs up in one expression",
                             "a block has at most %d states and inputs together", MOST_TOGETHER);
    l.outputs = value[OUT].count / l.n;
    if (l.outputs < 1 || l.outputs > MOST_STATES || l.outputs * l.n != value[OUT].count)
        return ts_build_fail(b, OUT, "for example `C: [[1, 0]]`",
                             "C needs rows of %d numbers, as many as A has", l.n);
    if (copy(b, value, MATRIX, l.n * l.n, l.A) || copy(b, value, INTO, l.n * l.inputs, l.B) ||
        copy(b, value, OUT, l.n * l.outputs, l.C) ||
        copy(b, value, THROUGH, l.inputs * l.outputs, l.D) ||
        copy(b, value, INITIAL, l.n, l.initial))
        return TORSOR_EINVAL;
    for (int k = 0; k < l.inputs; k++) input[k] = ts_take_signal(b, &value[INPUT], k);
    ts_new_part(b, &TS_KIND_STATE_SPACE);
    add_linear(b, &l, input);
    return ts_read_unit(b, value, UNIT);
}

const ts_kind TS_KIND_STATE_SPACE = {
    .name = "state_space",
    .section = "states",
    .help = "A linear system x' = A x + B u, y = C x + D u, or its samples. Coordinates: input, "
            "input2 ..., state1, state2 ..., value, value2 ...",
    .fields = SPACE_FIELDS,
    .build = build_space,
    .sample = "{type: state_space, input: A.position.x, A: [[0, 1], [-4, -1]], B: [0, 4], "
              "C: [[1, 0]], D: [0.1]}"};

/* ---- numerator over denominator ---- */

enum { NUMERATOR = OWN, DENOMINATOR };

static const ts_field TRANSFER_FIELDS[] = {
    LINEAR_FIELDS(TS_STATE_ANY,
                  "Input u: an expression of channels, signals and time, in SI units."),
    {.name = "numerator",
     .type = TS_NUMBERS,
     .required = true,
     .help = "Coefficients, the highest power first, in SI units."},
    {.name = "denominator",
     .type = TS_NUMBERS,
     .required = true,
     .help = "Coefficients, the highest power first: `[1, 2, 5]` is s^2 + 2 s + 5 (z for s with a "
             "period)."},
    {0}};

static int build_transfer(ts_builder *b, ts_value *value) {
    int n = value[DENOMINATOR].count - 1, m = value[NUMERATOR].count - 1;
    const double *a = value[DENOMINATOR].list, *top = value[NUMERATOR].list;
    linear l = {.n = n, .inputs = 1, .outputs = 1};
    if (read_linear(b, value, &l)) return TORSOR_EINVAL;
    if (n < 1 || n > MOST_STATES || a[0] == 0)
        return ts_build_fail(b, DENOMINATOR, "for example `denominator: [0.1, 1]`",
                             "the denominator needs a degree from 1 to %d, and its first "
                             "coefficient must not be zero",
                             MOST_STATES);
    if (m > n)
        return ts_build_fail(b, NUMERATOR, "add a filter: a pole more in the denominator",
                             "the numerator has a higher degree than the denominator: its output "
                             "would depend on rates of the input");
    l.D[0] = m == n ? top[0] / a[0] : 0;
    for (int i = 0; i < n; i++) {
        int power = n - 1 - i; /* of the i-th coefficient behind the first */
        l.A[(n - 1) * n + power] = -a[i + 1] / a[0];
        if (i + 1 < n) l.A[i * n + i + 1] = 1;
        double c = power <= m ? top[m - power] / a[0] : 0;
        l.C[power] = c - l.D[0] * a[i + 1] / a[0];
    }
    l.B[n - 1] = 1;
    int input = ts_take_signal(b, &value[INPUT], 0);
    ts_new_part(b, &TS_KIND_TRANSFER_FUNCTION);
    add_linear(b, &l, &input);
    return ts_read_unit(b, value, UNIT);
}

const ts_kind TS_KIND_TRANSFER_FUNCTION = {
    .name = "transfer_function",
    .section = "states",
    .help = "A linear system by its transfer function from input to value, or its samples. It "
            "starts at rest. Coordinates: input, state1, state2 ..., value.",
    .fields = TRANSFER_FIELDS,
    .build = build_transfer,
    .sample = "{type: transfer_function, input: A.position.x, numerator: [1], denominator: "
              "[0.1, 1]}"};

/* ---- PID ---- */

enum {
    ERROR,
    KP,
    KI,
    KD,
    FILTER,
    LOWEST,
    HIGHEST,
    TRACKING,
    PID_INITIAL,
    PID_PERIOD,
    PID_START,
    PID_SIZE,
    PID_UNIT
};

static const ts_field PID_FIELDS[] = {
    {.name = "error",
     .type = TS_STATE_ANY,
     .required = true,
     .help = "The control error, in SI units: `target - hinge.angle`."},
    {.name = "kp", .type = TS_NUMBER, .help = "Gain, in SI units.", .fallback = "0"},
    {.name = "ki",
     .type = TS_NUMBER,
     .help = "Gain of the integral, in SI units.",
     .fallback = "0"},
    {.name = "kd", .type = TS_NUMBER, .help = "Gain of the rate, in SI units.", .fallback = "0"},
    {.name = "filter",
     .type = TS_NUMBER,
     .dim = {0, 0, 1, 0},
     .help = "Time constant of the lag through which the rate is taken. Needed with kd, unless "
             "there is a period.",
     .fallback = "0"},
    {.name = "min", .type = TS_NUMBER, .help = "Least value.", .fallback = "none"},
    {.name = "max", .type = TS_NUMBER, .help = "Largest value.", .fallback = "none"},
    {.name = "anti_windup",
     .type = TS_NUMBER,
     .dim = {0, 0, 1, 0},
     .help = "Time in which the integral follows a value that is limited.",
     .fallback = "sqrt(kd/ki), without kd kp/ki"},
    {.name = "initial",
     .type = TS_NUMBER,
     .help = "Share of the integral in the value at the start.",
     .fallback = "0"},
    {.name = "period",
     .type = TS_NUMBER,
     .dim = {0, 0, 1, 0},
     .help = "Of a digital controller: time between samples, a whole number of steps.",
     .fallback = "continuous"},
    {.name = "start",
     .type = TS_NUMBER,
     .dim = {0, 0, 1, 0},
     .help = "Of a digital controller: time of the first sample.",
     .fallback = "0"},
    {.name = "scale",
     .type = TS_NUMBER,
     .help = "Typical size of the variable.",
     .fallback = "its value for an error of 1, at least 1"},
    TS_UNIT_FIELD,
    {0}};

typedef struct pid {
    double kp, ki, kd, filter, tracking, initial, scale;
    double low, high; /* infinite: none */
    ts_variable how;
} pid;

static double number(const ts_value *value, int field, double fallback) {
    return value[field].given ? value[field].number[0] : fallback;
}

static int check_pid(ts_builder *b, const ts_value *value, const pid *c) {
    bool digital = value[PID_PERIOD].given;
    if (c->filter < 0) return ts_build_fail(b, FILTER, NULL, "filter must not be negative");
    if (c->kd != 0 && c->filter == 0 && !digital)
        return ts_build_fail(b, KD, "for example `filter: 5 ms`, a tenth of kd/kp",
                             "the rate of the error needs a filter");
    if (!(c->low < c->high)) return ts_build_fail(b, LOWEST, NULL, "min must be smaller than max");
    if (!(c->tracking > 0))
        return ts_build_fail(b, value[TRACKING].given ? TRACKING : -1,
                             "for example `anti_windup: 0.1 s`",
                             "the time of the anti-windup must be positive");
    if (value[PID_START].given && !digital)
        return ts_build_fail(b, PID_START, "give `period`, too", "only samples have a start");
    return 0;
}

static int read_pid(ts_builder *b, const ts_value *value, pid *c) {
    *c = (pid){.kp = number(value, KP, 0),
               .ki = number(value, KI, 0),
               .kd = number(value, KD, 0),
               .filter = number(value, FILTER, 0)};
    c->initial = number(value, PID_INITIAL, 0);
    c->low = number(value, LOWEST, -INFINITY), c->high = number(value, HIGHEST, INFINITY);
    double usual = c->kd != 0 ? sqrt(fabs(c->kd / c->ki)) : fabs(c->kp / c->ki);
    if (c->ki == 0) usual = 1; /* there is no integral to follow */
    c->tracking = number(value, TRACKING, usual);
    c->how = (ts_variable){.law = TS_IS_RATE};
    if (ts_read_scale(b, value, PID_SIZE, &c->scale) || check_pid(b, value, c))
        return TORSOR_EINVAL;
    double lag = c->filter + value[PID_PERIOD].number[0];
    double gain = fabs(c->kp) + fabs(c->ki) + (c->kd != 0 ? fabs(c->kd) / lag : 0);
    if (!value[PID_SIZE].given) c->scale = fmax(1, fmax(gain, fabs(c->initial)));
    return value[PID_PERIOD].given ? ts_read_sampling(b, value, PID_PERIOD, PID_START, &c->how) : 0;
}

/* v, the value without limits. */
static void write_wanted(formula *f, const pid *c) {
    double T = c->how.period;
    write(f, "(own.integral");
    if (c->how.law == TS_IS_SAMPLE) {
        plus(f, c->kp + c->ki * T, "error", 0, ".next");
        plus(f, c->kd != 0, "derivative", 0, ".next");
    } else {
        plus(f, c->kp + (c->kd != 0 ? c->kd / c->filter : 0), "error", 0, "");
        if (c->kd != 0) plus(f, -c->kd / c->filter, "filtered", 0, "");
    }
    write(f, ")");
}

static void write_limited(formula *f, const pid *c) {
    if (isfinite(c->high)) write(f, "min(");
    if (isfinite(c->low)) write(f, "max(");
    write_wanted(f, c);
    if (isfinite(c->low)) write(f, ", (%.17g))", c->low);
    if (isfinite(c->high)) write(f, ", (%.17g))", c->high);
}

static void add_pid_rate(ts_builder *b, const pid *c) {
    formula f = {.part = b->name};
    ts_start start = {.scale = c->scale}, plain = {.scale = 1};
    if (c->kd == 0) return;
    if (c->how.law == TS_IS_SAMPLE) {
        double all = c->filter + c->how.period;
        plus(&f, c->kd / all, "error", 0, ".next"), plus(&f, -c->kd / all, "error", 0, "");
        plus(&f, c->filter / all, "derivative", 0, "");
        ts_add_variable(b, "derivative", start, c->how, take(b->model, &f));
        return;
    }
    plus(&f, 1 / c->filter, "error", 0, ""), plus(&f, -1 / c->filter, "filtered", 0, "");
    ts_add_variable(b, "filtered", plain, c->how, take(b->model, &f));
}

static void add_pid_integral(ts_builder *b, const pid *c) {
    bool digital = c->how.law == TS_IS_SAMPLE;
    double T = digital ? c->how.period : 1;
    formula f = {.part = b->name};
    if (digital) write(&f, "own.integral");
    plus(&f, c->ki * T, "error", 0, digital ? ".next" : "");
    if (c->ki != 0 && (isfinite(c->low) || isfinite(c->high))) {
        write(&f, " + (%.17g)*(", T / fmax(c->tracking, digital ? T : 0));
        write_limited(&f, c), write(&f, " - "), write_wanted(&f, c), write(&f, ")");
    }
    ts_add_variable(b, "integral", (ts_start){c->initial, c->scale}, c->how, take(b->model, &f));
}

static int build_pid(ts_builder *b, ts_value *value) {
    pid c;
    if (read_pid(b, value, &c)) return TORSOR_EINVAL;
    bool digital = c.how.law == TS_IS_SAMPLE;
    ts_variable now = digital ? c.how : (ts_variable){.law = TS_IS_VALUE};
    int error = ts_take_signal(b, &value[ERROR], 0);
    formula f = {.part = b->name};
    ts_new_part(b, &TS_KIND_PID);
    ts_add_variable(b, "error", (ts_start){0}, now, error);
    add_pid_rate(b, &c);
    add_pid_integral(b, &c);
    write_limited(&f, &c);
    ts_add_variable(b, "value", (ts_start){.scale = c.scale}, now, take(b->model, &f));
    if (digital) ts_add_clock(b->model, c.how);
    return ts_read_unit(b, value, PID_UNIT);
}

const ts_kind TS_KIND_PID = {
    .name = "pid",
    .section = "states",
    .help = "A controller with proportional, integral and rate terms, limits and anti-windup: "
            "continuous, or digital with a period. Coordinates: error, integral, value; with kd "
            "filtered, or derivative of a digital one.",
    .fields = PID_FIELDS,
    .build = build_pid,
    .sample = "{type: pid, error: 0.3 m - A.position.x, kp: 3, ki: 2, kd: 0.5, filter: 0.1 s, "
              "min: -5, max: 5}"};
