/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the reader: its state, and one function for each kind of value in a model
 * file.
 *
 *   names.c         words -> numbers, and the nearest word
 *   read_number.c   units of bare numbers, parameters, expressions -> SI
 *   read_signal.c   functions of time
 *   read_channel.c  channels of the model within expressions
 *   tables/         tables in files: read_table.c; their layout: table_layout.c
 *   read_value.c    the field types of kind.h
 *   read_mesh.c     meshes from files
 *   assembly/       other files that are included, and where they are placed
 *   read_event.c    conditions of events, and what they act on
 *   read_fields.c   a mapping by its table of fields
 *   read_stations.c, read_columns.c   what outputs ask for
 *   document.c      the file as a whole
 *
 * Every read_... function returns false when it failed; the problem has then been reported, here or
 * at an earlier place that this place depends on. Consequences of a problem are not reported. */
#ifndef TS_READER_H
#define TS_READER_H

#include "math/rotation.h"
#include "reader/text/yaml.h"

/* ---- words ---- */

typedef struct ts_names {
    const char **name; /* borrowed, in the order they came */
    int count, room;
    int *slot, slots; /* open addressing; -1 is empty */
} ts_names;

int ts_names_find(const ts_names *names, const char *text, size_t length); /* index or -1 */
int ts_names_add(ts_names *names, const char *text); /* index; not yet there */
const char *ts_names_nearest(const ts_names *names, const char *text, size_t length); /* or NULL */
void ts_names_free(ts_names *names);

/* Names for which problems were reported. Consequences of these problems are not reported. A name
 * belongs to one of these spaces. */
typedef enum ts_name_space {
    TS_NAME_OF_PART,
    TS_NAME_OF_POINT,
    TS_NAME_IN_EXPRESSION
} ts_name_space;

typedef struct ts_blamed {
    ts_names names;
    int *diagnostic; /* for each, its diagnostic; -1 if it is elsewhere */
    int room;
    bool lost; /* a whole section cannot be read: its names are unknown */
} ts_blamed;

/* Records that the newest diagnostic reports this name (elsewhere: an earlier one, of more than
 * this name). */
void ts_blamed_add(ts_blamed *told, const ts_source *source, ts_name_space space, const char *text,
                   size_t length, bool elsewhere);
/* Has the name been reported? Then this place is added to the hint there. */
bool ts_blamed_before(ts_blamed *told, const ts_source *source, ts_name_space space,
                      const char *text, size_t length, size_t place);
void ts_blamed_free(ts_blamed *told);

bool ts_is_among(const char *const *words, const char *word); /* words end with NULL */
/* Our word for one of other programs and books, if it is among these; NULL: none. */
const char *ts_synonym(const char *text, const char *const *words);
/* A hint: "did you mean 'x'?", or the words if they are few, or nothing. `words` ends with NULL. */
const char *ts_hint_words(char *buffer, size_t size, const char *text, const char *const *words);

/* ---- the reader ---- */

typedef enum ts_state_of_name { TS_PENDING, TS_READY, TS_FAILED } ts_state_of_name;

typedef struct ts_entry {
    const ts_yaml *key, *node;
    const char *name; /* name of the part: the key, after the prefix of its sub-assembly */
    const char *section;
    ts_state_of_name state;
    bool disputed; /* another entry has this name, too: references to it are ambiguous */
    int part;      /* in the model, when ready */
    int space;     /* its place in the file */
} ts_entry;

typedef struct ts_splice {
    size_t start, end;
    char *text;
} ts_splice;

struct ts_parameter {
    ts_state_of_name state;
    ts_quantity value;
};

struct ts_named_signal {
    ts_state_of_name state;
    const ts_yaml *node; /* never itself the name of a signal */
};

struct ts_point {
    ts_state_of_name state;
    double x[3]; /* in the axes of its file */
};

/* A *space* contains everything for reading a file: the meaning of its names, and its placement.
 * The model file has one, and so has every sub-assembly. */
