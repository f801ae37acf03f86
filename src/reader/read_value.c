/* SPDX-License-Identifier: Apache-2.0 */
/* Values: one function per field type of kind.h, and the table of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/mesh_nodes.h"
#include "model/node_names.h"
#include "output/points.h"
#include "reader/reader.h"

/* ---- small things ---- */

bool ts_expect(ts_reader *r, const ts_yaml *node, ts_yaml_type type, const char *what) {
    if (node->type == type && !ts_yaml_null(node)) return true;
    return ts_report(r->source, node->start, NULL, "expected %s, got %s", what, ts_yaml_what(node));
}

static bool letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

bool ts_is_identifier(const char *text, bool dash) {
    if (!letter(*text)) return false;
    for (; *text; text++)
        if (!letter(*text) && !(*text >= '0' && *text <= '9') && !(dash && *text == '-'))
            return false;
    return true;
}

bool ts_check_name(ts_reader *r, const ts_yaml *key, const char *of, bool dash) {
    if (ts_is_identifier(key->text, dash)) return true;
    return ts_report(
        r->source, key->start, NULL,
        "'%.60s' cannot be the name of a %s: letters, digits and _%s, beginning with a letter",
        key->text, of, dash ? " or -" : "");
}

static bool list_of(ts_reader *r, const ts_yaml *node, int count, const char *what) {
    if (node->type == TS_YAML_LIST && node->count == count) return true;
    if (node->type == TS_YAML_LIST)
        return ts_report(r->source, node->start, NULL, "expected %s, got a list of %d", what,
                         node->count);
    return ts_report(r->source, node->start, NULL, "expected %s, got %s", what, ts_yaml_what(node));
}

bool ts_read_choice(ts_reader *r, const ts_yaml *node, const char *const *choices, int *out) {
    char hint[300];
    if (!ts_expect(r, node, TS_YAML_SCALAR, "a word")) return false;
    for (*out = 0; choices[*out]; ++*out)
        if (strcmp(choices[*out], node->text) == 0) return true;
    return ts_report(r->source, node->start, ts_hint_words(hint, sizeof hint, node->text, choices),
                     "'%.60s' is not one of the choices here", node->text);
}

static bool read_boolean(ts_reader *r, const ts_yaml *node, double *out) {
    static const char *const words[] = {"false", "true", "False", "True", "FALSE", "TRUE"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ts_yaml_is(node, words[i])) {
            *out = (double)(i % 2);
            return true;
        }
    return ts_report(r->source, node->start, NULL, "expected true or false");
}

static bool read_integer(ts_reader *r, const ts_yaml *node, double *out) {
    if (!ts_read_number(r, node, TS_OF_NONE, out)) return false;
    if (*out == floor(*out) && fabs(*out) <= 9007199254740992.0) return true;
    return ts_report(r->source, node->start, NULL,
                     *out == floor(*out)
                         ? "this is too large: expected a whole number of at most 15 digits"
                         : "expected a whole number");
}

static bool read_numbers(ts_reader *r, const ts_yaml *node, ts_dim dim, double *out) {
    bool fine = true;
    for (int i = 0; i < node->count; i++) fine &= ts_read_number(r, node->item[i], dim, &out[i]);
    return fine;
}

static bool read_number_list(ts_reader *r, const ts_yaml *node, ts_dim dim, ts_value *out) {
    if (node->type == TS_YAML_SCALAR && !ts_yaml_null(node))
        return ts_report(r->source, node->start, "write numbers in brackets, also a single one",
                         "expected a list of numbers, got a single value");
    if (!ts_expect(r, node, TS_YAML_LIST, "a list of numbers")) return false;
    free(out->list); /* never set before; a key stands only once */
    out->list = ts_calloc((size_t)node->count, sizeof(double));
    out->count = node->count;
    return read_numbers(r, node, dim, out->list);
}

static bool read_text(ts_reader *r, const ts_yaml *node, ts_value *out) {
    if (!ts_expect(r, node, TS_YAML_SCALAR, "a text")) return false;
    out->text = node->text;
    return true;
}

static bool read_free_quantity(ts_reader *r, const ts_yaml *node, ts_dim dim, ts_value *out) {
    ts_quantity q;
    if (!ts_read_quantity(r, node, &q)) return false;
    bool wanted = !ts_dim_bare(dim), bare = ts_dim_bare(q.dim);
    if (wanted && !ts_fit(r, node->start, q, dim, &q.value)) return false;
    if (wanted && bare) q.dim = dim;
    const double numbers[5] = {q.value, q.dim.length, q.dim.mass, q.dim.time, q.dim.angle};
    memcpy(out->number, numbers, sizeof numbers);
    return true;
}

/* ---- vectors and points ---- */

