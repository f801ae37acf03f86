/* SPDX-License-Identifier: Apache-2.0 */
/* Models for programs: a text, and what was set in it. */
#include <float.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/error.h"
#include "contact/features.h"
#include "contact/search/overlap.h"
#include "output/listing.h"
#include "reader/columns.h"
#include "reader/text/source.h"

static const char EMPTY[] = "torsor: 1\nunits: SI\n";

/* ---- making ---- */

/* The tree is for look-up only; other functions report errors of the text. */
static void grow_tree(torsor_model *m) {
    ts_diagnostics unused = {0};
    ts_source source;
    ts_source_open(&source, m->name, m->text, m->length, &unused);
    if (m->length <= TS_MAX_FILE && ts_check_utf8(&source)) ts_yaml_parse(&m->tree, &source);
    ts_source_close(&source);
    ts_diagnostics_clear(&unused);
}

static torsor_model *blank(const char *name, const char *path, const char *text, size_t length) {
    torsor_model *m = ts_calloc(1, sizeof *m);
    m->name = ts_strdup(name), m->path = ts_strdup(path);
    m->text = ts_calloc(length + 1, 1), m->length = length;
    memcpy(m->text, text, length);
    grow_tree(m);
    return m;
}

/* ---- mistakes ---- */

/* The last list of mistakes of each thread; freed when the thread ends. */
typedef struct kept_mistakes {
    ts_diagnostics list;
    torsor_mistake shown;
} kept_mistakes;

static pthread_key_t mistakes_key;
static pthread_once_t mistakes_once = PTHREAD_ONCE_INIT;

static void free_mistakes(void *memory) {
    kept_mistakes *kept = memory;
    ts_diagnostics_clear(&kept->list);
    free(kept);
}

static void make_key(void) { pthread_key_create(&mistakes_key, free_mistakes); }

/* The main thread may leave by exit, which runs no destructors of keys. */
__attribute__((destructor)) static void forget_mistakes(void) {
    pthread_once(&mistakes_once, make_key);
    kept_mistakes *kept = pthread_getspecific(mistakes_key);
    if (kept) free_mistakes(kept);
    pthread_setspecific(mistakes_key, NULL);
}

static kept_mistakes *mistakes_here(void) {
    pthread_once(&mistakes_once, make_key);
    kept_mistakes *kept = pthread_getspecific(mistakes_key);
    if (!kept) pthread_setspecific(mistakes_key, kept = ts_give(ts_calloc(1, sizeof *kept)));
    return kept;
}

/* Hands diagnostics over to the thread: they outlive the call that found them. */
static void give_all(ts_diagnostics *list) {
    for (int i = 0; i < list->count; i++) {
        ts_diagnostic *d = &list->items[i];
        ts_give(d->file), ts_give(d->message), ts_give(d->hint), ts_give(d->source);
    }
    ts_give(list->items);
}

/* The whole list, as far as there is room for it, as text; and the list itself. */
static void keep_report(ts_diagnostics *problems) {
    size_t size;
    char *room = ts_error_report(&size);
    kept_mistakes *kept = mistakes_here();
    ts_diagnostics_clear(&kept->list);
    give_all(problems);
    kept->list = *problems, *problems = (ts_diagnostics){0};
    FILE *out = fmemopen(room, size, "w");
    if (!out) return;
    ts_diagnostics_print(&kept->list, out, false);
    fclose(out);
    room[size - 1] = 0;
}

int ts_mistakes_fail(ts_diagnostics *problems) {
    int status = ts_diagnostics_fail(problems);
    keep_report(problems);
    return status;
}

/* Another failure has cleared the report: then the list is not of the last one. */
static const ts_diagnostics *present_mistakes(void) {
    static const ts_diagnostics none = {0};
    size_t size;
    return *ts_error_report(&size) ? &mistakes_here()->list : &none;
}

int torsor_mistakes(void) { return present_mistakes()->count; }

