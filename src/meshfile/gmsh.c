/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes in the files of Gmsh, format MSH 4.1 (Gmsh reference manual, section "MSH file format").
 *
 *     $MeshFormat      4.1, text or binary, size of size_t; binary: the number 1, which shows the
 *                      order of bytes
 *     $PhysicalNames   dimension, tag, "name"; text also in binary files
 *     $Entities        which points, curves, surfaces, volumes belong to which physical groups
 *     $Nodes           in blocks: tags, then coordinates
 *     $Elements        in blocks of one entity and one type: tag and nodes
 *
 * Physical groups become the sets of the mesh; a group without a name is called volume_3,
 * surface_3, curve_3, point_3 by its tag. `all` holds all cells of the highest dimension, unless a
 * group has that name. The group of an entity with a negative tag has its cells turned over. Other
 * sections are skipped.
 *
 * No count in the file is believed: it must be covered by bytes that are there, before anything is
 * reserved for it.
 */
#include "meshfile/gmsh.h"

#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "meshfile/gmsh_scan.h"

enum {
    MAX_GROUPS = 10000,
    MAX_GROUPS_OF_ENTITY = 32,
    MAX_NAME = 127,
    MAX_TOKEN = 63,
    SLOTS = 65536
};

typedef struct group { /* a physical group: name from $PhysicalNames, set when it is first used */
    int dimension, tag, set;
    char *name;
} group;

typedef struct entity {
    int dimension, tag;
    int first, count; /* in the list of physical tags */
} entity;

typedef struct scan {
    ts_scan in;
    ts_mesh *mesh;
    group *groups;
    int group_count, group_room;
    int *slots; /* 1 + index of a group, by dimension and tag */
    entity *entities;
    int entity_count, entity_room;
    int *tags;
    int tag_count, tag_room;
    struct numbered {
        uint64_t tag;
        int point;
    } * nodes;  /* by tag, when there are gaps */
    int *dense; /* point of tag - lowest, -1 where there is none; NULL when there are gaps */
    uint64_t lowest, highest;
    bool have_format, have_nodes;
} scan;

/* ---- sections ---- */

static bool word_at(const scan *s, size_t at, const char *word) {
    size_t n = strlen(word);
    return s->in.length - at >= n && memcmp(s->in.text + at, word, n) == 0;
}

static bool expect_end(scan *s, const char *section) {
    char end[80];
    snprintf(end, sizeof end, "$End%s", section);
    ts_scan_blanks(&s->in);
    if (!word_at(s, s->in.at, end))
        return ts_scan_fail(
            &s->in, s->in.at,
            "a count above does not match the data that follow, or the file is damaged",
            "expected %s here", end);
    s->in.at += strlen(end);
    return true;
}

static bool read_format(scan *s) {
    static const char convert[] = "convert it: gmsh old.msh -save -format msh41 -o new.msh";
    double version = 0;
    int type = 0, size = 0, one = 0;
    ts_scan_blanks(&s->in);
    size_t from = ts_scan_here(&s->in);
    if (!ts_scan_decimal(&s->in, &version) ||
        !ts_scan_int(&s->in, &type, "0 for text, 1 for binary") ||
        !ts_scan_int(&s->in, &size, "the size of size_t"))
        return false;
    if (version < 4.05 || version > 4.15)
        return ts_scan_fail(&s->in, from, convert, "this file has format %g; torsor reads MSH 4.1",
                            version);
    if (type != 0 && type != 1)
        return ts_scan_fail(&s->in, from, NULL,
                            "expected 0 (text) or 1 (binary) after the version");
    if (size != 4 && size != 8)
        return ts_scan_fail(&s->in, from, NULL, "expected 4 or 8, the size of size_t, got %d",
                            size);
    s->in.word = (size_t)size;
    s->have_format = true;
    if (type == 1) {
        while (s->in.at < s->in.length && s->in.text[s->in.at] != '\n') s->in.at++;
        s->in.at += s->in.at < s->in.length;
        s->in.binary = true;
        from = s->in.at;
        if (!ts_scan_int(&s->in, &one, "the number 1 that shows the order of bytes")) return false;
        s->in.swapped = one != 1;
        if (one != 1 && one != 0x01000000)
            return ts_scan_fail(&s->in, from, NULL, "expected the number 1 in four bytes, got %d",
                                one);
    }
    return expect_end(s, "MeshFormat");
}

