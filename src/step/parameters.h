/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of a scheme: their values, by place in the scheme's own table (ts_scheme_parameter).
 *
 * Model file, command line, results file and Python give them by name; only here are names and
 * values checked against the table. Results files keep them as a text, "beta=0.3 rotation=cayley",
 * which `ts_parameters_print` writes with all digits and `ts_parameters_read` takes.
 */
#ifndef TS_PARAMETERS_H
#define TS_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

struct ts_scheme;

/* Scope of a parameter. A common parameter means the same in all schemes that have it: another
 * scheme over the same model keeps its value, files and JSON show it by its own name. */
typedef enum ts_parameter_reach {
    TS_OWN,
    TS_COMMON,
    TS_IDLE /* common, without effect here: a model may change to this scheme and back */
} ts_parameter_reach;

/* A parameter of a scheme by its name in `scheme: {...}`: a number within limits, or one of some
 * words. */
typedef struct ts_scheme_parameter {
    const char *name, *help, *fallback;
    double low, high;
    const char *const *choices; /* NULL-terminated; NULL: a number */
    ts_parameter_reach reach;
} ts_scheme_parameter;

/* The entry of schemes whose damping at high frequencies is chosen. */
#define TS_RHO_INF(reach)                                                                       \
    {                                                                                           \
        "rho_inf", "Spectral radius at infinite frequency: 0 damps most, 1 nothing", "0", 0, 1, \
            NULL, reach                                                                         \
    }
extern const ts_scheme_parameter TS_ONLY_RHO_INF[];

enum { TS_MOST_PARAMETERS = 8, TS_PARAMETERS_TEXT = 160 };

/* The values that were given. All zero: none was given. */
typedef struct ts_scheme_values {
    bool given[TS_MOST_PARAMETERS];
    double value[TS_MOST_PARAMETERS]; /* of a choice: the index of its word */
} ts_scheme_values;

/* The index of a parameter in the scheme's table, or -1; NULL has none. */
int ts_parameter_place(const struct ts_scheme *scheme, const char *name, size_t length);
/* Does the scheme have this parameter, and does it act? False for NULL. */
bool ts_parameter_acts(const struct ts_scheme *scheme, const char *name);
/* The place of a word among the choices of a parameter, or -1. */
int ts_parameter_choice(const ts_scheme_parameter *parameter, const char *word, size_t length);

/* "it has gamma, beta", for messages. */
const char *ts_parameters_known(const struct ts_scheme *scheme, char text[TS_PARAMETERS_TEXT]);

/* Give a parameter its value: a number; or a text, which is a word or a number. TORSOR_EINVAL with
 * a message when the scheme has no such parameter, or the value is none for it. */
int ts_parameter_set(ts_scheme_values *values, const struct ts_scheme *scheme, const char *name,
                     size_t length, double number);
int ts_parameter_set_text(ts_scheme_values *values, const struct ts_scheme *scheme,
                          const char *name, size_t length, const char *text);

/* Was the parameter given, and what is its value? A choice that was not given is the first. */
bool ts_parameter_given(const ts_scheme_values *values, const struct ts_scheme *scheme,
                        const char *name);
double ts_parameter_value(const ts_scheme_values *values, const struct ts_scheme *scheme,
                          const char *name, double fallback);

/* Takes over the values of common parameters from another scheme, unless they were given anew. */
void ts_parameters_carry(ts_scheme_values *values, const struct ts_scheme *scheme,
                         const ts_scheme_values *before, const struct ts_scheme *other);

/* The scheme's own ones as a text, "beta=0.3 rotation=cayley"; NULL or "" when there are none.
 * Reading adds to what was given. */
int ts_parameters_read(ts_scheme_values *values, const struct ts_scheme *scheme, const char *text);
const char *ts_parameters_print(const ts_scheme_values *values, const struct ts_scheme *scheme,
                                char text[TS_PARAMETERS_TEXT]);
/* All parameters that act, for people: ", rho_inf 0.5, gamma 0.6, cayley". */
const char *ts_parameters_words(const ts_scheme_values *values, const struct ts_scheme *scheme,
                                char text[TS_PARAMETERS_TEXT]);
bool ts_parameters_any(const ts_scheme_values *values);
bool ts_parameters_same(const ts_scheme_values *a, const ts_scheme_values *b);

#endif