const torsor_mistake *torsor_mistake_at(int i) {
    const ts_diagnostics *list = present_mistakes();
    if (i < 0 || i >= list->count) return NULL;
    const ts_diagnostic *d = &list->items[i];
    torsor_mistake *shown = &mistakes_here()->shown;
    *shown = (torsor_mistake){.file = d->file ? d->file : "",
                              .line = d->line,
                              .column = d->column,
                              .message = d->message,
                              .hint = d->hint ? d->hint : ""};
    return shown;
}

int ts_api_mistakes_page(bool colour, char **out) {
    if (!out) return ts_null_argument("torsor_mistakes_page");
    ts_memo memo;
    *out = NULL;
    int status = ts_memo_open(&memo);
    if (status) return status;
    ts_diagnostics_print(present_mistakes(), memo.out, colour);
    return ts_memo_take(&memo, 0, out);
}

/* ---- reading ---- */

static int parse(ts_document **out, const torsor_model *m, const char *text, size_t length,
                 ts_diagnostics *problems) {
    if (m->path) return ts_document_parse_beside(out, text, length, m->path, problems);
    return ts_document_parse(out, text, length, m->name, problems);
}

static int read_document(ts_document **out, const torsor_model *m) {
    ts_composed made;
    ts_diagnostics problems = {0};
    *out = NULL;
    int status = ts_compose(&made, m->text, m->length, m->name, &m->patch);
    if (status) return status;
    status = parse(out, m, made.text, made.length, &problems);
    if (problems.count) {
        ts_composed_explain(&made, m->text, m->length, m->path ? m->path : m->name, &problems);
        status = ts_diagnostics_fail(&problems);
        keep_report(&problems);
    }
    ts_composed_clear(&made);
    ts_diagnostics_clear(&problems);
    return status;
}

/* ---- the document, read once ---- */

static void take_checked_apart(void *checked) {
    ts_checked *c = checked;
    ts_document_free(c->document);
    free(c);
}

static void free_checked(void *checked) {
    if (checked) ts_pool_free(checked, take_checked_apart);
}

static int make_checked(ts_checked **out, const torsor_model *m) {
    ts_document *document;
    *out = NULL;
    int status = read_document(&document, m);
    if (status) return status;
    *out = ts_calloc(1, sizeof **out);
    (*out)->document = document;
    return 0;
}

static int new_checked(ts_checked **out, const torsor_model *m) {
    TS_TRAP_NEW(out);
    return TS_TRAP_END(make_checked(out, m));
}

/* Drops the document of a model that has changed since it was checked. */
static void forget_checked(torsor_model *m) {
    ts_checked *old = m->checked;
    m->checked = NULL;
    if (old) ts_unhold(free_checked, old);
    free_checked(old);
}

/* The model's pool holds on to it: a broken model is not taken apart. */
static int check_now(torsor_model *m) {
    ts_checked *made;
    if (m->checked) return 0;
    int status = new_checked(&made, m);
    if (status) return status;
    ts_hold(free_checked, made);
    m->checked = made;
    return 0;
}

int ts_model_document(ts_document **out, const torsor_model *model) {
    torsor_model *m = (torsor_model *)model;
    if (!m->checked) return read_document(out, m);
    ts_checked *taken = m->checked;
    ts_pool_join(taken);
    ts_unhold(free_checked, taken);
    m->checked = NULL;
    *out = taken->document;
    free(taken);
    return 0;
}

static int checked(torsor_model **out, torsor_model *m) {
    int status = check_now(m);
    if (status) torsor_model_free(m);
    *out = status ? NULL : m;
    return status;
}

/* ---- warnings ---- */

/* Distance from the origin over the size of the model at which squares of distances lose 1e-8. */
static const double FAR = 1e4;

/* Less than this of its radius is how a body rests. */
static const double RESTING = 0.01;