/* ---- physical groups ---- */

/* The slot of the group, or the empty one where it belongs: groups are never more than a third of
 * the slots. */
static int *group_slot(scan *s, int dimension, int tag) {
    if (!s->slots) s->slots = ts_calloc(SLOTS, sizeof *s->slots);
    uint32_t at = ((uint32_t)tag * 4 + (uint32_t)dimension) * 2654435761u >> 16;
    for (;; at = (at + 1) % SLOTS) {
        const group *g = s->slots[at] ? &s->groups[s->slots[at] - 1] : NULL;
        if (!g || (g->dimension == dimension && g->tag == tag)) return &s->slots[at];
    }
}

static group *add_group(scan *s, int dimension, int tag) {
    int *slot = group_slot(s, dimension, tag);
    ts_grow(s->groups, s->group_room, s->group_count + 1);
    s->groups[s->group_count] = (group){.dimension = dimension, .tag = tag, .set = -1};
    if (!*slot)
        *slot = s->group_count + 1; /* of a group that is named twice the first name counts */
    return &s->groups[s->group_count++];
}

static group *find_group(scan *s, int dimension, int tag) {
    int slot = *group_slot(s, dimension, tag);
    return slot ? &s->groups[slot - 1] : NULL;
}

static bool read_name(scan *s, char **out) {
    ts_scan_blanks(&s->in);
    size_t from = s->in.at + 1, to = from;
    if (s->in.at >= s->in.length || s->in.text[s->in.at] != '"')
        return ts_scan_fail(&s->in, s->in.at, NULL,
                            "expected the name of a physical group in quotes");
    while (to < s->in.length && s->in.text[to] != '"' && s->in.text[to] != '\n' &&
           to - from <= MAX_NAME)
        to++;
    if (to >= s->in.length || s->in.text[to] != '"')
        return ts_scan_fail(&s->in, s->in.at, NULL,
                            "expected a name of at most %d bytes, ending with a quote", MAX_NAME);
    *out = ts_calloc(to - from + 1, 1);
    memcpy(*out, s->in.text + from, to - from);
    for (char *c = *out; *c; c++)
        if ((unsigned char)*c < 0x20) *c = '?';
    s->in.at = to + 1;
    return true;
}

static bool check_dimension(scan *s, size_t at, int dimension) {
    return (dimension >= 0 && dimension <= 3) ||
           ts_scan_fail(&s->in, at, NULL, "expected a dimension from 0 to 3, got %d", dimension);
}

static bool read_names(scan *s) {
    bool binary = s->in.binary;
    uint64_t count = 0;
    s->in.binary = false; /* this section is always text */
    bool fine = ts_scan_size(&s->in, &count, "number of physical names") &&
                ts_scan_covered(&s->in, count, 6, "physical names");
    if (fine && count > MAX_GROUPS)
        fine = ts_scan_fail(&s->in, s->in.at, NULL, "more than %d physical groups", MAX_GROUPS);
    for (uint64_t i = 0; i < count && fine; i++) {
        int dimension = 0, tag = 0;
        ts_scan_blanks(&s->in);
        size_t at = s->in.at;
        fine = ts_scan_int(&s->in, &dimension, "dimension of a physical group") &&
               check_dimension(s, at, dimension) &&
               ts_scan_int(&s->in, &tag, "tag of a physical group");
        if (fine) fine = read_name(s, &add_group(s, dimension, tag)->name);
    }
    fine = fine && expect_end(s, "PhysicalNames");
    s->in.binary = binary;
    return fine;
}