#define TS_SPACE                                                                                 \
    const ts_source *source;                                                                     \
    const char *path; /* path of the file; NULL if it has none: then it cannot refer to files */ \
    const ts_yaml *root; /* its top level */                                                     \
    double unit[4];      /* SI in one model unit of length, mass, time, angle */                 \
    ts_names parameters;                                                                         \
    struct ts_parameter *parameter;                                                              \
    const ts_yaml *late; /* the section, if parameters wait for points */                        \
    ts_names signals;                                                                            \
    struct ts_named_signal *signal;                                                              \
    ts_names points;                                                                             \
    struct ts_point *point;                                                                      \
    ts_blamed told;                                                                              \
    ts_splice *splices;                                                                          \
    int splice_count;                                                                            \
    const char *prefix; /* of the names of its parts; NULL: none */                              \
    int outer;          /* the space that includes it; -1: the model file */                     \
    bool placed;        /* placement other than as drawn: x -> turn x + shift */                 \
    m3 turn;                                                                                     \
    v3 shift;                                                                                    \
    struct ts_include *file; /* the file it is made of; NULL: the model file */                  \
    int *shared, shares;     /* spaces whose parameters and points are also visible here */

typedef struct ts_space {
    TS_SPACE
} ts_space;

typedef struct ts_reader {
    union {
        struct {
            TS_SPACE
        };
        ts_space space; /* all of the above at once */
    };
    ts_document *document;
    long table_points; /* read so far, copies included */

    ts_space *spaces; /* those that are not being read; in the order in which their parts come */
    int space_count, space_room, current;
    struct ts_include *includes; /* files that were read, the newest first */
    long included;               /* values of all of them, repeats counted */
    int index, count;            /* of the repeat that is being read; 0: none */

    /* Entries of all sections, by name. A defining section has its own names; the last set is that
     * of all other sections, with "ground" as its first name. */
    ts_names names[TS_DEFINING_SECTIONS + 1];
    int first[TS_DEFINING_SECTIONS + 1]; /* entry of the first name of each */
    ts_entry *part;                      /* the first is ground */
    int parts;

    bool tainted;         /* the expression being compiled uses a name whose definition failed */
    const char *pending;  /* ... or one that is defined further down */
    const char *defining; /* the parameter or signal whose own value is being read */
    const ts_yaml *among; /* ... and the section that it is in */
    const char *unknown;  /* ... or one that is no parameter, the last such, within its text */
    size_t unknown_length;
    bool hertz;     /* the last one compiled is a number in Hz */
    bool here;      /* it may use channels of `here`, the point that its value acts on */
    char **channel; /* names of the channels it uses: variables from 1 on; owned */
    int channels;
} ts_reader;

/* Dimensions that the reader itself needs. */
extern const ts_dim TS_OF_NONE, TS_OF_LENGTH, TS_OF_TIME, TS_OF_ANGLE, TS_OF_ACCELERATION,
    TS_OF_INERTIA;

/* ---- read_number.c ---- */

/* converts a number in the model's units to SI */
double ts_model_units(const ts_reader *r, double value, ts_dim dim);
bool ts_read_units(ts_reader *r, const ts_yaml *node);
bool ts_read_parameters(ts_reader *r, const ts_yaml *node);
bool ts_compile(ts_reader *r, const ts_yaml *node, bool time, ts_expr **out);
bool ts_compile_condition(ts_reader *r, const ts_yaml *node, ts_expr **out); /* `a < b and c > d` */
/* An expression of the variables field->choices; out->number[0] converts its value to SI. */
bool ts_read_expression(ts_reader *r, const ts_yaml *node, const ts_field *field, ts_value *out);
/* A constant vector by an expression, `D - C`, with its dimension. */
bool ts_read_vector_expression(ts_reader *r, const ts_yaml *node, ts_vector *out);
/* Reads parameters that wait for points: those that can be read now, or all of them. */
bool ts_read_late_parameters(ts_reader *r, bool all);
/* a constant with its dimension */
bool ts_read_quantity(ts_reader *r, const ts_yaml *node, ts_quantity *out);
bool ts_fit(ts_reader *r, size_t place, ts_quantity value, ts_dim wanted, double *out);
bool ts_read_number(ts_reader *r, const ts_yaml *node, ts_dim dim, double *out);
/* Refuses a number in Hz where an angular velocity is expected. */
bool ts_check_cycles(ts_reader *r, size_t place, bool hertz, ts_dim wanted);
bool ts_dim_mismatch(ts_reader *r, size_t place, ts_dim got, ts_dim wanted);