/* Names for each contact the shapes that overlap most as drawn. */
static void tell_overlaps(const ts_model *model, FILE *out) {
    for (int c = 0; c < model->contacts_count; c++) {
        ts_overlaps list;
        ts_overlaps_find(model, c, &list);
        const ts_overlap *x = ts_overlaps_worst(&list);
        if (x && !x->met && x->depth > RESTING * x->radius && ts_shift_of(model, &x->key) == 0)
            fprintf(out,
                    "contact '%s': '%s' and '%s' overlap by %.3g m as drawn, and the stored energy "
                    "will push them apart. Use `initial: shift` to begin at rest\n",
                    model->parts[model->contacts[c].part].name,
                    model->parts[model->shapes[x->key.shape[0]].part].name,
                    model->parts[model->shapes[x->key.shape[1]].part].name, x->depth);
        ts_overlaps_clear(&list);
    }
}

static void tell_rooms(const ts_model *model, FILE *out) {
    for (int p = 0; p < model->parts_count; p++)
        if (ts_faces_inwards(model, p))
            fprintf(out,
                    "shape '%s': it is closed, and its normals point inwards, as those of a room: "
                    "its edges do not touch what comes from outside. If it is the surface of a "
                    "solid, turn its faces over\n",
                    model->parts[p].name);
}

static void tell_apart(const ts_model *model, FILE *out) {
    for (int c = 0; c < model->contacts_count; c++) {
        bool spread = model->numbers[model->contacts[c].data + TS_CONTACT_SPREAD] > 0;
        if (!ts_contact_meets(model, c, spread, true))
            fprintf(
                out,
                "contact '%s': none of its shapes touch each other, because joints connect all "
                "of their bodies. Use `between` for those that should touch; a rigid joint lets "
                "none of them move\n",
                model->parts[model->contacts[c].part].name);
    }
}

void ts_document_warnings(const ts_document *document, double far, FILE *out) {
    char doubt[300];
    if (far >= FAR)
        fprintf(out,
                "the model is drawn %.0e times its size away from the origin: round-off of "
                "positions is %.0e of its size. Draw it near the origin\n",
                far, far * DBL_EPSILON);
    if (ts_gravity_doubt(document, doubt, sizeof doubt)) fprintf(out, "%s\n", doubt);
    tell_overlaps(document->model, out);
    tell_apart(document->model, out);
    tell_rooms(document->model, out);
}

int ts_api_model_warnings(torsor_model *model, char **out) {
    if (!model || !out) return ts_null_argument("torsor_model_warnings");
    ts_memo memo;
    double length, far;
    *out = NULL;
    int status = check_now(model);
    if (!status) status = ts_memo_open(&memo);
    if (status) return status;
    ts_model_size(model->checked->document->model, &length, &far);
    ts_document_warnings(model->checked->document, far, memo.out);
    return ts_memo_take(&memo, 0, out);
}

/* ---- channels ---- */

static int no_channel(const ts_document *document, const char *selector) {
    char hint[TS_UNKNOWN_SIZE];
    ts_catalogue all = ts_document_columns(document, 0, NULL);
    int status = ts_fail(TORSOR_EINVAL, "the model has no '%.200s'.%s", selector,
                         ts_unknown_hint(&all, selector, hint));
    ts_catalogue_clear(&all);
    return status;
}

static int list_channels(const ts_document *document, int selectors, char *const *selector,
                         bool json, FILE *out) {
    ts_choice chosen = {0};
    ts_catalogue list = ts_document_columns(document, selectors, selector);
    const char *wrong = ts_listing_choose(&chosen, &list, selectors, selector);
    if (!wrong) ts_listing_print(&chosen, selectors <= 0, json, out);
    free(chosen.items);
    ts_catalogue_clear(&list);
    return wrong ? no_channel(document, wrong) : 0;
}

int ts_api_model_channels(torsor_model *model, int selectors, const char *const *selector,
                          bool json, char **out) {
    if (out) *out = NULL;
    if (!model || !out || ts_any_null(selectors, selector))
        return ts_null_argument("torsor_model_channels");
    ts_memo memo;
    int status = check_now(model);
    if (!status) status = ts_memo_open(&memo);
    if (status) return status;
    status =
        list_channels(model->checked->document, selectors, (char *const *)selector, json, memo.out);
    return ts_memo_take(&memo, status, out);
}

/* ---- making, from texts ---- */

int ts_api_model_new(torsor_model **out) {
    if (!out) return ts_null_argument("torsor_model_new");
    *out = blank("model", NULL, EMPTY, sizeof EMPTY - 1);
    return 0;
}