/* `D - C`: of the right dimension, or without one. */
static bool read_formula(ts_reader *r, const ts_yaml *node, ts_dim dim, double *out) {
    ts_vector vector;
    if (!ts_read_vector_expression(r, node, &vector)) return false;
    for (int i = 0; i < 3; i++)
        if (!ts_fit(r, node->start, (ts_quantity){vector.x[i], vector.dim}, dim, &out[i]))
            return false;
    return true;
}

/* Text that may be a vector: more than a single word or number. */
static bool is_formula(const ts_yaml *node) {
    return node->type == TS_YAML_SCALAR && !ts_yaml_null(node) &&
           !ts_is_identifier(node->text, true) && strpbrk(node->text, "+-*/|([");
}

bool ts_read_vector(ts_reader *r, const ts_yaml *node, ts_dim dim, double *out) {
    bool point =
        node->type == TS_YAML_SCALAR && ts_names_find(&r->points, node->text, node->length) >= 0;
    if (point || is_formula(node)) return read_formula(r, node, dim, out);
    return list_of(r, node, 3, "three numbers [x, y, z]") && read_numbers(r, node, dim, out);
}

static bool unknown_point(ts_reader *r, const ts_yaml *node) {
    if (ts_blamed_before(&r->told, r->source, TS_NAME_OF_POINT, node->text, node->length,
                         node->start))
        return false;
    const char *nearest =
        ts_report_full(r->source) ? NULL : ts_names_nearest(&r->points, node->text, node->length);
    char hint[160] = "points are defined in the section 'points'";
    if (strcmp(node->text, "ground") == 0 || ts_find_part(r, node->text, node->length) >= 0)
        snprintf(hint, sizeof hint,
                 "'%.60s' is a part: name it in 'bodies', and give here the place where it is "
                 "attached, [x, y, z]",
                 node->text);
    else if (nearest)
        snprintf(hint, sizeof hint, "did you mean '%.60s'?", nearest);
    ts_report(r->source, node->start, hint, "there is no point '%.60s'", node->text);
    ts_blamed_add(&r->told, r->source, TS_NAME_OF_POINT, node->text, node->length, false);
    return false;
}

/* A point of a file that is included as it is. */
static bool shared_point(const ts_reader *r, const ts_yaml *node, double *out) {
    for (int i = 0; i < r->shares; i++) {
        const ts_space *space = &r->spaces[r->shared[i]];
        int at = ts_names_find(&space->points, node->text, node->length);
        if (at < 0 || space->point[at].state != TS_READY) continue;
        memcpy(out, space->point[at].x, sizeof space->point[at].x);
        return true;
    }
    return false;
}

static bool read_place(ts_reader *r, const ts_yaml *node, double *out) {
    if (node->type == TS_YAML_LIST) return ts_read_vector(r, node, TS_OF_LENGTH, out);
    if (!ts_expect(r, node, TS_YAML_SCALAR, "a point: its name, or three numbers [x, y, z]"))
        return false;
    int at = ts_names_find(&r->points, node->text, node->length);
    if (at < 0 && r->shares && shared_point(r, node, out)) return true;
    if (at < 0 && is_formula(node)) return read_formula(r, node, TS_OF_LENGTH, out);
    if (at < 0) return unknown_point(r, node);
    const struct ts_point *point = &r->point[at];
    if (point->state == TS_FAILED) return false;
    if (point->state == TS_PENDING)
        return ts_report(r->source, node->start, NULL, "the point '%.60s' is not yet defined here",
                         node->text);
    memcpy(out, point->x, sizeof point->x);
    return true;
}

static bool read_places(ts_reader *r, const ts_yaml *node, ts_value *out) {
    if (!ts_expect(r, node, TS_YAML_LIST, "a list of places: names or [x, y, z]")) return false;
    out->count = 3 * node->count;
    out->list = ts_calloc(3 * (size_t)node->count, sizeof(double));
    bool fine = true;
    for (int i = 0; i < node->count; i++) fine &= read_place(r, node->item[i], out->list + 3 * i);
    return fine;
}

/* Results name nodes by them, too. */
static void keep_places(ts_reader *r) {
    ts_document *d = r->document;
    d->places =
        ts_realloc(d->places, (size_t)(d->place_count + r->points.count) + 1, sizeof *d->places);
    for (int i = 0; i < r->points.count; i++) {
        double x[3];
        memcpy(x, r->point[i].x, sizeof x);
        ts_place_point(r, x);
        d->places[d->place_count].name = ts_full_name(r, r->points.name[i]);
        d->places[d->place_count++].x = v3_load(x);
    }
}

void ts_name_points(ts_reader *r, const ts_yaml *node) {
    if (!node || node->type != TS_YAML_MAP) return;
    r->point = ts_calloc((size_t)node->count, sizeof *r->point);
    for (int i = 0; i < node->count; i++) ts_names_add(&r->points, node->key[i]->text);
}

