/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON Schema (2020-12) of model files, from the tables that the reader itself uses.
 *
 * It is for editors: they complete keys, show the help of each field and underline unknown keys and
 * words. The reader alone checks dimensions, names and cycles. Every number may be an expression,
 * hence a string. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "reader/reader.h"
#include "reader/tables/table.h"
#include "study/schemes.h"

/* ---- definitions that are the same for all models ---- */

#define REF(name) "{\"$ref\": \"#/$defs/" name "\"}"
#define LIST(item, count) \
    "{\"type\": \"array\", \"items\": " item ", \"minItems\": " count ", \"maxItems\": " count "}"
/* two of a function, three of a map */
#define UP_TO_3(item) "{\"type\": \"array\", \"items\": " item ", \"minItems\": 2, \"maxItems\": 3}"
#define NUMBER REF("number")
#define VECTOR REF("vector")
#define NAME "\"^[A-Za-z_][A-Za-z0-9_-]*$\""
#define WORD "\"^[A-Za-z_][A-Za-z0-9_]*$\""

/* clang-format off */
static const char *const DEFINITIONS[][2] = {
    {"number", "{\"type\": [\"number\", \"string\"], \"description\": \"A number or an expression, with or without a unit: 5, 5 mm, 2*L + 3 mm\"}"},
    {"integer", "{\"type\": [\"integer\", \"string\"]}"},
    {"boolean", "{\"type\": \"boolean\"}"},
    {"text", "{\"type\": [\"string\", \"number\", \"boolean\"]}"},
    {"name", "{\"type\": \"string\", \"pattern\": " NAME "}"},
    {"body", "{\"type\": \"string\", \"pattern\": \"^[A-Za-z_][A-Za-z0-9_-]*([.][^ ]+)?$\", \"description\": \"A body, `ground`, or a node of a beam or of a part on a mesh: beam.start, beam.end, beam.3, skin.corner\"}"},
    {"set", "{\"anyOf\": [{\"type\": \"string\", \"pattern\": \"^[A-Za-z_][A-Za-z0-9_-]*([.][^ ]+)?$\"},"
            " {\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"part\"], \"properties\": {\"part\": {\"type\": \"string\"},"
            " \"x\": " REF("bounds") ", \"y\": " REF("bounds") ", \"z\": " REF("bounds") "}}],"
            " \"description\": \"Nodes, edges or faces of a part on a mesh: part.set, part.7 (a point), part (all of it); or those of its nodes at a place, {part, x, y, z}\"}"},
    {"bounds", "{\"anyOf\": [" NUMBER ", " LIST(NUMBER, "2") "]}"},
    {"nodes", "{\"anyOf\": [" REF("set") ", {\"type\": \"array\", \"minItems\": 1, \"items\": " REF("set") "}], \"description\": \"A set of a part, or a list of such sets\"}"},
    {"vector", "{\"anyOf\": [" LIST(NUMBER, "3") ", {\"type\": \"string\"}], \"description\": \"Three numbers [x, y, z], or an expression of points: 2*(D - C)\"}"},
    {"place", "{\"anyOf\": [" LIST(NUMBER, "3") ", {\"type\": \"string\"}], \"description\": \"Three numbers [x, y, z], the name of a point, or an expression of points: (C + D)/2\"}"},
    {"axis", "{\"anyOf\": [{\"enum\": [\"x\", \"y\", \"z\", \"-x\", \"-y\", \"-z\", \"+x\", \"+y\", \"+z\"]}, " VECTOR "], \"description\": \"x, y, z, -x, -y, -z, three numbers, or an expression of points: D - C\"}"},
    {"turn", "{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"axis\", \"angle\"],"
             " \"properties\": {\"axis\": " REF("axis") ", \"angle\": " NUMBER "}}"},
    {"rotation", "{\"anyOf\": [" REF("turn") ", {\"type\": \"array\", \"items\": " REF("turn") "},"
                 " {\"type\": \"object\", \"additionalProperties\": false, \"minProperties\": 2, \"maxProperties\": 2,"
                 " \"properties\": {\"x\": " REF("axis") ", \"y\": " REF("axis") ", \"z\": " REF("axis") "}},"
                 " {\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"matrix\"],"
                 " \"properties\": {\"matrix\": " LIST(VECTOR, "3") "}},"
                 " {\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"quaternion\"],"
                 " \"properties\": {\"quaternion\": " LIST(NUMBER, "4") "}}]}"},
    {"inertia", "{\"anyOf\": [" LIST(NUMBER, "3") ", " LIST(NUMBER, "6") ", " LIST(VECTOR, "3") "]}"},
    {"matrix6", "{\"anyOf\": [" LIST(NUMBER, "6") ", " LIST(LIST(NUMBER, "6"), "6") "]}"},
    {"signal3", "{\"anyOf\": [" LIST(REF("signal"), "3") ", {\"type\": \"string\"}]}"},
    {"included_file", "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"yaml\"], \"properties\": {\"yaml\": {\"type\": \"string\"}, \"name\": {\"type\": \"string\"}}}],"
                      " \"description\": \"The path of a model file, or its text\"}"},
    {"instances", "{\"type\": \"object\", \"patternProperties\": {" WORD ": {\"anyOf\": [" REF("included_file") ", " REF("instance") "]}}, \"additionalProperties\": false, \"description\": \"Sub-assemblies by their names\"}"},
    {"include", "{\"anyOf\": [{\"type\": [\"string\", \"null\"]}, " REF("instances") ", {\"type\": \"array\", \"items\": {\"anyOf\": [" REF("included_file") ", " REF("instances") "]}}],"
                " \"description\": \"Other model files, as they are or as sub-assemblies\"}"},
    {"state_signal", REF("signal")},
    {"state_signal3", REF("signal3")},
    {"state_signals", "{\"anyOf\": [" REF("signal") ", {\"type\": \"array\", \"minItems\": 1, \"maxItems\": 8, \"items\": " REF("signal") "}]}"},
    {"state_number", REF("signal")},
    {"pair", LIST(REF("body"), "2")},
    {"bodies", "{\"type\": \"array\", \"items\": " REF("body") "}"},
    {"numbers", "{\"type\": \"array\", \"items\": " NUMBER "}"},
    {"places", "{\"type\": \"array\", \"items\": " REF("place") "}"},
    {"expression", "{\"type\": [\"number\", \"string\"], \"description\": \"An expression of the variables u, v and w\"}"},
    {"texts", "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": 1}], \"description\": \"A word, or a list of words\"}"},
    {"mesh_file", "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"base64\"], \"properties\": {\"base64\": {\"type\": \"string\"}}}],"
                  " \"description\": \"The path of a file of Gmsh (.msh, format 4.1) or of triangles (STL, OBJ), or its bytes in base 64\"}"},
    {"condition", "{\"type\": \"string\", \"pattern\": \"[<>=]\", \"description\": \"Two values with >, < or = between them: hinge.angle > 90 deg\"}"},
    {"targets", "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}}], \"description\": \"A name, or a list of names; of a joint perhaps with a coordinate, hinge.angle\"}"},
    {"settings", "{\"type\": \"object\", \"additionalProperties\": " NUMBER ", \"description\": \"States and inputs with their new values\"}"},
    {"groups", "{\"type\": \"array\", \"items\": {\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": 1}]}, \"description\": \"Names, patterns of names with * and ?, and lists of both\"}"},
    {"names", "{\"type\": \"array\", \"items\": " REF("name") "}"},
    {"rows", "{\"anyOf\": [" REF("numbers") ", {\"type\": \"array\", \"items\": " REF("numbers") "}]}"},
    {"table", "{\"type\": \"array\", \"items\": " UP_TO_3(NUMBER) ", \"minItems\": 2, \"description\": \"Pairs [time, value], pairs [argument, value] of a curve, or [argument, second argument, value] of a map\"}"},
    {"interpolation", "{\"enum\": [\"linear\", \"smooth\"]}"},
};
/* clang-format on */