/* The set of a group, made when the first cell falls into it. */
static int set_of(scan *s, int dimension, int tag) {
    static const char *const kind[] = {"point", "curve", "surface", "volume"};
    group *g = find_group(s, dimension, tag);
    if (!g && s->group_count >= 2 * MAX_GROUPS) return -1;
    if (!g) g = add_group(s, dimension, tag);
    char name[60];
    snprintf(name, sizeof name, "%s_%d", kind[dimension], tag);
    if (g->set < 0)
        g->set = ts_mesh_set_named(s->mesh, g->name && *g->name ? g->name : name, dimension);
    return g->set;
}

/* ---- entities ---- */

static bool read_tags(scan *s, entity *e) {
    uint64_t count = 0;
    size_t from = ts_scan_here(&s->in);
    if (!ts_scan_size(&s->in, &count, "number of physical tags") ||
        !ts_scan_covered(&s->in, count, ts_scan_least(&s->in, 1, 0, 0), "physical tags"))
        return false;
    if (count > MAX_GROUPS_OF_ENTITY)
        return ts_scan_fail(&s->in, from, NULL, "an entity belongs to more than %d physical groups",
                            MAX_GROUPS_OF_ENTITY);
    e->first = s->tag_count, e->count = (int)count;
    ts_grow(s->tags, s->tag_room, s->tag_count + e->count);
    for (int i = 0; i < e->count; i++) {
        int tag = 0;
        if (!ts_scan_int(&s->in, &tag, "a physical tag")) return false;
        if (tag == INT_MIN)
            return ts_scan_fail(&s->in, s->in.at, NULL, "a physical tag is out of range");
        s->tags[s->tag_count++] = tag;
    }
    return true;
}

static bool skip_boundary(scan *s) {
    uint64_t count = 0;
    int ignored = 0;
    if (!ts_scan_size(&s->in, &count, "number of bounding entities") ||
        !ts_scan_covered(&s->in, count, ts_scan_least(&s->in, 1, 0, 0), "bounding entities"))
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!ts_scan_int(&s->in, &ignored, "tag of a bounding entity")) return false;
    return true;
}

static bool read_entity(scan *s, int dimension) {
    entity e = {.dimension = dimension};
    double ignored;
    if (!ts_scan_int(&s->in, &e.tag, "tag of an entity")) return false;
    for (int i = 0; i < (dimension ? 6 : 3); i++)
        if (!ts_scan_double(&s->in, &ignored)) return false;
    if (!read_tags(s, &e) || (dimension && !skip_boundary(s))) return false;
    if (e.count == 0) return true;
    ts_grow(s->entities, s->entity_room, s->entity_count + 1);
    s->entities[s->entity_count++] = e;
    return true;
}

static int by_entity(const void *a, const void *b) {
    const entity *e = a, *f = b;
    if (e->dimension != f->dimension) return e->dimension < f->dimension ? -1 : 1;
    return (e->tag > f->tag) - (e->tag < f->tag);
}

static bool read_entities(scan *s) {
    uint64_t count[4] = {0};
    for (int d = 0; d < 4; d++)
        if (!ts_scan_size(&s->in, &count[d], "number of entities")) return false;
    for (int d = 0; d < 4; d++) {
        if (!ts_scan_covered(&s->in, count[d],
                             d ? ts_scan_least(&s->in, 1, 2, 6) : ts_scan_least(&s->in, 1, 1, 3),
                             "entities"))
            return false;
        for (uint64_t i = 0; i < count[d]; i++)
            if (!read_entity(s, d)) return false;
    }
    if (s->entity_count)
        qsort(s->entities, (size_t)s->entity_count, sizeof *s->entities, by_entity);
    return expect_end(s, "Entities");
}

/* ---- nodes ---- */

