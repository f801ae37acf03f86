/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of springs with inner states: Maxwell branches, Jenkins elements, Bouc and Wen's
 * hysteresis. They become the branches of laws/inner.c. */
#include "laws/inner.h"

#include "base/error.h"
#include "parts/parts.h"

/* Two lists that go together, all of their numbers above zero. */
static int check_lists(ts_builder *b, const ts_value *value, int field, const char *const name[2]) {
    for (int i = 0; i < 2; i++)
        if (value[field + i].given && !value[field + 1 - i].given)
            return ts_build_fail(b, field + i, NULL, "%s needs a %s", name[i], name[1 - i]);
    if (value[field].count != value[field + 1].count)
        return ts_build_fail(b, field + 1, "one number for each branch",
                             "%s has %d numbers, %s has %d", name[0], value[field].count, name[1],
                             value[field + 1].count);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < value[field + i].count; k++)
            if (!(value[field + i].list[k] > 0))
                return ts_build_fail(b, field + i, NULL, "%s must be above zero, not %g", name[i],
                                     value[field + i].list[k]);
    return 0;
}

static double number(const ts_value *value, int field, double fallback) {
    return value[field].given ? value[field].number[0] : fallback;
}

static int check_bouc_wen(ts_builder *b, const ts_value *value, int field) {
    const ts_value *v = value + field;
    int given = -1;
    for (int k = TS_BOUC_WEN_SHAPE; k >= TS_BOUC_WEN_STIFFNESS; k--)
        if (v[k].given) given = k;
    if (given < 0) return 0;
    for (int k = TS_BOUC_WEN_STIFFNESS; k <= TS_BOUC_WEN_FORCE; k++)
        if (!v[k].given || !(v[k].number[0] > 0))
            return ts_build_fail(b, field + (v[k].given ? k : given), NULL,
                                 "a hysteresis by Bouc and Wen needs a bouc_wen_stiffness and a "
                                 "bouc_wen_force above zero");
    if (!(number(v, TS_BOUC_WEN_EXPONENT, 1) >= 1) || number(v, TS_BOUC_WEN_EXPONENT, 1) > 1000)
        return ts_build_fail(b, field + TS_BOUC_WEN_EXPONENT, NULL,
                             "bouc_wen_exponent must be 1 or more, and 1000 at most");
    double shape = number(v, TS_BOUC_WEN_SHAPE, 0.5);
    if (!(shape >= 0.5 && shape <= 1))
        return ts_build_fail(
            b, field + TS_BOUC_WEN_SHAPE, NULL,
            "bouc_wen_shape must lie between 0.5 and 1: other values would create energy");
    return 0;
}

int ts_inner_read(ts_builder *b, const ts_value *value, int field) {
    static const char *const maxwell[] = {"maxwell_stiffness", "maxwell_time"};
    static const char *const jenkins[] = {"jenkins_stiffness", "jenkins_force"};
    if (check_lists(b, value, field + TS_MAXWELL_STIFFNESS, maxwell) ||
        check_lists(b, value, field + TS_JENKINS_STIFFNESS, jenkins) ||
        check_bouc_wen(b, value, field))
        return TORSOR_EINVAL;
    return value[field + TS_MAXWELL_STIFFNESS].count + value[field + TS_JENKINS_STIFFNESS].count +
           value[field + TS_BOUC_WEN_STIFFNESS].given;
}

void ts_inner_add(ts_model *model, const ts_value *value, int field, ts_way_kind way, double tiny) {
    const ts_value *v = value + field;
    const ts_value *k = v + TS_MAXWELL_STIFFNESS, *slips = v + TS_JENKINS_STIFFNESS;
    bool bouc_wen = v[TS_BOUC_WEN_STIFFNESS].given;
    ts_inner_open(model, way, tiny, k->count + slips->count + bouc_wen);
    for (int i = 0; i < k->count; i++)
        ts_inner_branch(model, (double[TS_INNER_NUMBERS]){[TS_INNER_KIND] = TS_INNER_MAXWELL,
                                                          [TS_INNER_K] = k->list[i],
                                                          [TS_INNER_TIME] = k[1].list[i]});
    for (int i = 0; i < slips->count; i++)
        ts_inner_branch(model, (double[TS_INNER_NUMBERS]){[TS_INNER_KIND] = TS_INNER_JENKINS,
                                                          [TS_INNER_K] = slips->list[i],
                                                          [TS_INNER_LOW] = -slips[1].list[i],
                                                          [TS_INNER_HIGH] = slips[1].list[i]});
    if (bouc_wen)
        ts_inner_branch(model, (double[TS_INNER_NUMBERS]){
                                   [TS_INNER_KIND] = TS_INNER_BOUC_WEN,
                                   [TS_INNER_K] = v[TS_BOUC_WEN_STIFFNESS].number[0],
                                   [TS_INNER_HIGH] = v[TS_BOUC_WEN_FORCE].number[0],
                                   [TS_INNER_POWER] = number(v, TS_BOUC_WEN_EXPONENT, 1),
                                   [TS_INNER_SHAPE] = number(v, TS_BOUC_WEN_SHAPE, 0.5)});
}