bool ts_read_points(ts_reader *r, const ts_yaml *node) {
    if (!ts_expect(r, node, TS_YAML_MAP, "points: a mapping of names to places")) return false;
    bool fine = true;
    for (int i = 0; i < node->count; i++) {
        bool read = ts_check_name(r, node->key[i], "point", true);
        read &= read_place(r, node->item[i], r->point[i].x);
        r->point[i].state = read ? TS_READY : TS_FAILED;
        fine &= read;
        if (r->late) ts_read_late_parameters(r, false);
    }
    if (fine) keep_places(r);
    return fine;
}

/* ---- matrices ---- */

static bool read_rows(ts_reader *r, const ts_yaml *node, int size, const ts_dim *dim, double *out) {
    char what[60];
    snprintf(what, sizeof what, "a row of %d numbers", size);
    bool fine = true;
    for (int i = 0; i < size; i++) {
        bool row = list_of(r, node->item[i], size, what);
        for (int j = 0; j < size && row; j++)
            row &= ts_read_number(r, node->item[i]->item[j], dim[i * size + j], &out[i * size + j]);
        fine &= row;
    }
    return fine;
}

static bool has_rows(const ts_yaml *node) {
    for (int i = 0; i < node->count; i++)
        if (node->item[i]->type == TS_YAML_LIST) return true;
    return false;
}

/* Rows of equal length, one behind the other; or a plain list. */
static bool read_row_list(ts_reader *r, const ts_yaml *node, ts_dim dim, ts_value *out) {
    if (node->type != TS_YAML_LIST || !has_rows(node)) return read_number_list(r, node, dim, out);
    int width = 0;
    for (int i = node->count - 1; i >= 0; i--)
        if (node->item[i]->type == TS_YAML_LIST) width = node->item[i]->count;
    char what[60];
    snprintf(what, sizeof what, "a row of %d numbers", width);
    free(out->list);
    out->number[0] = node->count, out->count = node->count * width;
    out->list = ts_calloc((size_t)out->count, sizeof(double));
    bool fine = true;
    for (int i = 0; i < node->count; i++)
        fine &= list_of(r, node->item[i], width, what) &&
                read_numbers(r, node->item[i], dim, out->list + i * width);
    return fine;
}

static bool read_inertia_rows(ts_reader *r, const ts_yaml *node, double *out) {
    ts_dim dim[9];
    double J[9] = {0}, largest = 0;
    for (int i = 0; i < 9; i++) dim[i] = TS_OF_INERTIA;
    if (!read_rows(r, node, 3, dim, J)) return false;
    for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(J[i]));
    const int upper[3] = {1, 5, 2}, lower[3] = {3, 7, 6}; /* xy, yz, xz */
    for (int i = 0; i < 3; i++) {
        if (fabs(J[upper[i]] - J[lower[i]]) > 1e-9 * largest)
            return ts_report(r->source, node->start, NULL, "a tensor of inertia must be symmetric");
        out[3 + i] = 0.5 * (J[upper[i]] + J[lower[i]]);
    }
    out[0] = J[0], out[1] = J[4], out[2] = J[8];
    return true;
}

static bool read_inertia(ts_reader *r, const ts_yaml *node, double *out) {
    if (node->type == TS_YAML_LIST && node->count == 3 && has_rows(node))
        return read_inertia_rows(r, node, out);
    if (node->type != TS_YAML_LIST || (node->count != 3 && node->count != 6))
        return ts_report(r->source, node->start,
                         "[Jxx, Jyy, Jzz] or [Jxx, Jyy, Jzz, Jxy, Jyz, Jxz]",
                         "expected a tensor of inertia: 3 or 6 numbers, or three rows of three");
    return read_numbers(r, node, TS_OF_INERTIA, out);
}

/* Translations come first, then rotations: each rotation in a pair brings one more length. */
static ts_dim block_dim(ts_dim dim, int i, int j) {
    dim.length = (signed char)(dim.length + (i > 2) + (j > 2));
    return dim;
}

static bool read_matrix6(ts_reader *r, const ts_yaml *node, ts_dim dim, double *out) {
    if (!list_of(r, node, 6, "six numbers (the diagonal) or six rows of six")) return false;
    ts_dim dims[36];
    for (int i = 0; i < 36; i++) dims[i] = block_dim(dim, i / 6, i % 6);
    if (has_rows(node)) return read_rows(r, node, 6, dims, out);
    bool fine = true;
    for (int i = 0; i < 6; i++) fine &= ts_read_number(r, node->item[i], dims[7 * i], &out[7 * i]);
    return fine;
}

/* ---- signals ---- */

