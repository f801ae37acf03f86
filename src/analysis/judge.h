/* SPDX-License-Identifier: Apache-2.0 */
/* The energy audit in words, of a run and of a results file: judge.c. */
#ifndef TS_JUDGE_H
#define TS_JUDGE_H

#include "analysis/run.h"

enum { TS_AUDIT_WORDS = 480 }; /* of the sentence, with its end */

typedef struct ts_audit_facts {
    const ts_summary *summary;
    const char *scheme; /* its name */
    double net;     /* J: energy that the scheme created (positive) or dissipated up to the end */
    bool statics;   /* no energy audit */
    int unstable;   /* number of instabilities at the end of statics */
    double elastic; /* stored at the end, J */
    double worked;  /* statics: work along the path beyond the energy stored since its start,
                         * J */
} ts_audit_facts;

typedef struct ts_audit_judgement {
    bool sound, created, at_rest, good; /* as in torsor_verdict */
    double relative, scale;
} ts_audit_judgement;

/* Collects the facts of a ledger at the end of a run. */
ts_audit_facts ts_audit_facts_of(const ts_summary *summary, const ts_ledger *end, double start,
                                 const char *scheme, bool statics);

/* Also writes one sentence, of at most TS_AUDIT_WORDS characters. */
ts_audit_judgement ts_audit_judge_energy(const ts_audit_facts *facts, char *text, size_t size);

#endif