static const char *definition_of(ts_type type) {
    static const char *const names[] = {[TS_NUMBER] = "number",
                                        [TS_INTEGER] = "integer",
                                        [TS_BOOLEAN] = "boolean",
                                        [TS_VECTOR] = "vector",
                                        [TS_PLACE] = "place",
                                        [TS_AXIS] = "axis",
                                        [TS_ROTATION] = "rotation",
                                        [TS_INERTIA] = "inertia",
                                        [TS_MATRIX6] = "matrix6",
                                        [TS_SIGNAL] = "signal",
                                        [TS_SIGNAL3] = "signal3",
                                        [TS_CHOICE] = "text",
                                        [TS_STATE_SIGNAL] = "state_signal",
                                        [TS_LOAD_SIGNAL] = "state_signal",
                                        [TS_LOAD_SIGNAL3] = "state_signal3",
                                        [TS_STATE_ANY] = "state_signal",
                                        [TS_STATE_LIST] = "state_signals",
                                        [TS_STATE_NUMBER] = "state_number",
                                        [TS_STATE_SIGNAL3] = "state_signal3",
                                        [TS_TEXT] = "text",
                                        [TS_BODY] = "body",
                                        [TS_BODY_PAIR] = "pair",
                                        [TS_BODIES] = "bodies",
                                        [TS_JOINT] = "name",
                                        [TS_NUMBERS] = "numbers",
                                        [TS_PART] = "name",
                                        [TS_NODES] = "nodes",
                                        [TS_CHOICES] = "texts",
                                        [TS_PLACES] = "places",
                                        [TS_EXPRESSION] = "expression",
                                        [TS_MESH_FILE] = "mesh_file",
                                        [TS_SURFACE_FILE] = "mesh_file",
                                        [TS_HEIGHTS_FILE] = "mesh_file",
                                        [TS_PARTS] = "names",
                                        [TS_PART_GROUPS] = "groups",
                                        [TS_ROWS] = "rows",
                                        [TS_CONDITION] = "condition",
                                        [TS_TARGETS] = "targets",
                                        [TS_SETTINGS] = "settings",
                                        [TS_QUANTITY] = "number"};
    return names[type];
}