static bool read_signals(ts_reader *r, const ts_yaml *node, const ts_field *f, ts_value *out) {
    if (is_formula(node)) {
        double constant[3];
        if (!read_formula(r, node, f->dim, constant)) return false;
        for (int i = 0; i < 3; i++) out->signal[i] = ts_signal_constant(constant[i]);
        return true;
    }
    if (!list_of(r, node, 3, "three values or signals [x, y, z]")) return false;
    bool fine = true;
    for (int i = 0; i < 3; i++) fine &= ts_read_signal(r, node->item[i], f, &out->signal[i]);
    return fine;
}

/* ---- names of other things ---- */

/* `blade1.spar.start` is written for `blade1_spar.start`, of a sub-assembly. */
static void hint_of_assembly(const ts_reader *r, const ts_yaml *node, size_t length, char *hint,
                             size_t size) {
    char name[100];
    if (node->text[length] != '.' || strlen(node->text) >= sizeof name) return;
    snprintf(name, sizeof name, "%s", node->text);
    name[length] = '_';
    if (ts_find_part(r, name, strcspn(name, ".")) < 0) return;
    snprintf(hint, size, "parts of a sub-assembly have its name and _ before theirs: '%s'", name);
}

bool ts_unknown_part(ts_reader *r, const ts_yaml *node, size_t length, const char *what,
                     const char *advice) {
    if (ts_blamed_before(&r->told, r->source, TS_NAME_OF_PART, node->text, length, node->start))
        return false;
    const char *nearest = ts_nearest_part(r, node->text, length);
    char hint[200];
    snprintf(hint, sizeof hint, "%s", advice);
    if (nearest) snprintf(hint, sizeof hint, "did you mean '%.60s'?", nearest);
    hint_of_assembly(r, node, length, hint, sizeof hint);
    ts_report(r->source, node->start, hint, "there is no %s '%.*s'", what,
              (int)(length < 60 ? length : 60), node->text);
    ts_blamed_add(&r->told, r->source, TS_NAME_OF_PART, node->text, length, false);
    return false;
}

/* The names of a section, or that it has none. */
static void list_names(const ts_reader *r, const char *section, char *hint, size_t size) {
    size_t used = 0;
    for (int i = 0; i < r->parts && used < size; i++)
        if (r->part[i].section && strcmp(r->part[i].section, section) == 0)
            used += (size_t)snprintf(hint + used, size - used, "%s %s",
                                     used ? "," : "expected one of", r->part[i].name);
    if (!used) snprintf(hint, size, "define it in the section `%s`", section);
    if (used >= size) *hint = 0; /* too many to list */
}

/* `sections` -> "section", `bodies` -> "body", `shell_sections` -> "shell section" */
static void singular(const char *section, char *word, size_t size) {
    snprintf(word, size, "%s", section);
    size_t length = strlen(word);
    if (length > 3 && strcmp(word + length - 3, "ies") == 0)
        strcpy(word + length - 3, "y");
    else if (length > 4 &&
             (strcmp(word + length - 4, "shes") == 0 || strcmp(word + length - 4, "sses") == 0))
        word[length - 2] = 0;
    else
        word[length - 1] = 0;
    for (char *c = word; *c; c++)
        if (*c == '_') *c = ' ';
}

/* `what` is a section, or a word for the message. */
static void unknown_of(ts_reader *r, const ts_yaml *node, size_t length, const char *what) {
    char word[40], hint[110] = "";
    if (!ts_is_among(TS_SECTIONS, what)) {
        ts_unknown_part(r, node, length, what, "");
        return;
    }
    singular(what, word, sizeof word);
    list_names(r, what, hint, sizeof hint);
    ts_unknown_part(r, node, length, word, hint);
}

/* The entry of that name, built already; NULL if it is not, which has been reported or needs no
 * report. `what` is a section, or a word for the message. */
static const ts_entry *find_named(ts_reader *r, const ts_yaml *node, size_t length,
                                  const char *what) {
    if (!ts_expect(r, node, TS_YAML_SCALAR, "a name")) return NULL;
    int at = ts_find_in(r, what, node->text, length);
    if (at < 0) {
        unknown_of(r, node, length, what);
        return NULL;
    }
    if (r->part[at].disputed) return NULL;
    if (r->part[at].state == TS_PENDING)
        ts_report(r->source, node->start, "an entry may refer to those that are built before it",
                  "'%.60s' is defined further down, or in a later section", node->text);
    return r->part[at].state == TS_READY ? &r->part[at] : NULL;
}

static const ts_entry *find_entry(ts_reader *r, const ts_yaml *node, const char *what) {
    return find_named(r, node, node->type == TS_YAML_SCALAR ? node->length : 0, what);
}

/* ---- parts on meshes: "skin.left", "skin.7", "skin" ---- */

static const ts_mesh *mesh_of(const ts_reader *r, int part) {
    const ts_model *model = r->document->model;
    return model->parts[part].mesh ? ts_mesh_of(model, model->parts[part].mesh) : NULL;
}

