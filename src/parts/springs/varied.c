/* SPDX-License-Identifier: Apache-2.0 */
/* Springs whose numbers are functions of time and of channels: a stiffness k, a value y0 without
 * force, a damping c, a preload F0. Each varying number is a formula (machines/formula.c) with a
 * site of its own (laws/state):
 *
 *     F = k (y - y0) ,     F = c y' ,     F = F0 .
 *
 * A stiffness or preload that depends on y alone is a potential. A damping dissipates, whatever it
 * depends on. All other forces do work of loads: changing a stiffness takes work.
 */
#include "base/error.h"
#include "parts/machines/machine.h"
#include "parts/parts.h"

static bool varies(const ts_value *value) {
    return value->given && value->signal[0].kind != TS_SIGNAL_CONSTANT;
}

/* The part and the words of the target as a channel. */
static void name_target(const ts_builder *b, const ts_measure *target, char words[2][32],
                        const char **part) {
    const ts_model *model = b->model;
    const char *word = "length";
    *part = b->name;
    if (target->of == TS_OF_COORDINATE) {
        const ts_coordinate *c = &model->coordinates[target->source];
        *part = model->parts[c->part].name, word = c->name;
    }
    snprintf(words[0], sizeof words[0], "%s", word);
    snprintf(words[1], sizeof words[1], "%s.rate", word);
}

static int add_formula(ts_builder *b, ts_value *value, const ts_measure *target, double anchor,
                       const ts_formula *formula) {
    int signal = ts_formula_signal(b, value, formula);
    if (signal < 0) return TORSOR_EINVAL;
    ts_joint_site(b->model, TS_ROLE_LAW);
    ts_state_force(b, *target, -1, anchor, signal);
    return 0;
}

int ts_elastic_varied(ts_builder *b, ts_value *value, int field, const ts_measure *target,
                      const double *data) {
    const int stiffness = field + TS_ELASTIC_K, damping = field + TS_ELASTIC_C,
              free_value = field + TS_ELASTIC_FREE, preload = field + TS_ELASTIC_PRELOAD;
    bool soft = varies(&value[stiffness]), shifts = varies(&value[free_value]);
    double anchor = shifts ? 0 : data[TS_ELASTIC_FREE];
    char words[2][32];
    const char *part;
    name_target(b, target, words, &part);
    const ts_term terms[] = {
        {"k", value[stiffness].number[0]}, {"y0", data[TS_ELASTIC_FREE]}, {NULL, 0}};
    const ts_reading probes[] = {{"x.y", part, words[0]}, {0}},
                     rates[] = {{"x.v", part, words[1]}, {0}};
    const ts_formula elastic = {soft && shifts ? "u_scale*u*(x.y - w_scale*w)"
                                : soft         ? "u_scale*u*(x.y - y0)"
                                               : "k*(x.y - w_scale*w)",
                                terms,
                                probes,
                                {soft ? stiffness : -1, shifts ? free_value : -1}};
    const ts_formula dashpot = {"u_scale*u*x.v", terms, rates, {damping, -1}};
    if ((soft || shifts) && add_formula(b, value, target, anchor, &elastic)) return TORSOR_EINVAL;
    if (varies(&value[damping]) && add_formula(b, value, target, anchor, &dashpot))
        return TORSOR_EINVAL;
    if (varies(&value[preload])) ts_state_pull(b, &value[preload], *target, anchor);
    return 0;
}