static void put_ref(ts_json *j, const char *key, const char *definition) {
    char text[160];
    snprintf(text, sizeof text, "{\"$ref\": \"#/$defs/%s\"}", definition);
    ts_json_raw(j, key, text);
}

/* ---- fields ---- */

static bool has_dimension(ts_type type) {
    return type == TS_NUMBER || type == TS_VECTOR || type == TS_SIGNAL || type == TS_SIGNAL3 ||
           type == TS_STATE_SIGNAL || type == TS_STATE_SIGNAL3 || type == TS_STATE_NUMBER ||
           type == TS_LOAD_SIGNAL || type == TS_LOAD_SIGNAL3 || type == TS_NUMBERS ||
           type == TS_EXPRESSION || type == TS_ROWS || type == TS_QUANTITY;
}

static void put_description(ts_json *j, const ts_field *f) {
    char text[1200], dim[64];
    int used = snprintf(text, sizeof text, "%.600s", f->help ? f->help : "");
    if (has_dimension(f->type) && !ts_dim_bare(f->dim))
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s", used ? "\n" : "",
                         ts_dim_name(f->dim, dim, sizeof dim));
    if (f->fallback)
        snprintf(text + used, sizeof text - (size_t)used, "%sDefault: %.300s", used ? "\n" : "",
                 f->fallback);
    if (*text) ts_json_text(j, "description", text);
}

static void put_words(ts_json *j, const char *key, const char *const *words) {
    ts_json_open(j, key, '[');
    for (; *words; words++) ts_json_text(j, NULL, *words);
    ts_json_close(j, ']');
}