static bool list_nodes(ts_value *out, int count, const int *node) {
    out->list = ts_calloc((size_t)count + 1, sizeof *out->list);
    out->count = count;
    for (int i = 0; i < count; i++) out->list[i] = node[i];
    return true;
}

/* The node of the part at one of the model's points. */
static bool read_named_point(ts_reader *r, const ts_yaml *node, int part, int named,
                             ts_value *out) {
    const ts_mesh *mesh = mesh_of(r, part);
    double place[3];
    memcpy(place, r->point[named].x, sizeof place);
    ts_place_point(r, place);
    int nearest, point = ts_point_at(mesh, v3_load(place), &nearest);
    int single = point >= 0 ? ts_part_point_node(r->document->model, part, point) : -1;
    if (r->point[named].state != TS_READY) return false; /* reported where it stands */
    if (single >= 0) return list_nodes(out, 1, &single);
    v3 x = nearest >= 0 ? mesh->point[nearest] : v3_make(NAN, NAN, NAN);
    char hint[160];
    snprintf(hint, sizeof hint, "the nearest point of its mesh is %d, at [%g, %g, %g] m",
             nearest + 1, x.x, x.y, x.z);
    return ts_report(r->source, node->start, hint, "'%.60s' has no node at the point '%.60s'",
                     r->document->model->parts[part].name, r->points.name[named]);
}

/* Nodes of the part on one point, counted from 1, or in a set of its mesh. */
static bool read_place_of_mesh(ts_reader *r, const ts_yaml *node, int part, const char *word,
                               ts_value *out) {
    const ts_model *model = r->document->model;
    const ts_mesh *mesh = mesh_of(r, part);
    char *end;
    long number = strtol(word, &end, 10);
    int single = -1, *nodes = NULL;
    out->number[0] = -1;
    if (*word && *end == 0) {
        if (number >= 1 && number <= ts_mesh_numbers(mesh))
            single = ts_part_point_node(model, part, ts_mesh_numbered(mesh, (int)number));
        if (single >= 0) return list_nodes(out, 1, &single);
        return ts_report(r->source, node->start, NULL,
                         "'%.60s' has no node on point %s of its mesh", model->parts[part].name,
                         word);
    }
    int set = *word ? ts_mesh_find(mesh, word, -1) : model->parts[part].mesh_set;
    int named = set < 0 ? ts_names_find(&r->points, word, strlen(word)) : -1;
    if (named >= 0) return read_named_point(r, node, part, named, out);
    if (set < 0) return ts_report(r->source, node->start, NULL, "%s", ts_error_message());
    int count = ts_part_set_nodes(model, part, set, &nodes);
    out->number[0] = set;
    if (count > 0) list_nodes(out, count, nodes);
    free(nodes);
    return count > 0 || ts_report(r->source, node->start, NULL,
                                  "'%.60s' has no nodes in the set '%.60s' of its mesh",
                                  model->parts[part].name, word);
}

const ts_entry *ts_find_dotted(ts_reader *r, const ts_yaml *node, const char *what,
                               const char **word) {
    const char *dot = node->type == TS_YAML_SCALAR ? strchr(node->text, '.') : NULL;
    *word = dot ? dot + 1 : "";
    return find_named(r, node,
                      dot                            ? (size_t)(dot - node->text)
                      : node->type == TS_YAML_SCALAR ? node->length
                                                     : 0,
                      what);
}

static bool read_set(ts_reader *r, const ts_yaml *node, ts_value *out) {
    const char *word;
    const ts_entry *entry = ts_find_dotted(r, node, "part", &word);
    if (!entry) return false;
    out->part[0] = entry->part, out->text = node->text;
    if (mesh_of(r, entry->part)) return read_place_of_mesh(r, node, entry->part, word, out);
    return ts_report(r->source, node->start, "write `part.set`, of a part made on a mesh",
                     "'%.60s' is one of the %s: it has no mesh", node->text, entry->section);
}

/* Bounds of a coordinate: a number, or [low, high]. */
static bool read_bounds(ts_reader *r, const ts_yaml *node, double slack, double bounds[2]) {
    bounds[0] = -INFINITY, bounds[1] = INFINITY;
    if (!node) return true;
    bool range = node->type == TS_YAML_LIST;
    if (range && !list_of(r, node, 2, "a number, or two: [low, high]")) return false;
    for (int i = 0; i < 2; i++)
        if (!ts_read_number(r, range ? node->item[i] : node, TS_OF_LENGTH, &bounds[i]))
            return false;
    bounds[0] -= slack, bounds[1] += slack;
    return true;
}