static bool read_node_block(scan *s, int *room) {
    int dimension = 0, tag = 0, parametric = 0;
    uint64_t count = 0;
    double x[3], ignored;
    size_t from = ts_scan_here(&s->in);
    if (!ts_scan_int(&s->in, &dimension, "dimension of an entity") ||
        !ts_scan_int(&s->in, &tag, "tag of an entity") ||
        !ts_scan_int(&s->in, &parametric, "0 or 1, parametric") ||
        !ts_scan_size(&s->in, &count, "number of nodes") || !check_dimension(s, from, dimension) ||
        !ts_scan_covered(&s->in, count, ts_scan_least(&s->in, 0, 1, 3), "nodes"))
        return false;
    int first = s->mesh->points, parameters = parametric ? dimension : 0;
    if (count > (uint64_t)(INT_MAX - 1 - first))
        return ts_scan_fail(&s->in, from, NULL, "too many nodes");
    ts_grow(s->nodes, *room, first + (int)count);
    for (int i = 0; i < (int)count; i++) {
        if (!ts_scan_size(&s->in, &s->nodes[first + i].tag, "tag of a node")) return false;
        s->nodes[first + i].point = first + i;
    }
    for (uint64_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            if (!ts_scan_double(&s->in, &x[k])) return false;
        for (int k = 0; k < parameters; k++)
            if (!ts_scan_double(&s->in, &ignored)) return false;
        ts_mesh_point(s->mesh, v3_load(x));
    }
    return true;
}

static int by_tag(const void *a, const void *b) {
    const struct numbered *p = a, *q = b;
    if (p->tag != q->tag) return p->tag < q->tag ? -1 : 1;
    return (p->point > q->point) - (p->point < q->point);
}

/* Tags without many gaps get a table; others are sorted and searched. */
static bool index_nodes(scan *s) {
    int count = s->mesh->points;
    s->lowest = UINT64_MAX, s->highest = 0;
    for (int i = 0; i < count; i++) {
        if (s->nodes[i].tag < s->lowest) s->lowest = s->nodes[i].tag;
        if (s->nodes[i].tag > s->highest) s->highest = s->nodes[i].tag;
    }
    if (count == 0) return true;
    uint64_t span = s->highest - s->lowest, twice = 0;
    bool twin = false;
    if (span < 4 * (uint64_t)count + 1000) {
        s->dense = ts_calloc((size_t)span + 1, sizeof *s->dense);
        for (uint64_t i = 0; i <= span; i++) s->dense[i] = -1;
        for (int i = 0; i < count && !twin; i++) {
            int *at = &s->dense[s->nodes[i].tag - s->lowest];
            if (*at >= 0) twin = true, twice = s->nodes[i].tag;
            *at = i;
        }
    } else {
        qsort(s->nodes, (size_t)count, sizeof *s->nodes, by_tag);
        for (int i = 1; i < count && !twin; i++)
            if (s->nodes[i].tag == s->nodes[i - 1].tag) twin = true, twice = s->nodes[i].tag;
    }
    return !twin ||
           ts_scan_fail(&s->in, s->in.at, NULL, "the node %" PRIu64 " is there twice", twice);
}

static bool read_nodes(scan *s) {
    uint64_t head[4] = {0};
    int room = 0;
    size_t from = ts_scan_here(&s->in);
    if (s->have_nodes) return ts_scan_fail(&s->in, from, NULL, "a second section $Nodes");
    for (int i = 0; i < 4; i++)
        if (!ts_scan_size(&s->in, &head[i], "blocks, nodes, lowest and highest tag")) return false;
    if (!ts_scan_covered(&s->in, head[0], ts_scan_least(&s->in, 3, 1, 0), "blocks of nodes"))
        return false;
    if (ts_scan_covered(&s->in, head[1], ts_scan_least(&s->in, 0, 1, 3), "nodes") == false)
        return false;
    for (uint64_t i = 0; i < head[0]; i++)
        if (!read_node_block(s, &room)) return false;
    if ((uint64_t)s->mesh->points != head[1])
        return ts_scan_fail(&s->in, from, "the file is damaged",
                            "the file announces %" PRIu64 " nodes, its blocks have %d", head[1],
                            s->mesh->points);
    s->have_nodes = true;
    return index_nodes(s) && expect_end(s, "Nodes");
}

