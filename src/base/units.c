/* SPDX-License-Identifier: Apache-2.0 */
/* Dimensions and units of the model file: the table of units, names for messages, nearest words.
 *
 * Rules: everything is SI inside; there are no electrical units; a unit is looked up with the case
 * of its letters (mN is not MN). Factors are the exact international definitions (NIST SP 811,
 * appendix B): inch 0.0254 m, pound 0.45359237 kg, standard gravity 9.80665 m/s^2; lbf and psi
 * follow from these.
 */
#include "base/units.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define LBF (0.45359237 * 9.80665)

/* clang-format off */
#define LENGTH   {1, 0, 0, 0}
#define MASS     {0, 1, 0, 0}
#define TIME     {0, 0, 1, 0}
#define ANGLE    {0, 0, 0, 1}
#define RATE     {0, 0, -1, 0}
#define FORCE    {1, 1, -2, 0}
#define STRESS   {-1, 1, -2, 0}
#define ENERGY   {2, 1, -2, 0}
#define POWER    {2, 1, -3, 0}

static const struct unit { const char *name; ts_quantity is; } units[] = {
    {"m", {1, LENGTH}},     {"mm", {1e-3, LENGTH}},  {"cm", {1e-2, LENGTH}}, {"km", {1e3, LENGTH}},
    {"um", {1e-6, LENGTH}}, {"in", {0.0254, LENGTH}}, {"ft", {0.3048, LENGTH}},
    {"inch", {0.0254, LENGTH}}, {"yd", {0.9144, LENGTH}}, {"mi", {1609.344, LENGTH}}, {"nm", {1e-9, LENGTH}},
    {"\xC2\xB5m", {1e-6, LENGTH}}, /* micro sign U+00B5 */
    {"\xCE\xBCm", {1e-6, LENGTH}}, /* Greek mu U+03BC */
    {"kg", {1, MASS}},      {"g", {1e-3, MASS}},     {"t", {1e3, MASS}},     {"mg", {1e-6, MASS}},
    {"lb", {0.45359237, MASS}}, {"lbm", {0.45359237, MASS}}, {"oz", {0.45359237 / 16, MASS}},
    {"slug", {LBF / 0.3048, MASS}},
    {"s", {1, TIME}},       {"ms", {1e-3, TIME}},    {"us", {1e-6, TIME}},   {"min", {60, TIME}},
    {"h", {3600, TIME}},    {"\xC2\xB5s", {1e-6, TIME}}, {"\xCE\xBCs", {1e-6, TIME}},
    {"rad", {1, ANGLE}},    {"mrad", {1e-3, ANGLE}},
    {"deg", {PI / 180, ANGLE}}, {"rev", {2 * PI, ANGLE}},
    {"Hz", {1, RATE}},      {"kHz", {1e3, RATE}},    {"rpm", {2 * PI / 60, {0, 0, -1, 1}}},
    {"N", {1, FORCE}},      {"kN", {1e3, FORCE}},    {"MN", {1e6, FORCE}},   {"mN", {1e-3, FORCE}},
    {"lbf", {LBF, FORCE}},  {"kip", {1e3 * LBF, FORCE}}, {"kgf", {9.80665, FORCE}},
    {"Pa", {1, STRESS}},    {"kPa", {1e3, STRESS}},  {"MPa", {1e6, STRESS}}, {"GPa", {1e9, STRESS}},
    {"bar", {1e5, STRESS}}, {"psi", {LBF / (0.0254 * 0.0254), STRESS}},
    {"ksi", {1e3 * LBF / (0.0254 * 0.0254), STRESS}}, {"mbar", {1e2, STRESS}}, {"atm", {101325, STRESS}},
    {"J", {1, ENERGY}},     {"kJ", {1e3, ENERGY}},   {"mJ", {1e-3, ENERGY}},
    {"MJ", {1e6, ENERGY}},
    {"W", {1, POWER}},      {"kW", {1e3, POWER}},    {"mW", {1e-3, POWER}},  {"MW", {1e6, POWER}},
    {"hp", {550 * 0.3048 * LBF, POWER}},
};