static void put_field(ts_json *j, const ts_field *f) {
    char ref[60];
    ts_json_open(j, f->name, '{');
    snprintf(ref, sizeof ref, "#/$defs/%s", definition_of(f->type));
    if (f->type == TS_CHOICE) {
        put_words(j, "enum", f->choices);
    } else if (f->type == TS_NUMBER && f->choices) {
        ts_json_open(j, "anyOf", '[');
        ts_json_open(j, NULL, '{'), put_words(j, "enum", f->choices), ts_json_close(j, '}');
        put_ref(j, NULL, "number");
        ts_json_close(j, ']');
    } else
        ts_json_text(j, "$ref", ref);
    put_description(j, f);
    ts_json_close(j, '}');
}

static void put_required(ts_json *j, const ts_field *fields) {
    bool any = false;
    for (const ts_field *f = fields; f->name; f++) any |= f->required;
    if (!any) return;
    ts_json_open(j, "required", '[');
    for (const ts_field *f = fields; f->name; f++)
        if (f->required) ts_json_text(j, NULL, f->name);
    ts_json_close(j, ']');
}

/* Opens an object of these fields; the caller may add properties before he closes both brackets. */
static void open_object(ts_json *j, const char *key, const char *help, const ts_field *fields) {
    ts_json_open(j, key, '{');
    ts_json_text(j, "type", "object");
    if (help) ts_json_text(j, "description", help);
    ts_json_flag(j, "additionalProperties", false);
    put_required(j, fields);
    ts_json_open(j, "properties", '{');
    for (const ts_field *f = fields; f->name; f++) put_field(j, f);
}

static void close_object(ts_json *j) {
    ts_json_close(j, '}');
    ts_json_close(j, '}');
}

/* ---- signals ---- */

static void put_table_shape(ts_json *j) {
    static const ts_field none[] = {{0}};
    open_object(j, NULL, "A table, held constant outside, or repeated with its period", none);
    put_ref(j, "table", "table");
    put_ref(j, "interpolation", "interpolation");
    put_ref(j, "period", "number");
    close_object(j);
    open_object(j, NULL, "A table in a file with columns of numbers", TS_FILE_FIELDS);
    ts_json_raw(j, "columns", UP_TO_3("{\"type\": [\"string\", \"integer\"]}"));
    ts_json_raw(j, "units", UP_TO_3("{\"type\": [\"string\", \"number\"]}"));
    put_ref(j, "interpolation", "interpolation");
    put_ref(j, "period", "number");
    close_object(j);
}

static void put_shape(ts_json *j, const ts_signal_shape *shape) {
    static const ts_field none[] = {{0}};
    open_object(j, NULL, shape->help, none);
    open_object(j, shape->name, shape->help, shape->fields);
    close_object(j);
    close_object(j);
}

static void put_input(ts_json *j) {
    static const ts_field input[] = {
        {.name = "input",
         .type = TS_QUANTITY,
         .required = true,
         .help =
             "Set from outside during the run; this is its initial value. Under 'signals' only"},
        {.name = "extrapolation",
         .type = TS_CHOICE,
         .choices = TS_INPUT_ORDERS,
         .help = "How the value varies over a step, from the values set for this step and for the "
                 "ones before",
         .fallback = "held"},
        {0}};
    open_object(j, NULL, "An input, set by its name through the C or Python interface", input);
    close_object(j);
}

static void put_signal(ts_json *j) {
    ts_json_open(j, "signal", '{');
    ts_json_text(j, "description",
                 "A number, an expression of t, the name of a signal, a table or a shape");
    ts_json_open(j, "anyOf", '[');
    put_ref(j, NULL, "number");
    put_table_shape(j);
    for (const ts_signal_shape *shape = TS_SIGNAL_SHAPES; shape->name; shape++) put_shape(j, shape);
    put_input(j);
    ts_json_close(j, ']');
    ts_json_close(j, '}');
}

/* ---- kinds ---- */

static void definition_name(char *buffer, size_t size, const ts_kind *kind) {
    snprintf(buffer, size, "%s.%s", kind->section, kind->name);
}

static void put_kind(ts_json *j, const ts_kind *kind) {
    char name[120];
    definition_name(name, sizeof name, kind);
    open_object(j, name, kind->help, kind->fields);
    ts_json_open(j, "type", '{');
    ts_json_text(j, "const", kind->name);
    if (kind->help) ts_json_text(j, "description", kind->help);
    ts_json_close(j, '}');
    close_object(j);
}