static int find_node(const scan *s, uint64_t tag) {
    if (s->mesh->points == 0 || tag < s->lowest || tag > s->highest) return -1;
    if (s->dense) return s->dense[tag - s->lowest];
    struct numbered key = {tag, 0};
    int low = 0, high = s->mesh->points - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (s->nodes[middle].tag < key.tag)
            low = middle + 1;
        else
            high = middle;
    }
    return s->nodes[low].tag == tag ? s->nodes[low].point : -1;
}

/* ---- elements ---- */

/* Types by Gmsh's numbers; where the order of nodes differs, node k of ours is theirs[k] of
 * Gmsh. */
typedef struct translation {
    ts_cell_type type;
    bool known;
    const signed char *theirs;
} translation;

/* clang-format off */
static const signed char TET10[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
static const signed char HEX27[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15, 22, 23, 21, 24, 20, 25, 26};
static const signed char WEDGE18[] = {0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11, 15, 17, 16};
static const signed char PYRAMID14[] = {0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12, 13};
static const translation TRANSLATION[] = {
    [1] = {TS_CELL_LINE2, true, NULL},     [2] = {TS_CELL_TRI3, true, NULL},
    [3] = {TS_CELL_QUAD4, true, NULL},     [4] = {TS_CELL_TET4, true, NULL},
    [5] = {TS_CELL_HEX8, true, NULL},      [6] = {TS_CELL_WEDGE6, true, NULL},
    [7] = {TS_CELL_PYRAMID5, true, NULL},  [8] = {TS_CELL_LINE3, true, NULL},
    [9] = {TS_CELL_TRI6, true, NULL},      [10] = {TS_CELL_QUAD9, true, NULL},
    [11] = {TS_CELL_TET10, true, TET10},   [12] = {TS_CELL_HEX27, true, HEX27},
    [13] = {TS_CELL_WEDGE18, true, WEDGE18}, [14] = {TS_CELL_PYRAMID14, true, PYRAMID14},
    [15] = {TS_CELL_POINT1, true, NULL},   [16] = {TS_CELL_QUAD8, true, NULL},
    [17] = {TS_CELL_HEX20, true, HEX27},   [18] = {TS_CELL_WEDGE15, true, WEDGE18},
    [19] = {TS_CELL_PYRAMID13, true, PYRAMID14}};
/* clang-format on */

static bool find_type(scan *s, size_t at, int number, const translation **out) {
    *out = NULL;
    if (number >= 1 && number < (int)(sizeof TRANSLATION / sizeof *TRANSLATION))
        *out = &TRANSLATION[number];
    return (*out && (*out)->known) ||
           ts_scan_fail(&s->in, at, "mesh with elements of order 1 or 2: Mesh.ElementOrder = 2",
                        "elements of Gmsh's type %d are not supported", number);
}

static bool read_element(scan *s, const translation *t, int nodes) {
    int theirs[TS_CELL_NODES], ours[TS_CELL_NODES];
    uint64_t tag = 0, node = 0;
    if (!ts_scan_size(&s->in, &tag, "tag of an element")) return false;
    for (int k = 0; k < nodes; k++) {
        size_t from = ts_scan_here(&s->in);
        if (!ts_scan_size(&s->in, &node, "node of an element")) return false;
        theirs[k] = find_node(s, node);
        if (theirs[k] < 0)
            return ts_scan_fail(&s->in, from, NULL,
                                "the element %" PRIu64 " has a node %" PRIu64 " that is not there",
                                tag, node);
    }
    for (int k = 0; k < nodes; k++) ours[k] = theirs[t->theirs ? t->theirs[k] : k];
    int cell = ts_mesh_cell(s->mesh, t->type, ours);
    s->mesh->cell[cell].tag = tag <= LONG_MAX ? (long)tag : 0;
    return true;
}

/* Into the sets of its entity go the cells from `first` on. */
static bool into_sets(scan *s, size_t at, const entity *e, int first) {
    bool up = false, down = false;
    for (int i = 0; i < e->count; i++) {
        int tag = s->tags[e->first + i], set = set_of(s, e->dimension, abs(tag));
        if (set < 0)
            return ts_scan_fail(&s->in, at, NULL, "more than %d physical groups", 2 * MAX_GROUPS);
        for (int c = first; c < s->mesh->cells; c++) ts_mesh_into_set(s->mesh, set, c);
        up |= tag >= 0, down |= tag < 0;
    }
    if (up && down)
        return ts_scan_fail(&s->in, at, "make the signs of its tags equal",
                            "entity %d is in one physical group as drawn and in another reversed",
                            e->tag);
    for (int c = first; c < s->mesh->cells && down; c++) ts_mesh_reverse(s->mesh, c);
    return true;
}

static bool read_element_block(scan *s) {
    entity key = {0};
    int type = 0;
    uint64_t count = 0;
    const translation *t;
    size_t from = ts_scan_here(&s->in);
    if (!ts_scan_int(&s->in, &key.dimension, "dimension of an entity") ||
        !ts_scan_int(&s->in, &key.tag, "tag of an entity") ||
        !ts_scan_int(&s->in, &type, "type of elements") ||
        !ts_scan_size(&s->in, &count, "number of elements") ||
        !check_dimension(s, from, key.dimension) || !find_type(s, from, type, &t))
        return false;
    const ts_cell_info *about = ts_cell_about(t->type);
    if (about->dimension != key.dimension)
        return ts_scan_fail(&s->in, from, NULL, "elements of type %s in an entity of dimension %d",
                            about->name, key.dimension);
    if (!ts_scan_covered(&s->in, count, ts_scan_least(&s->in, 0, 1 + (size_t)about->nodes, 0),
                         "elements"))
        return false;
    if (count * (uint64_t)about->nodes > (uint64_t)(INT_MAX - s->mesh->nodes))
        return ts_scan_fail(&s->in, from, NULL, "too many elements");
    int first = s->mesh->cells;
    for (uint64_t i = 0; i < count; i++)
        if (!read_element(s, t, about->nodes)) return false;
    const entity *e = s->entity_count && count ? bsearch(&key, s->entities, (size_t)s->entity_count,
                                                         sizeof *s->entities, by_entity)
                                               : NULL;
    return !e || into_sets(s, from, e, first);
}

static bool read_elements(scan *s) {
    uint64_t head[4] = {0};
    size_t from = ts_scan_here(&s->in);
    if (!s->have_nodes)
        return ts_scan_fail(&s->in, from, NULL, "the section $Nodes must come before $Elements");
    for (int i = 0; i < 4; i++)
        if (!ts_scan_size(&s->in, &head[i], "blocks, elements, lowest and highest tag"))
            return false;
    if (!ts_scan_covered(&s->in, head[0], ts_scan_least(&s->in, 3, 1, 0), "blocks of elements"))
        return false;
    int before = s->mesh->cells;
    for (uint64_t i = 0; i < head[0]; i++)
        if (!read_element_block(s)) return false;
    if ((uint64_t)(s->mesh->cells - before) != head[1])
        return ts_scan_fail(&s->in, from, "the file is damaged",
                            "the file announces %" PRIu64 " elements, its blocks have %d", head[1],
                            s->mesh->cells - before);
    return expect_end(s, "Elements");
}

/* ---- the file ---- */

static bool refuse_partitions(scan *s) {
    return ts_scan_fail(&s->in, s->in.at, "open it in Gmsh, Mesh > Unpartition, and save it again",
                        "the mesh is partitioned; torsor needs it in one piece");
}

static bool skip_section(scan *s, const char *name) {
    char end[80];
    snprintf(end, sizeof end, "$End%s", name);
    size_t n = strlen(end), from = s->in.at;
    while (ts_scan_left(&s->in) >= n) {
        const char *found = memchr(s->in.text + s->in.at, '$', ts_scan_left(&s->in) - n + 1);
        if (!found) break;
        s->in.at = (size_t)(found - s->in.text);
        if (memcmp(found, end, n) == 0) {
            s->in.at += n;
            return true;
        }
        s->in.at++;
    }
    return ts_scan_fail(&s->in, from, "the file is cut short, or damaged",
                        "the section $%s has no end", name);
}

static bool read_heading(scan *s, char *name, size_t size) {
    size_t from = s->in.at + 1, to = from;
    if (s->in.text[s->in.at] != '$')
        return ts_scan_fail(&s->in, s->in.at,
                            s->have_format ? NULL : "is this a .msh file of Gmsh?",
                            "expected a section: $%s", s->have_format ? "..." : "MeshFormat");
    while (to < s->in.length && !ts_scan_blank(s->in.text[to])) to++;
    if (to - from >= size || to == from)
        return ts_scan_fail(&s->in, s->in.at, NULL, "expected the name of a section after $");
    memcpy(name, s->in.text + from, to - from);
    name[to - from] = 0;
    s->in.at = to;
    if (s->in.at < s->in.length && s->in.text[s->in.at] == '\r') s->in.at++;
    /* not one byte more: it may be binary */
    if (s->in.at < s->in.length && s->in.text[s->in.at] == '\n') s->in.at++;
    return true;
}

static bool read_section(scan *s) {
    static const struct {
        const char *name;
        bool (*read)(scan *);
    } known[] = {{"MeshFormat", read_format}, {"PhysicalNames", read_names},
                 {"Entities", read_entities}, {"PartitionedEntities", refuse_partitions},
                 {"Nodes", read_nodes},       {"Elements", read_elements}};
    char name[64];
    size_t from = s->in.at;
    if (!read_heading(s, name, sizeof name)) return false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) {
            if (i > 0 && !s->have_format)
                return ts_scan_fail(&s->in, from, NULL, "the file must begin with $MeshFormat");
            return known[i].read(s);
        }
    return skip_section(s, name);
}

