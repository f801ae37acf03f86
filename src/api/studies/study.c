/* SPDX-License-Identifier: Apache-2.0 */
/* The handle of all studies. See study.h. */
#include "api/studies/study.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/error.h"
#include "base/plain.h"

struct torsor_study {
    ts_handle head;
    const ts_study_kind *kind;
    void *own;
};

int ts_study_give(torsor_study **out, const ts_study_kind *kind, void *own, int status) {
    *out = NULL;
    if (status) {
        kind->take_apart(own);
        return status;
    }
    *out = ts_calloc(1, sizeof **out);
    **out = (torsor_study){.kind = kind, .own = own};
    return 0;
}

static void take_apart(void *whole) {
    torsor_study *study = whole;
    study->kind->take_apart(study->own);
    free(study);
}

void torsor_study_free(torsor_study *study) {
    if (!study) return;
    ts_pool_free(study, take_apart);
}

static int unknown_form(const torsor_study *study, const char *form) {
    char names[80] = "";
    for (const ts_study_form *f = study->kind->forms; f->name; f++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", f->name);
    }
    return ts_fail(TORSOR_EINVAL, "this study has no output '%.40s': there are %s", form, names);
}

int ts_api_study_write(torsor_study *study, const char *form, char **out) {
    if (!study || !form || !out) return ts_null_argument("torsor_study_write");
    *out = NULL;
    for (const ts_study_form *f = study->kind->forms; f->name; f++) {
        if (strcmp(f->name, form) != 0) continue;
        ts_memo memo;
        int status = ts_memo_open(&memo);
        if (!status) status = ts_memo_take(&memo, f->write(study->own, memo.out), out);
        if (!status) ts_plain(*out); /* names of models are those of their files */
        return status;
    }
    return unknown_form(study, form);
}

int ts_thread_begin(pthread_t *thread, void *(*work)(void *), void *context) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int wrong = pthread_create(thread, NULL, work, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return wrong ? ts_fail(TORSOR_EIO, "cannot start a thread: %s", strerror(wrong)) : 0;
}

void ts_csv_number(FILE *out, double value) {
    char text[TS_DIGITS];
    fputc(',', out);
    if (isfinite(value)) fputs(ts_digits(text, value), out);
}