/* if the type is this one (or left out, and this is the default), then the entry is of this kind */
static void put_case(ts_json *j, const ts_kind *kind) {
    char name[120];
    definition_name(name, sizeof name, kind);
    ts_json_open(j, NULL, '{');
    ts_json_open(j, "if", '{');
    ts_json_open(j, "properties", '{');
    ts_json_open(j, "type", '{');
    ts_json_text(j, "const", kind->name);
    ts_json_close(j, '}');
    ts_json_close(j, '}');
    if (!kind->default_in_section) ts_json_raw(j, "required", "[\"type\"]");
    ts_json_close(j, '}');
    put_ref(j, "then", name);
    ts_json_close(j, '}');
}

static bool in_section(const ts_kind *kind, const char *section) {
    return strcmp(kind->section, section) == 0;
}

static void put_types(ts_json *j, const char *section) {
    ts_json_open(j, "properties", '{');
    ts_json_open(j, "type", '{');
    ts_json_open(j, "enum", '[');
    for (const ts_kind *const *k = TS_KINDS; *k; k++)
        if (in_section(*k, section)) ts_json_text(j, NULL, (*k)->name);
    ts_json_close(j, ']');
    ts_json_close(j, '}');
    ts_json_close(j, '}');
    if (!ts_kind_find(section, NULL)) ts_json_raw(j, "required", "[\"type\"]");
}

static void put_section(ts_json *j, const char *section) {
    ts_json_open(j, section, '{');
    ts_json_raw(j, "type", "[\"object\", \"null\"]");
    ts_json_raw(j, "propertyNames", "{\"pattern\": " NAME ", \"not\": {\"const\": \"ground\"}}");
    ts_json_open(j, "additionalProperties", '{');
    ts_json_text(j, "type", "object");
    put_types(j, section);
    ts_json_open(j, "allOf", '[');
    for (const ts_kind *const *k = TS_KINDS; *k; k++)
        if (in_section(*k, section)) put_case(j, *k);
    ts_json_close(j, ']');
    ts_json_close(j, '}');
    ts_json_close(j, '}');
}

static bool section_in_use(const char *section) {
    for (const ts_kind *const *k = TS_KINDS; *k; k++)
        if (in_section(*k, section)) return true;
    return false;
}

/* ---- the top level ---- */

static void put_units(ts_json *j) {
    ts_json_open(j, "units", '{');
    ts_json_text(j, "description", "Units of bare numbers");
    ts_json_open(j, "anyOf", '[');
    ts_json_raw(j, NULL, "{\"const\": \"SI\"}");
    open_object(j, NULL, NULL, TS_UNIT_FIELDS);
    ts_json_close(j, '}');
    ts_json_count(j, "minProperties", 1);
    ts_json_close(j, '}');
    ts_json_close(j, ']');
    ts_json_close(j, '}');
}

static void put_named(ts_json *j, const char *key, const char *help, const char *pattern,
                      const char *definition) {
    char names[120];
    ts_json_open(j, key, '{');
    ts_json_raw(j, "type", "[\"object\", \"null\"]");
    ts_json_text(j, "description", help);
    snprintf(names, sizeof names, "{\"pattern\": %s}", pattern);
    ts_json_raw(j, "propertyNames", names);
    put_ref(j, "additionalProperties", definition);
    ts_json_close(j, '}');
}

static void put_scheme_names(ts_json *j) {
    ts_json_open(j, NULL, '{');
    ts_json_open(j, "enum", '[');
    for (int i = 0; ts_scheme_name(i); i++) ts_json_text(j, NULL, ts_scheme_name(i));
    ts_json_close(j, ']');
    ts_json_close(j, '}');
}

