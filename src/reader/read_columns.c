/* SPDX-License-Identifier: Apache-2.0 */
/* outputs.csv: every selector must select something, or the run would be refused when its first
 * state is stored.
 *
 * The names are those that the results file of the model will have (output/catalogue.c), so `check`
 * and `run` agree. If the file has other mistakes, parts are missing and their columns are not
 * checked. */
#include <stdlib.h>

#include "base/error.h"
#include "output/selector.h"
#include "reader/columns.h"
#include "reader/reader.h"

ts_catalogue ts_document_columns(const ts_document *document, int selectors,
                                 char *const *selector) {
    ts_subject subject = ts_document_subject(document);
    ts_catalogue list = {.selectors = selectors, .selector = selector};
    ts_contents contents;
    ts_contents_of_model(&contents, &subject);
    ts_catalogue_make(&list, &contents);
    ts_contents_clear(&contents);
    return list;
}

static bool report_unknown(ts_reader *r, const ts_yaml *node) {
    if (ts_report_full(r->source)) return false;
    ts_catalogue all = ts_document_columns(r->document, 0, NULL);
    char hint[TS_UNKNOWN_SIZE];
    ts_unknown_hint(&all, node->text, hint);
    ts_catalogue_clear(&all);
    return ts_report(r->source, node->start, hint + 1, "the results will have no '%.100s'",
                     node->text);
}

bool ts_check_columns(ts_reader *r, const ts_yaml *list, const bool *good) {
    const ts_document *d = r->document;
    if (d->csv_count == 0) return true;
    ts_catalogue columns = ts_document_columns(d, d->csv_count, d->csv);
    bool fine = true;
    for (int i = 0; i < list->count; i++) {
        ts_choice chosen = {0};
        if (good[i] && !ts_choose_named(&chosen, &columns, list->item[i]->text))
            fine = report_unknown(r, list->item[i]);
        free(chosen.items);
    }
    ts_catalogue_clear(&columns);
    return fine;
}
