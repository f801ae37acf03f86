/* SPDX-License-Identifier: Apache-2.0 */
/* The energy audit in words, of a run and of a results file: judge.c. */
#ifndef TS_JUDGE_H
#define TS_JUDGE_H

#include "analysis/run.h"

enum { TS_AUDIT_WORDS = 480 }; /* of the sentence, with its end */

typedef struct ts_audit_facts {
    const ts_summary *summary;
    const char *scheme; /* its name */
    double net;         /* J: what the scheme had made (positive) or dissipated at the end */
    bool statics;       /* no energy audit */
    int unstable;       /* ways in which the end of statics is unstable */
    double elastic;     /* stored at the end, J */
    double worked;      /* statics: work along the path, over what is stored since its start, J */
} ts_audit_facts;

typedef struct ts_audit_judgement {
    bool sound, created, at_rest, good; /* as in torsor_verdict */
    double relative, scale;
} ts_audit_judgement;

/* The facts of a ledger at the end of a run. */
ts_audit_facts ts_audit_facts_of(const ts_summary *summary, const ts_ledger *end, double start,
                                 const char *scheme, bool statics);

/* Also writes one sentence, in room for TS_AUDIT_WORDS. */
ts_audit_judgement ts_audit_judge_energy(const ts_audit_facts *facts, char *text, size_t size);

#endif