static void put_analysis(ts_json *j) {
    ts_field scheme[TS_SCHEME_FIELDS];
    ts_scheme_fields(scheme);
    open_object(j, "analysis", "The transient run", TS_ANALYSIS_FIELDS);
    ts_json_open(j, "scheme", '{');
    ts_json_text(j, "description", scheme[0].help);
    ts_json_open(j, "anyOf", '[');
    put_scheme_names(j);
    open_object(j, NULL, NULL, scheme);
    close_object(j);
    ts_json_close(j, ']');
    ts_json_close(j, '}');
    close_object(j);
}

static void put_outputs(ts_json *j) {
    open_object(j, "outputs", "What is stored", TS_OUTPUT_FIELDS);
    ts_json_open(j, "csv", '{');
    ts_json_text(j, "type", "array");
    ts_json_text(j, "description",
                 "Columns of the CSV output: part.quantity or part.quantity.component");
    ts_json_raw(j, "items", "{\"type\": \"string\"}");
    ts_json_close(j, '}');
    ts_json_raw(
        j, "stations",
        "{\"type\": [\"object\", \"null\"], \"description\": \"Places along beams whose internal "
        "forces and strains are stored: fractions of the length, or lengths\", "
        "\"additionalProperties\": {\"anyOf\": [{\"$ref\": \"#/$defs/number\"}, {\"type\": "
        "\"array\", \"items\": {\"$ref\": \"#/$defs/number\"}}]}}");
    close_object(j);
}

/* A sub-assembly. */
static void put_instance(ts_json *j) {
    ts_json_open(j, "instance", '{');
    ts_json_text(j, "type", "object");
    ts_json_flag(j, "additionalProperties", false);
    ts_json_raw(j, "required", "[\"file\"]");
    ts_json_open(j, "properties", '{');
    ts_json_raw(j, "file", REF("included_file"));
    put_named(j, "parameters", "Values for the parameters of the file", WORD, "number");
    for (const ts_field *f = TS_INCLUDE_FIELDS; f->name; f++) put_field(j, f);
    ts_json_close(j, '}');
    ts_json_close(j, '}');
}

static void put_top(ts_json *j) {
    ts_json_raw(j, "torsor", "{\"const\": 1, \"description\": \"Version of the format\"}");
    ts_json_raw(j, "title",
                "{\"$ref\": \"#/$defs/text\", \"description\": \"A name for reports\"}");
    put_units(j);
    ts_json_raw(j, "include", REF("include"));
    put_named(j, "parameters", "Named numbers; a number may use those above it", WORD, "number");
    put_named(j, "signals", "Named functions of time", WORD, "signal");
    put_named(j, "points", "Places with names", NAME, "place");
    ts_json_raw(j, "gravity",
                "{\"$ref\": \"#/$defs/vector\", \"description\": \"Acceleration of gravity; "
                "default zero\"}");
    for (int i = 0; TS_SECTIONS[i]; i++)
        if (section_in_use(TS_SECTIONS[i]))
            put_section(j, TS_SECTIONS[i]);
        else
            ts_json_raw(j, TS_SECTIONS[i],
                        "{\"type\": [\"object\", \"null\"], \"maxProperties\": 0}");
    put_analysis(j);
    put_outputs(j);
}

void ts_schema_print(FILE *out) {
    ts_json j = {.out = out};
    ts_json_open(&j, NULL, '{');
    ts_json_text(&j, "$schema", "https://json-schema.org/draft/2020-12/schema");
    ts_json_text(&j, "title", "torsor model");
    ts_json_text(&j, "type", "object");
    ts_json_flag(&j, "additionalProperties", false);
    ts_json_raw(&j, "required", "[\"torsor\", \"units\"]");
    ts_json_open(&j, "properties", '{');
    put_top(&j);
    ts_json_close(&j, '}');
    ts_json_open(&j, "$defs", '{');
    for (size_t i = 0; i < sizeof DEFINITIONS / sizeof *DEFINITIONS; i++)
        ts_json_raw(&j, DEFINITIONS[i][0], DEFINITIONS[i][1]);
    put_signal(&j);
    put_instance(&j);
    for (const ts_kind *const *k = TS_KINDS; *k; k++) put_kind(&j, *k);
    ts_json_close(&j, '}');
    ts_json_close(&j, '}');
}
