/* Earlier outputs in HDF5, by what is recorded in them: the format, the name of the model's file
 * and its title. So a model that is run again, changed or not, replaces its own results, but not
 * those of another model. The title decides where there is no name: of models that programs made,
 * in files of older versions. */
#include "results/earlier.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "results/h5.h"

enum { WORD = 64, TITLE = 256 };

static bool reads(ts_h5 file, const char *name, const char *wanted, size_t size) {
    char text[TITLE + 1] = "";
    return ts_h5_get_text(file, "/", name, text, size) == 0 && strncmp(text, wanted, size - 1) == 0;
}

static bool of_model(ts_h5 file, const ts_document *d) {
    const char *title = d->model->title ? d->model->title : "";
    char name[TS_SOURCE_NAME] = "";
    if (ts_h5_get_text(file, "/", "model_file", name, sizeof name)) *name = 0;
    if (*name && strcmp(name, d->source) != 0) return false;
    bool of_file = *name && strchr(name, '.');
    return of_file || reads(file, "title", title, TITLE);
}

static bool is_ours(const char *path, const char *format, const ts_document *document) {
    ts_h5 file = -1;
    bool ours = false;
    ts_lock_libraries();
    if (ts_h5_is_hdf5(path) && ts_h5_open(&file, path, false) == 0)
        ours = reads(file, "format", format, WORD) && (!document || of_model(file, document));
    ts_h5_close(file);
    ts_unlock_libraries();
    return ours;
}

static bool is_results(const char *path, const void *document) {
    return is_ours(path, "torsor-results", document);
}

static bool is_modes(const char *path, const void *document) {
    return is_ours(path, "torsor-modes", document);
}

static bool is_companion(const char *path, const void *context) {
    (void)context;
    return is_ours(path, "torsor-xdmf", NULL);
}

ts_output ts_output_results(const ts_document *document) {
    return (ts_output){.what = document ? "a results file of this model" : "a results file",
                       .ours = is_results,
                       .context = document};
}

ts_output ts_output_modes(const ts_document *document) {
    return (ts_output){.what = document ? "a file of modes of this model" : "a file of modes",
                       .ours = is_modes,
                       .context = document};
}

ts_output ts_output_companion(void) {
    return (ts_output){.what = "the companion of an XDMF file", .ours = is_companion};
}