/* ---- read_signal.c ---- */

void ts_name_signals(ts_reader *r, const ts_yaml *node);
bool ts_read_signals(ts_reader *r, const ts_yaml *node); /* named already */
/* of ts_scope */
int ts_find_signal(void *reader, const char *name, size_t length, ts_expr_signal *out);
bool ts_read_signal(ts_reader *r, const ts_yaml *node, const ts_field *field, ts_signal *out);
/* the text with the tables of files written in */
char *ts_splice_text(ts_reader *r, size_t *length);

/* ---- read_channel.c ---- */

/* of ts_scope */
extern const char *const TS_INPUT_ORDERS[]; /* ends with NULL */
/* Is a name without dots that of a state? */
bool ts_is_state(void *reader, const char *name, size_t length);
/* Is a named signal an input? Returns its use within expressions, a signal of the model, with its
 * dimension; -1: it cannot be read. While signals are being defined: 0. */
bool ts_is_input(const ts_reader *r, int signal);
int ts_input_within(ts_reader *r, int signal, ts_dim *dim);
int ts_find_channel(void *reader, const char *name, size_t length, ts_dim *dim,
                    ts_expr_error *error);
void ts_channels_clear(ts_reader *r);
/* Connects forces that depend on the state with the parts that they read, after all parts are
 * built. */
void ts_bind_states(ts_reader *r);

/* ---- read_value.c ---- */

/* A field type of the reader: number[0] is the value in SI, number[1..4] the exponents of its
 * dimension. A field of this type with a dimension requires that dimension, otherwise any is
 * allowed. */
#define TS_QUANTITY ((ts_type)(TS_SETTINGS + 1))

/* Reports, once, that there is no part of this name; `advice` is the hint if there is no name like
 * it. */
bool ts_unknown_part(ts_reader *r, const ts_yaml *node, size_t length, const char *what,
                     const char *advice);
bool ts_read_value(ts_reader *r, const ts_yaml *node, const ts_field *field, ts_value *out);
bool ts_read_vector(ts_reader *r, const ts_yaml *node, ts_dim dim, double *out);
void ts_name_points(ts_reader *r, const ts_yaml *node);
bool ts_read_points(ts_reader *r, const ts_yaml *node); /* named already */
bool ts_read_part(ts_reader *r, const ts_yaml *node, const char *section, ts_value *out);
bool ts_read_choice(ts_reader *r, const ts_yaml *node, const char *const *choices, int *out);
bool ts_expect(ts_reader *r, const ts_yaml *node, ts_yaml_type type, const char *what);
bool ts_is_identifier(const char *text, bool dash);
bool ts_check_name(ts_reader *r, const ts_yaml *key, const char *of, bool dash);
void ts_value_clear(ts_value *value);

/* Returns the entry before a dot, already built, or NULL; *word is the text after the dot, or
 * "". */
const ts_entry *ts_find_dotted(ts_reader *r, const ts_yaml *node, const char *what,
                               const char **word);

/* ---- read_event.c ---- */

bool ts_read_condition(ts_reader *r, const ts_yaml *node, const ts_field *field, ts_value *out);
bool ts_read_targets(ts_reader *r, const ts_yaml *node, const ts_field *field, ts_value *out);
bool ts_read_settings(ts_reader *r, const ts_yaml *node, const ts_field *field, ts_value *out);

/* ---- read_rotation.c ---- */

bool ts_read_axis(ts_reader *r, const ts_yaml *node, double *out); /* a unit vector */
/* Nine numbers: the columns. */
bool ts_read_rotation(ts_reader *r, const ts_yaml *node, double *out);

/* ---- read_stations.c ---- */

bool ts_read_stations(ts_reader *r, const ts_yaml *node); /* may be NULL */

/* ---- read_columns.c ---- */

/* Checks the selectors that are `good` so far, of a file without other mistakes. */
bool ts_check_columns(ts_reader *r, const ts_yaml *list, const bool *good);

