/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a model file: the reader refuses or accepts them without crash, hang or leak; an
 * accepted model is read again from its own echo with the same result. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "fuzz_reader: %s\n", what);
    abort();
}

static void print_nowhere(const ts_diagnostics *list) {
    static FILE *nowhere;
    if (!nowhere) nowhere = fopen("/dev/null", "w");
    if (nowhere) ts_diagnostics_print(list, nowhere, true);
}

static void check_problems(const ts_diagnostics *list) {
    insist(list->count > 0 && list->count <= 51, "a refusal without reasons, or too many");
    for (int i = 0; i < list->count; i++) {
        const ts_diagnostic *d = &list->items[i];
        insist(d->file && d->message && *d->message, "a problem without words");
        insist(d->line >= 0 && (d->line == 0 || d->column >= 1), "a problem out of place");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ts_diagnostics list = {0}, none = {0};
    ts_document *document = NULL, *again = NULL;
    int status = ts_document_parse(&document, (const char *)data, size, "fuzz", &list);
    print_nowhere(&list);
    if (status) {
        insist(!document, "a document in spite of problems");
        check_problems(&list);
    } else {
        insist(document && list.count == 0, "problems with a document");
        insist(ts_document_parse(&again, document->text, document->length, "echo", &none) == 0,
               "the echo is refused");
        insist(again->model->parts_count == document->model->parts_count &&
                   again->model->slots == document->model->slots &&
                   again->model->signals_count == document->model->signals_count,
               "the echo gives another model");
    }
    ts_document_free(again);
    ts_document_free(document);
    ts_diagnostics_clear(&list);
    ts_diagnostics_clear(&none);
    return 0;
}