/* Common synonyms. */
static const struct alias { const char *word, *unit; } aliases[] = {
    {"Nm", "N*m"},         {"kNm", "kN*m"},       {"Nmm", "N*mm"},       {"Ns", "N*s"},
    {"kgm", "kg*m"},       {"degree", "deg"},     {"degrees", "deg"},    {"radian", "rad"},
    {"radians", "rad"},    {"sec", "s"},          {"second", "s"},       {"seconds", "s"},
    {"minutes", "min"},    {"hour", "h"},         {"hr", "h"},           {"hours", "h"},
    {"meter", "m"},        {"meters", "m"},       {"metre", "m"},        {"metres", "m"},
    {"inches", "in"},      {"slugs", "slug"},     {"kips", "kip"},      {"foot", "ft"},        {"feet", "ft"},
    {"gram", "g"},         {"grams", "g"},        {"ton", "t"},          {"tonne", "t"},
    {"tonnes", "t"},       {"newton", "N"},       {"pascal", "Pa"},      {"joule", "J"},
    {"watt", "W"},         {"lbs", "lb"},         {"kmh", "km/h"},       {"kph", "km/h"},
    {"mps", "m/s"},        {"rps", "rev/s"},      {"hertz", "Hz"},         {"msec", "ms"},
    {"millisecond", "ms"}, {"milliseconds", "ms"}, {"kgm2", "kg*m^2"}, {"Nms", "N*m*s"},
};

static const struct named { const char *name; ts_dim dim; } named[] = {
    {"length", LENGTH},   {"mass", MASS},         {"time", TIME},     {"angle", ANGLE},
    {"frequency", RATE},  {"force", FORCE},       {"stress", STRESS}, {"energy or moment", ENERGY},
    {"power", POWER},     {"area", {2, 0, 0, 0}}, {"volume", {3, 0, 0, 0}},
    {"velocity", {1, 0, -1, 0}},          {"acceleration", {1, 0, -2, 0}},
    {"angular velocity", {0, 0, -1, 1}},  {"angular acceleration", {0, 0, -2, 1}},
    {"stiffness", {0, 1, -2, 0}},         {"torsional stiffness", {2, 1, -2, -1}},
    {"damping", {0, 1, -1, 0}},           {"torsional damping", {2, 1, -1, -1}},
    {"density", {-3, 1, 0, 0}},           {"mass per length", {-1, 1, 0, 0}},
    {"mass per area", {-2, 1, 0, 0}},     {"moment of inertia", {2, 1, 0, 0}},
};
/* clang-format on */

enum {
    UNIT_COUNT = sizeof units / sizeof units[0],
    ALIAS_COUNT = sizeof aliases / sizeof aliases[0]
};
enum { NAMED_COUNT = sizeof named / sizeof named[0] };

/* ---- dimensions ---- */

static bool mechanics_equal(ts_dim a, ts_dim b) {
    return a.length == b.length && a.mass == b.mass && a.time == b.time;
}

bool ts_dim_equal(ts_dim a, ts_dim b) { return mechanics_equal(a, b) && a.angle == b.angle; }

bool ts_dim_bare(ts_dim d) { return ts_dim_equal(d, (ts_dim){0, 0, 0, 0}); }

bool ts_dim_fits(ts_dim value, ts_dim wanted) {
    if (!mechanics_equal(value, wanted)) return false;
    bool only_angle = mechanics_equal(wanted, (ts_dim){0, 0, 0, 0});
    return !only_angle || value.angle == wanted.angle;
}

/* A text that grows within a fixed buffer and is cut at its end. */
typedef struct line {
    char *at;
    size_t room;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *to, const char *format, ...) {
    if (to->room == 0) return;
    va_list args;
    va_start(args, format);
    int wrote = vsnprintf(to->at, to->room, format, args);
    va_end(args);
    size_t used = wrote < 0 ? 0 : (size_t)wrote;
    if (used >= to->room) used = to->room - 1;
    to->at += used;
    to->room -= used;
}

/* The factors whose exponent has this sign: "kg m^2"; returns how many. */
static int add_factors(line *to, ts_dim d, int sign) {
    static const char *const symbol[4] = {"kg", "m", "s", "rad"};
    const int exponent[4] = {d.mass * sign, d.length * sign, d.time * sign, d.angle * sign};
    int count = 0;
    for (int i = 0; i < 4; i++) {
        if (exponent[i] <= 0) continue;
        add(to, count++ ? " %s" : "%s", symbol[i]);
        if (exponent[i] > 1) add(to, "^%d", exponent[i]);
    }
    return count;
}

