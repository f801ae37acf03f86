/* SPDX-License-Identifier: Apache-2.0 */
/* One-way clutch about an angle: it turns freely in one sense and locks in the other.
 *
 * A Jenkins element (laws/inner.c) whose torque lies between zero and its strength: the element is
 * deflected in the locked sense, springs back, and is then released. A dashpot damps the impact of
 * locking; it acts only while the element is deflected or springs back.
 */
#include <math.h>

#include "base/error.h"
#include "laws/inner.h"
#include "parts/machines/machine.h"
#include "parts/parts.h"

enum { JOINT, COORDINATE, FREE, STIFFNESS, DAMPING, STRENGTH };

static const char *const SENSES[] = {"positive", "negative", NULL};

static const ts_field FIELDS[] = {
    TS_COORDINATE_FIELDS,
    {.name = "free",
     .type = TS_CHOICE,
     .choices = SENSES,
     .help = "The sense in which B turns freely against A.",
     .fallback = "positive"},
    {.name = "stiffness",
     .type = TS_NUMBER,
     .dim = TS_DIM_TURNING_STIFFNESS,
     .required = true,
     .help = "Stiffness of the locked clutch."},
    {.name = "damping",
     .type = TS_NUMBER,
     .dim = TS_DIM_TURNING_DAMPING,
     .help = "Damping of the locked clutch: without it a wheel rebounds.",
     .fallback = "0"},
    {.name = "torque",
     .type = TS_NUMBER,
     .dim = TS_DIM_MOMENT,
     .help = "The torque at which the locked clutch slips.",
     .fallback = "it does not slip"},
    {0}};

static int build(ts_builder *b, ts_value *value) {
    if (ts_must_be_positive(b, value, FIELDS, STIFFNESS, STIFFNESS) ||
        ts_must_not_be_negative(b, value, FIELDS, DAMPING, DAMPING) ||
        ts_must_be_positive(b, value, FIELDS, STRENGTH, STRENGTH))
        return TORSOR_EINVAL;
    int c = ts_pick_coordinate(b, value, JOINT, TS_TURN);
    if (c < 0) return TORSOR_EINVAL;
    double strength = ts_number_or(value, STRENGTH, INFINITY);
    bool backwards = value[FREE].given && value[FREE].number[0] != 0;
    ts_part_on_coordinate(b, &TS_KIND_CLUTCH, c, TS_ROLE_LAW);
    ts_inner_open(b->model, TS_WAY_ANGLE, 0, 1);
    ts_inner_branch(b->model,
                    (double[TS_INNER_NUMBERS]){[TS_INNER_KIND] = TS_INNER_JENKINS,
                                               [TS_INNER_K] = value[STIFFNESS].number[0],
                                               [TS_INNER_LOW] = backwards ? 0 : -strength,
                                               [TS_INNER_HIGH] = backwards ? strength : 0,
                                               [TS_INNER_DRAG] = ts_number_or(value, DAMPING, 0)});
    return 0;
}

const ts_kind TS_KIND_CLUTCH = {
    .name = "one_way_clutch",
    .section = "springs",
    .look = TS_LOOK_LINK,
    .help = "A one-way clutch (freewheel, backstop) about an angle of a joint: B turns freely "
            "against A in one sense and is held in the other.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: one_way_clutch, joint: J, free: negative, stiffness: 3 N*m/rad, damping: 0.1 "
              "N*m*s/rad, torque: 2 N*m}"};
