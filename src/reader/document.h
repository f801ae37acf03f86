/* SPDX-License-Identifier: Apache-2.0 */
/* A model file as read: the model, what to do with it, and the text itself. */
#ifndef TS_DOCUMENT_H
#define TS_DOCUMENT_H

#include <stdio.h>

#include "analysis/run.h"
#include "model/kind.h"
#include "output/subject.h"

typedef struct ts_diagnostic {
    char *file;
    int line, column;     /* from 1; 0 when unknown */
    char *message, *hint; /* hint may be NULL */
    char *source;         /* the offending line, may be NULL */
} ts_diagnostic;

typedef struct ts_diagnostics {
    ts_diagnostic *items;
    int count, room;
} ts_diagnostics;

/* gcc style, with a caret line */
void ts_diagnostics_print(const ts_diagnostics *list, FILE *out, bool colour);
void ts_diagnostics_clear(ts_diagnostics *list);
int ts_diagnostics_fail(const ts_diagnostics *list); /* the first of them becomes the error */

enum { TS_SOURCE_NAME = 128 };

typedef struct ts_document {
    char source[TS_SOURCE_NAME]; /* the name of the file that it was read from, without folder */
    ts_model *model;
    ts_options options;
    /* the file's bytes, with tables of other files inserted: enough to read it again anywhere */
    char *text;
    size_t length;
    char **csv; /* selectors of outputs.csv, "<part>.<quantity>[.<component>]" */
    int csv_count;
    ts_beam_place *stations; /* of outputs.stations, beam by beam */
    int station_count, station_room;
    ts_named_place *places; /* the section `points` */
    int place_count;
    struct ts_bare_units {
        char name[4][16];       /* of length, mass, time, angle */
        double value[4];        /* SI of one of each */
        double acceleration;    /* SI of one of them */
    } bare;                     /* units of numbers without unit */
    struct ts_drawing *drawing; /* shapes of parts for pictures: reader/drawing.h */
} ts_document;

/* Every problem found becomes one diagnostic; TORSOR_EINVAL if there is any, TORSOR_EIO if the file
 * cannot be read. */
int ts_document_read(ts_document **out, const char *path, ts_diagnostics *diagnostics);
int ts_document_parse(ts_document **out, const char *text, size_t length, const char *name,
                      ts_diagnostics *diagnostics);
/* A text; files that it names are relative to `path`, which is also its name. */
int ts_document_parse_beside(ts_document **out, const char *text, size_t length, const char *path,
                             ts_diagnostics *diagnostics);
/* Reads the document again, with a mesh refined so many times (model/refine.h), and the same
 * options. */
int ts_document_refine(ts_document **out, const ts_document *drawn, int times, const char *name);
void ts_document_free(ts_document *document);

/* The subject of the document's results. */
static inline ts_subject ts_document_subject(const ts_document *d) {
    return (ts_subject){d->model, d->stations, d->station_count, d->places, d->place_count};
}
/* Gravity with its unit, in SI and as in the model: "0.00981 m/s^2 (9.81 mm/s^2) along -z", or
 * "none". */
const char *ts_gravity_words(const ts_document *document, char *text, size_t size);
/* Is it Earth's gravity times a power of ten? Then writes a message. */
bool ts_gravity_doubt(const ts_document *document, char *text, size_t size);

/* The JSON Schema (2020-12) of model files, from the field tables. */
void ts_schema_print(FILE *out);

#endif