static void add_symbols(line *to, ts_dim d) {
    if (add_factors(to, d, 1) == 0) add(to, "1");
    char below[64];
    int count = add_factors(&(line){below, sizeof below}, d, -1);
    if (count > 0) add(to, count > 1 ? "/(%s)" : "/%s", below);
}

const char *ts_dim_name(ts_dim d, char *buffer, size_t size) {
    line to = {buffer, size};
    if (ts_dim_bare(d)) {
        add(&to, "plain number");
        return buffer;
    }
    for (int i = 0; i < NAMED_COUNT; i++) {
        if (!ts_dim_equal(d, named[i].dim)) continue;
        add(&to, "%s (", named[i].name);
        add_symbols(&to, d);
        add(&to, ")");
        return buffer;
    }
    add_symbols(&to, d);
    return buffer;
}

/* ---- units ---- */

const ts_quantity *ts_unit_find(const char *name, size_t len) {
    for (int i = 0; i < UNIT_COUNT; i++)
        if (strlen(units[i].name) == len && memcmp(units[i].name, name, len) == 0)
            return &units[i].is;
    return NULL;
}

double ts_unit_scale(double value, double factor, int power) {
    double inverse = 1 / factor;
    bool part = factor < 1 && inverse == rint(inverse);
    double whole = part ? inverse : factor;
    bool multiply = (power > 0) != part;
    for (int i = abs(power); i > 0; i--) value = multiply ? value * whole : value / whole;
    return value;
}

const char *ts_unit_suggest(const char *name, size_t len) {
    for (int i = 0; i < ALIAS_COUNT; i++)
        if (strlen(aliases[i].word) == len && memcmp(aliases[i].word, name, len) == 0)
            return aliases[i].unit;
    const char *nearest = NULL;
    int best = INT_MAX;
    for (int i = 0; i < UNIT_COUNT; i++)
        if (ts_word_closer(name, len, units[i].name, &best)) nearest = units[i].name;
    return nearest;
}

/* ---- nearest words ---- */

enum {
    WORD = 32,
    EXCHANGE = 2,
    EDIT = 3
}; /* longer words get no suggestion; a wrong case costs 1, an exchange 2, any other edit 3 */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static int replace_cost(char a, char b) {
    if (a == b) return 0;
    return lower(a) == lower(b) ? 1 : EDIT;
}

static int smallest(int a, int b, int c) {
    int least = a < b ? a : b;
    return least < c ? least : c;
}

static bool exchanged(const char *a, const char *b) { return a[0] == b[1] && a[1] == b[0]; }

/* Levenshtein distance, in which two neighbouring letters that changed places are one edit and
 * cost less than any other (EXCHANGE). Both words are at most WORD long. */
static int distance(const char *a, int n, const char *b, int m) {
    int row[WORD + 1][WORD + 1];
    for (int j = 0; j <= m; j++) row[0][j] = j * EDIT;
    for (int i = 1; i <= n; i++) {
        row[i][0] = i * EDIT;
        for (int j = 1; j <= m; j++) {
            int replaced = row[i - 1][j - 1] + replace_cost(a[i - 1], b[j - 1]);
            row[i][j] = smallest(replaced, row[i - 1][j] + EDIT, row[i][j - 1] + EDIT);
            if (i > 1 && j > 1 && exchanged(a + i - 2, b + j - 2))
                row[i][j] = smallest(row[i][j], row[i - 2][j - 2] + EXCHANGE, INT_MAX);
        }
    }
    return row[n][m];
}

bool ts_word_closer(const char *word, size_t len, const char *candidate, int *best) {
    size_t other = strlen(candidate);
    if (len == 0 || len > WORD || other > WORD) return false;
    int cost = distance(word, (int)len, candidate, (int)other);
    /* one slip in a short word, two in a longer one, and never a whole word replaced */
    int limit = len > 4 ? 2 * EDIT : EDIT;
    if (cost > limit || cost >= EDIT * (int)len || cost >= *best) return false;
    *best = cost;
    return true;
}