/* A millionth of the extent of the nodes. */
static double slack_of(const ts_model *model, const ts_value *nodes) {
    v3 low = model->nodes[(int)nodes->list[0]].x, high = low;
    for (int i = 1; i < nodes->count; i++) {
        v3 x = model->nodes[(int)nodes->list[i]].x;
        low = v3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = v3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    return 1e-6 * v3_norm(v3_sub(high, low));
}

/* {part: block.top, x: 0.5, y: [0, 1]}: those of its nodes that are there, as drawn. */
static bool read_nodes_where(ts_reader *r, const ts_yaml *map, ts_value *out) {
    static const ts_field no_fields[] = {{0}};
    static const char *const keys[] = {"part", "x", "y", "z", NULL};
    const ts_yaml *part = ts_yaml_get(map, "part");
    ts_fields_job job = {map, map->start, "a choice of nodes", no_fields, keys};
    if (!ts_read_fields(r, &job, NULL)) return false;
    if (!part)
        return ts_report(r->source, map->start, "{part: block, x: 0.5, y: 0.5}",
                         "'part' is missing: whose nodes?");
    if (!read_set(r, part, out)) return false;
    const ts_model *model = r->document->model;
    double bounds[3][2], slack = slack_of(model, out);
    for (int k = 0; k < 3; k++)
        if (!read_bounds(r, ts_yaml_get(map, keys[k + 1]), slack, bounds[k])) return false;
    int count = 0;
    for (int i = 0; i < out->count; i++) {
        v3 x = model->nodes[(int)out->list[i]].x;
        if (r->placed) x = m3_tapply(r->turn, v3_sub(x, r->shift));
        bool there = true;
        for (int k = 0; k < 3; k++)
            there = there && v3_get(x, k) >= bounds[k][0] && v3_get(x, k) <= bounds[k][1];
        if (there) out->list[count++] = out->list[i];
    }
    out->count = count, out->number[0] = -1;
    return count > 0 || ts_report(r->source, map->start, "positions are global, as drawn",
                                  "'%.60s' has no nodes there", part->text);
}

static bool read_piece(ts_reader *r, const ts_yaml *node, ts_value *out) {
    bool fine = node->type == TS_YAML_MAP ? read_nodes_where(r, node, out) : read_set(r, node, out);
    if (!fine) return false;
    out->piece = ts_realloc(out->piece, (size_t)out->pieces + 1, sizeof *out->piece);
    out->piece[out->pieces++] = (ts_piece){out->part[0], (int)out->number[0]};
    return true;
}

/* Adds the nodes of one piece to those before it, each once. */
static void join_nodes(const ts_model *model, ts_value *all, const ts_value *piece) {
    bool *there = ts_calloc((size_t)model->nodes_count + 1, sizeof *there);
    all->list = ts_realloc(all->list, (size_t)(all->count + piece->count) + 1, sizeof *all->list);
    for (int i = 0; i < all->count; i++) there[(int)all->list[i]] = true;
    for (int i = 0; i < piece->count; i++)
        if (!there[(int)piece->list[i]]) all->list[all->count++] = piece->list[i];
    all->piece = ts_realloc(all->piece, (size_t)all->pieces + 1, sizeof *all->piece);
    all->piece[all->pieces++] = piece->piece[0];
    free(there);
}

static bool read_nodes(ts_reader *r, const ts_yaml *node, ts_value *out) {
    if (node->type != TS_YAML_LIST) return read_piece(r, node, out);
    if (node->count == 0)
        return ts_report(r->source, node->start, NULL, "expected at least one set of nodes");
    bool fine = true;
    for (int i = 0; i < node->count; i++) {
        ts_value piece = {0};
        bool read = read_piece(r, node->item[i], &piece);
        if (read) join_nodes(r->document->model, out, &piece);
        fine &= read;
        ts_value_clear(&piece);
    }
    if (fine) out->part[0] = out->piece[0].part, out->number[0] = out->piece[0].set;
    out->text = node->item[0]->type == TS_YAML_SCALAR ? node->item[0]->text : "";
    return fine;
}

/* One node, where the set has only one. */
static bool read_single(ts_reader *r, const ts_yaml *node, int part, const char *word, int *out) {
    ts_value value = {0};
    bool fine = read_place_of_mesh(r, node, part, word, &value);
    if (fine) *out = (int)value.list[0];
    if (fine && value.count > 1)
        fine =
            ts_report(r->source, node->start, "name a set of one point, or a point by its number",
                      "'%.60s' has %d nodes where one is expected", node->text, value.count);
    ts_value_clear(&value);
    return fine;
}

/* A station of a part with several nodes: start, end, or a number from 1. */
static bool read_station(ts_reader *r, const ts_yaml *node, const ts_part *part, const char *word,
                         int *out) {
    const ts_model *model = r->document->model;
    *out = ts_part_node(model, (int)(part - model->parts), word);
    if (*out >= 0) return true;
    char hint[80] = "";
    if (strncmp(word, "mid", 3) == 0 || strncmp(word, "cent", 4) == 0)
        snprintf(hint, sizeof hint,
                 part->nodes % 2 ? "the node in the middle is '%.40s.%d'"
                                 : "no node is in the middle: take another number of elements",
                 part->name, part->nodes / 2 + 1);
    return ts_report(r->source, node->start, hint,
                     "'%.60s' has no node '%.40s': write start, end or 1 to %d", part->name, word,
                     part->nodes);
}

static bool read_body(ts_reader *r, const ts_yaml *node, int *out) {
    const char *dot = node->type == TS_YAML_SCALAR ? strchr(node->text, '.') : NULL;
    const ts_entry *entry =
        dot ? find_named(r, node, (size_t)(dot - node->text), "body") : find_entry(r, node, "body");
    if (!entry) return false;
    if (mesh_of(r, entry->part)) return read_single(r, node, entry->part, dot ? dot + 1 : "", out);
    const ts_part *part = &r->document->model->parts[entry->part];
    *out = part->node;
    if (*out >= 0 && dot) return read_station(r, node, part, dot + 1, out);
    if (*out >= 0 && part->nodes <= 1) return true;
    if (*out >= 0)
        return ts_report(
            r->source, node->start, NULL,
            "'%.60s' has %d nodes: write which one, '%.60s.start', '%.60s.end' or '%.60s.2'",
            node->text, part->nodes, node->text, node->text, node->text);
    return ts_report(r->source, node->start, NULL, "'%.60s' is one of the %s, not a body",
                     node->text, entry->section);
}

bool ts_read_part(ts_reader *r, const ts_yaml *node, const char *section, ts_value *out) {
    int at = node->type == TS_YAML_SCALAR ? ts_find_in(r, section, node->text, node->length) : -1;
    if (at >= 0 && !r->part[at].disputed && strcmp(r->part[at].section, section) != 0)
        return ts_report(r->source, node->start, NULL,
                         "'%.60s' is one of the %s; expected one of the %s", node->text,
                         r->part[at].section, section);
    const ts_entry *entry = find_entry(r, node, section);
    if (!entry) return false;
    out->part[0] = entry->part;
    out->text = node->text;
    return true;
}

static bool read_parts(ts_reader *r, const ts_yaml *node, const char *section, ts_value *out) {
    if (!ts_expect(r, node, TS_YAML_LIST, "a list of names")) return false;
    free(out->list);
    out->list = ts_calloc((size_t)node->count, sizeof(double));
    out->count = node->count;
    bool fine = true;
    for (int i = 0; i < node->count; i++) {
        bool found = ts_read_part(r, node->item[i], section, out);
        out->list[i] = found ? out->part[0] : 0;
        fine &= found;
    }
    return fine;
}

static bool read_body_pair(ts_reader *r, const ts_yaml *node, ts_value *out) {
    if (!list_of(r, node, 2, "the names of two bodies [A, B]")) return false;
    bool fine = read_body(r, node->item[0], &out->node[0]);
    return read_body(r, node->item[1], &out->node[1]) && fine;
}

static bool read_bodies(ts_reader *r, const ts_yaml *node, ts_value *out) {
    if (!ts_expect(r, node, TS_YAML_LIST, "a list of bodies")) return false;
    free(out->list);
    out->list = ts_calloc((size_t)node->count + 1, sizeof(double));
    out->count = node->count;
    bool fine = true;
    for (int i = 0; i < node->count; i++) {
        int body = 0;
        fine &= read_body(r, node->item[i], &body);
        out->list[i] = body;
    }
    return fine;
}

static bool read_joint(ts_reader *r, const ts_yaml *node, ts_value *out) {
    const ts_entry *entry = find_entry(r, node, "joint");
    if (!entry) return false;
    out->part[0] = entry->part;
    out->text = node->text;
    if (r->document->model->parts[entry->part].coordinates > 0) return true;
    return ts_report(r->source, node->start, NULL,
                     "'%.60s' has no relative coordinate (angle or displacement) to act on",
                     node->text);
}

/* One word, or a list of them. */
static bool read_choices(ts_reader *r, const ts_yaml *node, const char *const *choices,
                         ts_value *out) {
    bool fine = true;
    int choice = 0, count = node->type == TS_YAML_LIST ? node->count : 1;
    for (int i = 0; i < count; i++) {
        const ts_yaml *word = node->type == TS_YAML_LIST ? node->item[i] : node;
        bool known = ts_read_choice(r, word, choices, &choice);
        if (known) out->number[choice] = 1;
        fine &= known;
    }
    return fine;
}

/* ---- all of them ---- */

static bool is_word(const ts_yaml *node, const char *const *words) {
    for (; words && *words; words++)
        if (ts_yaml_is(node, *words)) return true;
    return false;
}

#define READER(name) \
    static bool name(ts_reader *r, const ts_yaml *node, const ts_field *f, ts_value *out)
/* Readers that need the field's dimension, its choices, or neither. */
#define OF_NODE(name, read, to) \
    READER(name) { return (void)f, read(r, node, to); }
#define OF_DIM(name, read, to) \
    READER(name) { return read(r, node, f->dim, to); }

OF_NODE(integer, read_integer, out->number)
OF_NODE(boolean, read_boolean, out->number)
OF_NODE(place, read_place, out->number)
OF_NODE(axis, ts_read_axis, out->number)
OF_NODE(rotation, ts_read_rotation, out->number)
OF_NODE(inertia, read_inertia, out->number)
OF_NODE(text, read_text, out)
OF_NODE(nodes, read_nodes, out)
OF_NODE(body_pair, read_body_pair, out)
OF_NODE(bodies, read_bodies, out)
OF_NODE(joint, read_joint, out)
OF_NODE(places, read_places, out)
OF_NODE(mesh_file, ts_read_mesh_file, out)
OF_NODE(surface_file, ts_read_surface_file, out)
OF_NODE(heights_file, ts_read_heights_file, out)
OF_DIM(vector, ts_read_vector, out->number)
OF_DIM(matrix6, read_matrix6, out->number)
OF_DIM(number_list, read_number_list, out)
OF_DIM(row_list, read_row_list, out)
OF_DIM(quantity, read_free_quantity, out)

READER(number) {
    if (is_word(node, f->choices)) return read_text(r, node, out);
    return ts_read_number(r, node, f->dim, out->number);
}

READER(one_signal) { return ts_read_signal(r, node, f, &out->signal[0]); }
READER(state_number) {
    if (!ts_read_signal(r, node, f, &out->signal[0])) return false;
    if (out->signal[0].kind == TS_SIGNAL_CONSTANT) out->number[0] = out->signal[0].scale;
    return true;
}
READER(three_signals) { return read_signals(r, node, f, out); }

READER(one_choice) {
    int choice = 0;
    bool fine = ts_read_choice(r, node, f->choices, &choice);
    out->number[0] = choice;
    return fine;
}

READER(choices) { return read_choices(r, node, f->choices, out); }
READER(part) { return ts_read_part(r, node, f->choices[0], out); }
READER(parts) { return read_parts(r, node, f->choices[0], out); }
READER(groups) { return ts_read_groups(r, node, f->choices[0], out); }

READER(body) {
    (void)f, out->text = node->text;
    return read_body(r, node, &out->node[0]);
}

typedef bool value_reader(ts_reader *r, const ts_yaml *node, const ts_field *f, ts_value *out);

static value_reader *const READERS[] = {
    [TS_NUMBER] = number,
    [TS_INTEGER] = integer,
    [TS_BOOLEAN] = boolean,
    [TS_VECTOR] = vector,
    [TS_PLACE] = place,
    [TS_AXIS] = axis,
    [TS_ROTATION] = rotation,
    [TS_INERTIA] = inertia,
    [TS_MATRIX6] = matrix6,
    [TS_SIGNAL] = one_signal,
    [TS_SIGNAL3] = three_signals,
    [TS_STATE_SIGNAL] = one_signal,
    [TS_LOAD_SIGNAL] = one_signal,
    [TS_LOAD_SIGNAL3] = three_signals,
    [TS_STATE_ANY] = one_signal,
    [TS_STATE_NUMBER] = state_number,
    [TS_STATE_SIGNAL3] = three_signals,
    [TS_CHOICE] = one_choice,
    [TS_TEXT] = text,
    [TS_BODY] = body,
    [TS_BODY_PAIR] = body_pair,
    [TS_BODIES] = bodies,
    [TS_JOINT] = joint,
    [TS_NUMBERS] = number_list,
    [TS_PLACES] = places,
    [TS_EXPRESSION] = ts_read_expression,
    [TS_MESH_FILE] = mesh_file,
    [TS_SURFACE_FILE] = surface_file,
    [TS_HEIGHTS_FILE] = heights_file,
    [TS_NODES] = nodes,
    [TS_CHOICES] = choices,
    [TS_PART] = part,
    [TS_PARTS] = parts,
    [TS_PART_GROUPS] = groups,
    [TS_ROWS] = row_list,
    [TS_CONDITION] = ts_read_condition,
    [TS_TARGETS] = ts_read_targets,
    [TS_SETTINGS] = ts_read_settings,
    [TS_QUANTITY] = quantity,
};

bool ts_read_value(ts_reader *r, const ts_yaml *node, const ts_field *f, ts_value *out) {
    return READERS[f->type](r, node, f, out);
}

void ts_value_clear(ts_value *value) {
    for (int i = 0; i < 3; i++) ts_signal_clear(&value->signal[i]);
    free(value->list);
    ts_expr_free(value->expr);
    ts_mesh_free(value->mesh);
    free(value->piece);
    value->piece = NULL, value->pieces = 0;
    value->list = NULL, value->expr = NULL, value->mesh = NULL;
}