static bool add_set_of_all(scan *s) {
    int dimension = ts_mesh_dimension(s->mesh);
    if (s->mesh->cells == 0)
        return ts_scan_fail(
            &s->in, s->in.length,
            "mesh the geometry before saving; where there are physical groups, only "
            "their elements are saved",
            "the file has no elements");
    for (int i = 0; i < s->mesh->sets; i++)
        if (strcmp(s->mesh->set[i].name, "all") == 0) return true;
    int all = ts_mesh_set_named(s->mesh, "all", dimension);
    for (int c = 0; c < s->mesh->cells; c++)
        if (ts_cell_about(s->mesh->cell[c].type)->dimension == dimension)
            ts_mesh_into_set(s->mesh, all, c);
    return true;
}

static bool read_all(scan *s) {
    for (ts_scan_blanks(&s->in); s->in.at < s->in.length; ts_scan_blanks(&s->in))
        if (!read_section(s)) return false;
    if (!s->have_format)
        return ts_scan_fail(&s->in, 0, "is this a mesh of Gmsh, saved as .msh?",
                            "expected $MeshFormat");
    return add_set_of_all(s);
}

int ts_gmsh_parse(ts_mesh **out, const char *text, size_t length, ts_gmsh_problem *problem) {
    ts_gmsh_problem unread;
    scan s = {.in = {.text = text, .length = length, .word = 8}, .mesh = ts_mesh_new()};
    s.in.problem = problem ? problem : &unread;
    *s.in.problem = (ts_gmsh_problem){0};
    bool fine = length <= INT_MAX || ts_scan_fail(&s.in, 0, NULL, "the file is larger than 2 GiB");
    fine = fine && read_all(&s);
    if (fine) ts_mesh_finish(s.mesh);
    for (int i = 0; i < s.group_count; i++) free(s.groups[i].name);
    free(s.groups), free(s.slots), free(s.entities), free(s.tags), free(s.nodes), free(s.dense);
    if (!fine) ts_mesh_free(s.mesh), s.mesh = NULL;
    *out = s.mesh;
    return fine ? 0 : ts_fail(TORSOR_EINVAL, "%s", s.in.problem->message);
}