/* ---- read_mesh.c ---- */

/* A mesh in a file of Gmsh, by its path or written out: {base64: ...}. */
bool ts_read_mesh_file(ts_reader *r, const ts_yaml *node, ts_value *out);
/* A surface in a file of triangles, STL or OBJ, by its path or written out: {base64: ...}. */
bool ts_read_surface_file(ts_reader *r, const ts_yaml *node, ts_value *out);
/* As above, for a grid of heights. */
bool ts_read_heights_file(ts_reader *r, const ts_yaml *node, ts_value *out);

/* ---- read_fields.c ---- */

/* Reads a mapping by its table. Missing fields are reported at `place`; `what` names the mapping
 * ("a rigid body"); `others` are keys that the caller reads (NULL-terminated, or NULL). */
typedef struct ts_fields_job {
    const ts_yaml *map;
    size_t place;
    const char *what;
    const ts_field *fields;
    const char *const *others;
} ts_fields_job;

int ts_field_count(const ts_field *fields);
bool ts_has_field(const ts_field *fields, const char *name);
ts_value *ts_values_new(const ts_field *fields);
void ts_values_free(const ts_field *fields, ts_value *values);
bool ts_read_fields(ts_reader *r, const ts_fields_job *job, ts_value *values);

/* ---- example.c ---- */

/* A value that the field accepts, as a user writes it; "" if there is none for its type. */
const char *ts_example_of(const ts_reader *r, const ts_field *field, char *buffer, size_t size);

/* ---- read_scheme.c ---- */

enum { TS_SCHEME_FIELDS = 33 };
/* `name`, and the parameters of all schemes. */
void ts_scheme_fields(ts_field fields[TS_SCHEME_FIELDS]);
/* Writes to document->options; a node that is NULL leaves them unchanged. */
bool ts_read_scheme(ts_reader *r, const ts_yaml *node);

/* ---- assembly/include.c: other files, and sub-assemblies ---- */

extern const ts_field TS_INCLUDE_FIELDS[];
void ts_enter(ts_reader *r, int space);
/* Files without a prefix, whose parameters others use; and sub-assemblies. The space of each is
 * read by `read`. */
typedef void ts_read_space(ts_reader *r, const ts_yaml *root);
void ts_read_plain_includes(ts_reader *r, const ts_yaml *root, ts_read_space *read);
void ts_read_instances(ts_reader *r, const ts_yaml *root, ts_read_space *read);
/* The parameter of this name that is given to a sub-assembly; NULL: none. */
const ts_quantity *ts_given_parameter(const ts_reader *r, const char *name);
/* Inserts the included files into the text of the space that includes them. */
void ts_echo_includes(ts_reader *r);
void ts_includes_free(ts_reader *r);
/* Finds an entry by its name as written here: of this sub-assembly, or of those around it; -1:
 * none. Where a part and a material, a section or a mesh share a name, the part is found;
 * ts_find_in prefers an entry of that section. */
int ts_find_part(const ts_reader *r, const char *text, size_t length);
int ts_find_in(const ts_reader *r, const char *section, const char *text, size_t length);
const char *ts_nearest_part(const ts_reader *r, const char *text, size_t length); /* or NULL */
/* The name with the prefix of the present sub-assembly; to be freed. */
char *ts_full_name(const ts_reader *r, const char *name);

/* ---- assembly/placing.c: values in the place of a sub-assembly ---- */

void ts_place_point(const ts_reader *r, double *x);
bool ts_place_values(ts_reader *r, const ts_yaml *map, const ts_field *fields, ts_value *values);

/* ---- tables of the top level, shared with the schema ---- */

extern const ts_field TS_ANALYSIS_FIELDS[], TS_OUTPUT_FIELDS[], TS_UNIT_FIELDS[];

typedef struct ts_signal_shape {
    const char *name, *help;
    const ts_field *fields;
} ts_signal_shape;
extern const ts_signal_shape TS_SIGNAL_SHAPES[]; /* ends with name == NULL */

/* ---- read_groups.c ---- */

bool ts_read_groups(ts_reader *r, const ts_yaml *node, const char *section, ts_value *out);

#endif