static size_t byte_order_mark(const char *text, size_t length) {
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

int ts_api_model_parse(torsor_model **out, const char *text, size_t length, const char *name) {
    if (!out || !text) return ts_null_argument("torsor_model_parse");
    size_t skip = byte_order_mark(text, length);
    return checked(out, blank(name ? name : "model", NULL, text + skip, length - skip));
}

int ts_api_model_read(torsor_model **out, const char *path) {
    if (!out || !path) return ts_null_argument("torsor_model_read");
    char why[120];
    size_t length;
    *out = NULL;
    char *text = ts_read_stream(path, &length, why, sizeof why);
    if (!text) {
        ts_fail(TORSOR_EIO, "%s: cannot read the file: %s", path, why);
        return ts_locate(TORSOR_EIO, path, 0, 0, NULL);
    }
    size_t skip = byte_order_mark(text, length);
    torsor_model *m = blank(path, path, text + skip, length - skip);
    free(text);
    return checked(out, m);
}

int ts_api_model_copy(torsor_model **out, const torsor_model *model) {
    if (!out || !model) return ts_null_argument("torsor_model_copy");
    *out = blank(model->name, model->path, model->text, model->length);
    ts_patch_copy(&(*out)->patch, &model->patch);
    return 0;
}

static void take_apart(void *model) {
    torsor_model *m = model;
    forget_checked(m);
    ts_patch_clear(&m->patch);
    ts_yaml_free(&m->tree);
    free(m->name), free(m->path), free(m->text);
    free(m);
}

void torsor_model_free(torsor_model *model) {
    if (!model) return;
    ts_pool_free(model, take_apart);
}

/* ---- changing ---- */

int ts_api_model_set(torsor_model *model, const char *path, const char *value) {
    if (!model || !path || !value) return ts_null_argument("torsor_model_set");
    forget_checked(model);
    return ts_patch_set(&model->patch, path, value);
}

/* The names in lines as "a, b, c"; `nearest` is one of them that is like the name, or NULL. */
static void print_names(char *lines, const char *name, const char **nearest, FILE *out) {
    int best = INT_MAX;
    *nearest = NULL;
    for (char *word = lines; *word; word += strlen(word) + 1) {
        word[strcspn(word, "\n")] = 0;
        if (ts_word_closer(name, strlen(name), word, &best)) *nearest = word;
        fprintf(out, "%s%s", word == lines ? "" : ", ", word);
    }
}

static int no_parameter(const torsor_model *model, const char *name) {
    char *there = NULL, names[400] = "none";
    const char *nearest = NULL;
    bool any = torsor_model_has(model, "parameters") &&
               torsor_model_keys(model, "parameters", &there) == 0 && *there;
    FILE *out = any ? fmemopen(names, sizeof names, "w") : NULL;
    if (out) print_names(there, name, &nearest, out), fclose(out);
    names[sizeof names - 1] = 0;
    ts_fail(TORSOR_EOPTION, "the model has no parameter '%.60s': it has %s%s%s%s", name, names,
            nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    torsor_text_free(there);
    return TORSOR_EOPTION;
}

int ts_api_model_override(torsor_model *model, const char *name, const char *value) {
    if (!model || !name || !value) return ts_null_argument("torsor_model_override");
    static const char PARAMETERS[] = "parameters.";
    char path[400];
    bool prefixed = strncmp(name, PARAMETERS, sizeof PARAMETERS - 1) == 0;
    if (strchr(name, '.') && !prefixed) return ts_api_model_set(model, name, value);
    const char *plain = prefixed ? name + sizeof PARAMETERS - 1 : name;
    int length = snprintf(path, sizeof path, "%s%s", PARAMETERS, plain);
    bool known = (size_t)length < sizeof path && torsor_model_has(model, path);
    if (known) return ts_api_model_set(model, path, value);
    if (!prefixed && torsor_model_has(model, name)) return ts_api_model_set(model, name, value);
    return no_parameter(model, plain);
}

int ts_api_model_add(torsor_model *model, const char *section, const char *name,
                     const char *value) {
    if (!model || !section || !name || !value) return ts_null_argument("torsor_model_add");
    char path[400];
    int length = snprintf(path, sizeof path, "%s.%s", section, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return ts_fail(TORSOR_EINVAL, "the name '%.60s...' is too long", name);
    if (torsor_model_has(model, path)) {
        ts_fail(TORSOR_EINVAL, "'%s' exists already in %s: choose another name, or set it", name,
                section);
        return ts_locate(TORSOR_EINVAL, path, 0, 0, NULL);
    }
    forget_checked(model);
    return ts_patch_set(&model->patch, path, value);
}

/* ---- reading back ---- */

int ts_api_model_get(const torsor_model *model, const char *path, char **out) {
    if (!model || !path || !out) return ts_null_argument("torsor_model_get");
    ts_composed made;
    *out = NULL;
    int status = ts_compose(&made, model->text, model->length, model->name, &model->patch);
    if (status) return status;
    *out = ts_text_at(made.text, made.length, path);
    ts_composed_clear(&made);
    return *out ? 0 : ts_fail(TORSOR_EINVAL, "the model has no '%.200s'", path);
}

static void print_keys(const ts_yaml *map, FILE *out) {
    for (int k = 0; map->type == TS_YAML_MAP && k < map->count; k++)
        fprintf(out, "%s\n", map->key[k]->text);
}

int ts_api_model_keys(const torsor_model *model, const char *path, char **out) {
    if (!model || !path || !out) return ts_null_argument("torsor_model_keys");
    ts_memo memo;
    char *text;
    torsor_model *whole = NULL;
    *out = NULL;
    int status = torsor_model_text(model, &text);
    if (status) return status;
    whole = blank(model->name, NULL, text, strlen(text));
    torsor_text_free(text);
    const ts_yaml *root = whole->tree.root, *map = *path ? ts_yaml_at(root, path) : root;
    status = map ? ts_memo_open(&memo) : ts_fail(TORSOR_EINVAL, "the model has no '%.200s'", path);
    if (!status) {
        print_keys(map, memo.out);
        status = ts_memo_take(&memo, 0, out);
    }
    torsor_model_free(whole);
    return status;
}

/* What was set is looked for first: it is quick, and what is built in code is all set. */
static bool was_set(const ts_patch *p, const char *path, bool *certain) {
    for (;;) {
        size_t length = strcspn(path, ".");
        const ts_patch *next = NULL;
        for (int i = 0; i < p->count && !next; i++)
            if (strlen(p->child[i].key) == length && memcmp(p->child[i].key, path, length) == 0)
                next = &p->child[i];
        if (!next) return false;
        if (!path[length]) return true;
        *certain &= !next->text;
        if (next->text) return false;
        p = next, path += length + 1;
    }
}

bool torsor_model_has(const torsor_model *model, const char *path) {
    if (!model || !path) return false;
    bool certain = true;
    if (was_set(&model->patch, path, &certain)) return true;
    if (certain) return ts_yaml_at(model->tree.root, path) != NULL;
    char *value;
    if (torsor_model_get(model, path, &value)) return false;
    free(value);
    return true;
}

/* What the results file of a run has, too. */
int ts_api_model_whole(const torsor_model *model, char **out) {
    if (!model || !out) return ts_null_argument("torsor_model_whole");
    ts_document *read = NULL;
    *out = NULL;
    int status = model->checked ? 0 : read_document(&read, model);
    if (status) return status;
    const ts_document *d = read ? read : model->checked->document;
    *out = ts_calloc(d->length + 1, 1);
    memcpy(*out, d->text, d->length);
    ts_document_free(read);
    ts_give(*out);
    return 0;
}

int ts_api_model_text(const torsor_model *model, char **out) {
    if (!model || !out) return ts_null_argument("torsor_model_text");
    ts_composed made;
    *out = NULL;
    int status = ts_compose(&made, model->text, model->length, model->name, &model->patch);
    if (!status) *out = ts_strdup(made.text);
    ts_composed_clear(&made);
    return status;
}
