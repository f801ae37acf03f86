/* SPDX-License-Identifier: Apache-2.0 */
/* The handle of study files. See torsor_plan in torsor/torsor.h. */
#include <stdlib.h>
#include <string.h>

#include "api/studies/study.h"
#include "base/error.h"
#include "reader/text/source.h"
#include "studyfile/studyfile.h"

struct torsor_plan {
    ts_handle head;
    ts_studyfile file;
    torsor_model *model;
};

/* ---- reading ---- */

static void free_model(void *model) { torsor_model_free(model); }

static size_t place_of(const ts_settings *list, const char *name) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->item[i].name, name) == 0) return list->item[i].place;
    return 0;
}

/* A mistake in the model is reported at its position in the model file. */
static int read_model(torsor_plan *plan, const ts_source *source) {
    const char *name = ts_settings_get(&plan->file.settings, "model");
    const char *from = plan->file.path;
    if (!name) return 0;
    char *path = from ? ts_path_beside(from, name) : ts_strdup(name);
    int status = torsor_model_read(&plan->model, path);
    if (status == TORSOR_EIO) {
        ts_report(source, place_of(&plan->file.settings, "model"), NULL, "%s", torsor_error());
        status = 0;
    }
    if (plan->model) ts_hold(free_model, plan->model);
    free(path);
    return status;
}

/* Turns the error of a call into a diagnostic, except for lack of memory. */
static int blame(int status, const ts_source *source, size_t place, const char *hint) {
    if (status == TORSOR_ENOMEM) return status;
    if (status) ts_report(source, place, hint, "%s", torsor_error());
    return 0;
}

static int check_parameters(const torsor_plan *plan, const ts_source *source) {
    int wrong = 0;
    for (int i = 0; plan->model && i < plan->file.axes && !wrong; i++) {
        const ts_axis *axis = &plan->file.axis[i];
        torsor_model *copy = NULL;
        int status = torsor_model_copy(&copy, plan->model);
        if (!status) status = torsor_model_override(copy, axis->name, axis->value[0]);
        torsor_model_free(copy);
        wrong = blame(status, source, axis->place, NULL);
    }
    return wrong;
}

static int check_measures(const torsor_plan *plan, const ts_source *source) {
    int wrong = 0;
    for (int i = 0; i < plan->file.measures.count && !wrong; i++) {
        const ts_setting *m = &plan->file.measures.item[i];
        wrong = blame(ts_measure_read(m->text, NULL), source, m->place, "such as max hinge.angle");
    }
    return wrong;
}

static int check_options(const torsor_plan *plan, const ts_source *source) {
    torsor_options *options;
    int wrong = torsor_options_new(&options, "run");
    for (int i = 0; i < plan->file.options.count && !wrong; i++) {
        const ts_setting *o = &plan->file.options.item[i];
        wrong = blame(torsor_options_set(options, o->name, o->text), source, o->place, NULL);
    }
    torsor_options_free(options);
    return wrong;
}

static void take_apart(void *whole) {
    torsor_plan *plan = whole;
    if (plan->model) ts_unhold(free_model, plan->model);
    torsor_model_free(plan->model);
    ts_studyfile_clear(&plan->file);
    free(plan);
}

void torsor_plan_free(torsor_plan *plan) {
    if (plan) ts_pool_free(plan, take_apart);
}

static int read_plan(torsor_plan **out, const ts_source *source, const char *path, bool file) {
    torsor_plan *plan = ts_calloc(1, sizeof *plan);
    int status = 0;
    if (ts_studyfile_read(&plan->file, source, path)) {
        if (file && !ts_settings_get(&plan->file.settings, "model"))
            ts_report(source, 0, "add `model: FILE.yaml`", "'model' is missing");
        status = read_model(plan, source);
        if (!status) status = check_parameters(plan, source);
        if (!status) status = check_measures(plan, source);
        if (!status) status = check_options(plan, source);
    }
    if (!status && source->diagnostics->count) {
        ts_diagnostics_finish(source->diagnostics);
        status = ts_mistakes_fail(source->diagnostics);
    }
    if (status) take_apart(plan);
    *out = status ? NULL : plan;
    return status;
}

int ts_api_plan_parse(torsor_plan **out, const char *text, size_t length, const char *path) {
    if (!out || !text) return ts_null_argument("torsor_plan_parse");
    ts_source source;
    ts_diagnostics problems = {0};
    *out = NULL;
    ts_source_open(&source, path ? path : "study", text, length, &problems);
    int status = read_plan(out, &source, path, false);
    ts_source_close(&source);
    ts_diagnostics_clear(&problems);
    return status;
}

int ts_api_plan_read(torsor_plan **out, const char *path) {
    if (!out || !path) return ts_null_argument("torsor_plan_read");
    ts_source source;
    ts_diagnostics problems = {0};
    char why[120];
    size_t length;
    *out = NULL;
    char *text = ts_read_whole(path, &length, why, sizeof why);
    if (!text) return ts_fail(TORSOR_EIO, "%s: cannot read the file: %s", path, why);
    size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    ts_source_open(&source, path, text + mark, length - mark, &problems);
    int status = read_plan(out, &source, path, true);
    ts_source_close(&source);
    ts_diagnostics_clear(&problems);
    free(text);
    return status;
}

/* ---- looking ---- */

const torsor_model *torsor_plan_model(const torsor_plan *plan) { return plan ? plan->model : NULL; }

static const ts_settings *list_of(const torsor_plan *plan, const char *list) {
    static const ts_settings none = {0};
    const struct {
        const char *name;
        const ts_settings *list;
    } lists[] = {{"measures", &plan->file.measures},
                 {"options", &plan->file.options},
                 {"histories", &plan->file.histories},
                 {"settings", &plan->file.settings}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(lists[i].name, list) == 0) return lists[i].list;
    return &none;
}

int torsor_plan_count(const torsor_plan *plan, const char *list) {
    if (!plan || !list) return 0;
    return strcmp(list, "parameters") == 0 ? plan->file.axes : list_of(plan, list)->count;
}

const char *torsor_plan_name(const torsor_plan *plan, const char *list, int i) {
    if (i < 0 || i >= torsor_plan_count(plan, list)) return NULL;
    if (strcmp(list, "parameters") == 0) return plan->file.axis[i].name;
    return list_of(plan, list)->item[i].name;
}

const char *torsor_plan_text(const torsor_plan *plan, const char *list, int i) {
    if (i < 0 || i >= torsor_plan_count(plan, list)) return NULL;
    return strcmp(list, "parameters") == 0 ? "" : list_of(plan, list)->item[i].text;
}

const char *torsor_plan_setting(const torsor_plan *plan, const char *name) {
    return plan && name ? ts_settings_get(&plan->file.settings, name) : NULL;
}

int64_t torsor_plan_cases(const torsor_plan *plan) { return plan ? plan->file.cases : 0; }

const char *torsor_plan_value(const torsor_plan *plan, int64_t which, int parameter) {
    return plan ? ts_case_value(&plan->file, which, parameter) : NULL;
}
