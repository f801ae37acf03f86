/* SPDX-License-Identifier: Apache-2.0 */
/* The parameter `rotation` of schemes for study: one of the rotation parameters of S3 Table 1, by
 * name. */
#ifndef TS_ROTATION_CHOICE_H
#define TS_ROTATION_CHOICE_H

#include "math/rotation_parameters.h"
#include "study/study.h"

#define TS_ROTATION_PARAMETER(fallback)                                            \
    {                                                                              \
        "rotation", "Rotation parameters of the step, S3 Table 1", fallback, 0, 0, \
            TS_ROTATION_NAMES, TS_OWN                                              \
    }

static inline const ts_rotation_parameters *ts_study_rotation(const ts_study *s,
                                                              const char *fallback) {
    return ts_study_given(s, "rotation") ? &TS_ROTATION_TABLE[ts_study_choice(s, "rotation")]
                                         : ts_rotation_find(fallback);
}

#endif
