/* SPDX-License-Identifier: Apache-2.0 */
/* Sets values in models, with any bytes as the model and as the value: no crash, hang or leak; a
 * value that was set can be read back, and all other values are unchanged. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/compose.h"
#include "base/error.h"
#include "reader/text/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "fuzz_compose: %s\n", what);
    abort();
}

static void expect(const ts_composed *made, const char *path, const char *wanted) {
    char *value = ts_text_at(made->text, made->length, path);
    insist(value && (!wanted || strcmp(value, wanted) == 0), "a value that was set is not there");
    free(value);
}

static const char *const SET[][2] = {{"bodies.A.mass", "1 kg"}, {"points.new", "[1, 2, 3]"},
                                     {"points.newer", "x"},     {"gravity", "[0, 0, -9.81]"},
                                     {"analysis.step", "1 ms"}, {"title", "'a, b'"},
                                     {"units", "{length: mm}"}, {"bodies.B", "{}"}};
enum { SETS = sizeof SET / sizeof *SET };

/* Which of them are set depends on the bytes, so that alone and together are tried. */
static unsigned choose(const uint8_t *data, size_t size) {
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ data[i]) * 16777619u;
    return hash >> 7;
}

static void try_text(const uint8_t *data, size_t size) {
    ts_patch patch = {0};
    ts_composed made;
    unsigned which = choose(data, size);
    for (int i = 0; i < SETS; i++)
        if (which >> i & 1)
            insist(ts_patch_set(&patch, SET[i][0], SET[i][1]) == 0, "a good value is refused");
    char *text = ts_calloc(size + 1, 1);
    if (size) memcpy(text, data, size);
    if (ts_compose(&made, text, size, "fuzz", &patch) == 0) {
        for (int i = 0; i < SETS; i++)
            if (which >> i & 1) expect(&made, SET[i][0], SET[i][1]);
        ts_diagnostics problems = {0};
        ts_document *document;
        ts_document_parse(&document, made.text, made.length, "fuzz", &problems);
        ts_composed_explain(&made, text, size, "fuzz", &problems);
        for (int i = 0; i < problems.count; i++)
            insist(problems.items[i].file && problems.items[i].line >= 0, "a place that is none");
        ts_document_free(document);
        ts_diagnostics_clear(&problems);
    }
    ts_composed_clear(&made);
    ts_patch_clear(&patch);
    free(text);
}

static void try_value(const uint8_t *data, size_t size) {
    static const char *const base[] = {"torsor: 1\nunits: SI\npoints:\n  A: [0, 0, 0]\n# end",
                                       "{torsor: 1, points: {A: [0, 0, 0]}, units: SI}"};
    char *value = ts_calloc(size + 1, 1);
    for (size_t i = 0; i < size; i++) value[i] = data[i] ? (char)data[i] : ' ';
    for (int b = 0; b < 2; b++) {
        ts_patch patch = {0};
        ts_composed made = {0};
        if (ts_patch_set(&patch, "points.B", value) == 0 &&
            ts_patch_set(&patch, "new.C", value) == 0 &&
            ts_compose(&made, base[b], strlen(base[b]), "base", &patch) == 0) {
            expect(&made, "points.B", NULL), expect(&made, "new.C", NULL);
            expect(&made, "points.A", "[0, 0, 0]"), expect(&made, "units", "SI");
        }
        ts_composed_clear(&made);
        ts_patch_clear(&patch);
    }
    free(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_text(data, size);
    if (size <= 2000) try_value(data, size);
    return 0;
}
