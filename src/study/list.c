/* SPDX-License-Identifier: Apache-2.0 */
/* The list of schemes for study: one line each, in the order in which users see them. */
#include "study/study.h"

#define STUDY_SCHEMES(X)           \
    X(TS_SCHEME_NEWMARK)           \
    X(TS_SCHEME_HHT)               \
    X(TS_SCHEME_GENERALIZED_ALPHA) \
    X(TS_SCHEME_S1_ED)             \
    X(TS_SCHEME_S4_A)              \
    X(TS_SCHEME_S4_B)              \
    X(TS_SCHEME_S4_C)              \
    X(TS_SCHEME_S3_1)              \
    X(TS_SCHEME_S3_2)              \
    X(TS_SCHEME_S3_3)              \
    X(TS_SCHEME_S2)                \
    X(TS_SCHEME_FP_EP)             \
    X(TS_SCHEME_FP_ED)             \
    X(TS_SCHEME_RK_TRAPEZOIDAL)    \
    X(TS_SCHEME_RK_RADAU3)         \
    X(TS_SCHEME_RK_RADAU5)

#define DECLARE(name) extern const ts_scheme name;
#define LIST(name) &name,

STUDY_SCHEMES(DECLARE)

const ts_scheme *const TS_STUDY_SCHEMES[] = {STUDY_SCHEMES(LIST) NULL};
