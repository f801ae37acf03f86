/* The energy audit in words, of a run and of a results file: verdict.c. */
#ifndef TS_API_VERDICT_H
#define TS_API_VERDICT_H

#include "api/api.h"

typedef struct ts_audit_facts {
    const ts_summary *summary;
    double algorithmic; /* what the scheme dissipated, J */
    bool statics;       /* no energy audit */
    int unstable;       /* ways in which the end of statics is unstable */
    double elastic;     /* stored at the end, J */
} ts_audit_facts;

typedef struct ts_audit_judgement {
    bool sound, created, at_rest, good; /* as in torsor_verdict */
    double relative, scale;
} ts_audit_judgement;

/* Judges the energy audit and writes the verdict as one sentence. */
ts_audit_judgement ts_audit_judge_energy(const ts_audit_facts *facts, char *text, size_t size);

#endif
