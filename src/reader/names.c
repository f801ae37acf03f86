/* SPDX-License-Identifier: Apache-2.0 */
/* Words and their numbers: a small hash table (FNV-1a, open addressing), and hints about the
 * nearest word. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "reader/reader.h"

static uint64_t hash(const char *text, size_t length) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return h ^ (h >> 32);
}

static bool same(const char *name, const char *text, size_t length) {
    return strncmp(name, text, length) == 0 && name[length] == 0;
}

/* The slot of the word, or the empty one where it belongs. */
static int slot_of(const ts_names *n, const char *text, size_t length) {
    int at = (int)(hash(text, length) % (uint64_t)n->slots);
    while (n->slot[at] >= 0 && !same(n->name[n->slot[at]], text, length)) at = (at + 1) % n->slots;
    return at;
}

int ts_names_find(const ts_names *n, const char *text, size_t length) {
    return n->slots ? n->slot[slot_of(n, text, length)] : -1;
}

static void widen(ts_names *n) {
    ts_grow(n->name, n->room, n->count + 1);
    ts_grow(n->slot, n->slots, 2 * (int64_t)n->room);
    for (int i = 0; i < n->slots; i++) n->slot[i] = -1;
    for (int i = 0; i < n->count; i++) n->slot[slot_of(n, n->name[i], strlen(n->name[i]))] = i;
}

int ts_names_add(ts_names *n, const char *text) {
    if (n->count == n->room) widen(n);
    n->name[n->count] = text;
    n->slot[slot_of(n, text, strlen(text))] = n->count;
    return n->count++;
}

void ts_names_free(ts_names *n) {
    free(n->name), free(n->slot);
    *n = (ts_names){0};
}

const char *ts_names_nearest(const ts_names *n, const char *text, size_t length) {
    const char *nearest = NULL;
    int best = INT_MAX;
    for (int i = 0; i < n->count; i++)
        if (ts_word_closer(text, length, n->name[i], &best)) nearest = n->name[i];
    return nearest;
}

/* ---- names that were told of ---- */

/* The name as it is kept: a letter for its space goes before it. */
static char *name_in(ts_name_space space, const char *text, size_t length) {
    char *name = ts_calloc(length + 2, 1);
    name[0] = (char)('a' + (int)space);
    memcpy(name + 1, text, length);
    return name;
}

void ts_blamed_add(ts_blamed *told, const ts_source *source, ts_name_space space, const char *text,
                   size_t length, bool elsewhere) {
    char *name = name_in(space, text, length);
    if (ts_names_find(&told->names, name, length + 1) >= 0) {
        free(name);
        return;
    }
    int at = ts_names_add(&told->names, name);
    ts_grow(told->diagnostic, told->room, at + 1);
    told->diagnostic[at] =
        elsewhere || ts_report_full(source) ? -1 : source->diagnostics->count - 1;
}

bool ts_blamed_before(ts_blamed *told, const ts_source *source, ts_name_space space,
                      const char *text, size_t length, size_t place) {
    char *name = name_in(space, text, length);
    int at = ts_names_find(&told->names, name, length + 1);
    free(name);
    if (at >= 0 && told->diagnostic[at] >= 0) ts_report_also(source, told->diagnostic[at], place);
    return at >= 0 || told->lost;
}

void ts_blamed_free(ts_blamed *told) {
    for (int i = 0; i < told->names.count; i++) free((char *)told->names.name[i]);
    ts_names_free(&told->names);
    free(told->diagnostic);
    *told = (ts_blamed){0};
}

/* ---- hints ---- */

static void list_words(char *buffer, size_t size, const char *const *words) {
    size_t used = (size_t)snprintf(buffer, size, "expected one of");
    for (int i = 0; words[i] && used < size; i++)
        used += (size_t)snprintf(buffer + used, size - used, "%s %s", i ? "," : "", words[i]);
    if (used >= size || !words[0]) *buffer = 0; /* too long a list, or none */
}

/* Words of other programs and books for ours. */
static const char *const SYNONYMS[][2] = {
    {"hinge", "revolute"},
    {"pin", "revolute"},
    {"bearing", "revolute"},
    {"pivot", "revolute"},
    {"rotational", "revolute"},
    {"rotary", "revolute"},
    {"revolute hinge", "revolute"},
    {"axial rotation", "revolute"},
    {"drive hinge", "revolute"},
    {"ChLinkLockRevolute", "revolute"},
    {"slider", "prismatic"},
    {"translational", "prismatic"},
    {"slide", "prismatic"},
    {"ball", "spherical"},
    {"socket", "spherical"},
    {"spherical hinge", "spherical"},
    {"inline", "point_on_line"},
    {"in_line", "point_on_line"},
    {"in line", "point_on_line"},
    {"point_on_curve", "sliding"},
    {"inplane", "point_on_plane"},
    {"in_plane", "point_on_plane"},
    {"in plane", "point_on_plane"},
    {"parallel_axes", "primitive_angular"},
    {"perpendicular", "primitive_angular"},
    {"orientation", "primitive_angular"},
    {"total joint", "primitive_linear"},
    {"total_joint", "primitive_linear"},
    {"coupler", "gear"},
    {"rack", "gear"},
    {"constant_velocity", "universal"},
    {"spring_damper", "spring"},
    {"springdamper", "spring"},
    {"damper", "spring"},
    {"dashpot", "spring"},
    {"tsda", "spring"},
    {"rsda", "torsion_spring"},
    {"rotational_spring", "torsion_spring"},
    {"torsional_spring", "torsion_spring"},
    {"field", "bushing"},
    {"deformable joint", "bushing"},
    {"sforce", "force"},
    {"vforce", "force"},
    {"gforce", "force"},
    {"fixed", "rigid"},
    {"weld", "rigid"},
    {"clamp", "rigid"},
    {"lock", "rigid"},
    {"cardan", "universal"},
    {"hooke", "universal"},
    {"rod", "distance"},
    {"link", "distance"},
    {"bar", "distance"},
    {"rod", "rigid"},
    {"link", "rigid"},
    {"bar", "rigid"},
    {"box", "rigid"},
    {"particle", "point"},
    {"point_mass", "point"},
    {"helical", "screw"},
    {"actuator", "motor"},
    {"weight", "mass"},
    {"com", "centre"},
    {"cog", "centre"},
    {"center", "centre"},
    {"location", "position"},
    {"origin", "position"},
    {"pos", "position"},
    {"rotation", "orientation"},
    {"attitude", "orientation"},
    {"x_axis", "orientation"},
    {"direction", "orientation"},
    {"orientation", "axes"},
    {"rotation", "axes"},
    {"position", "at"},
    {"omega", "angular_velocity"},
    {"spin", "angular_velocity"},
    {"vel", "velocity"},
    {"k", "stiffness"},
    {"c", "damping"},
    {"rest_length", "free_length"},
    {"natural_length", "free_length"},
    {"unstretched_length", "free_length"},
    {"rest_angle", "free_angle"},
    {"natural_angle", "free_angle"},
    {"neutral_angle", "free_angle"},
    {"axis", "shape_axis"},
    {"radius", "size"},
    {"diameter", "size"},
    {"height", "size"},
    {"width", "size"},
    {"dimensions", "size"},
    {"length", "size"},
    {"from", "bodies"},
    {"to", "bodies"},
    {"at", "from"},
    {"to_at", "to"},
    {"bodies", "joint"},
    {"body", "bodies"},
    {"body", "on"},
    {"value", "moment"},
    {"value", "force"},
    {"torque", "moment"},
    {"speed", "velocity"},
    {"speed", "rate"},
    {"rate", "speed"},
    {"young", "E"},
    {"youngs_modulus", "E"},
    {"elastic_modulus", "E"},
    {"poisson", "nu"},
    {"poisson_ratio", "nu"},
    {"rho", "density"},
    {"dt", "step"},
    {"time_step", "step"},
    {"timestep", "step"},
    {"step_size", "step"},
    {"stepsize", "step"},
    {"duration", "end"},
    {"t_end", "end"},
    {"stop_time", "end"},
    {"end_time", "end"},
    {"final_time", "end"},
    {"integrator", "scheme"},
    {"solver", "scheme"},
    {"n_elements", "elements"},
    {"num_elements", "elements"},
    {"constraints", "joints"},
    {"connections", "joints"},
    {"forces", "loads"},
    {"actuators", "loads"},
    {"links", "bodies"},
    {"rigid_bodies", "bodies"},
    {"params", "parameters"},
    {"variables", "parameters"},
    {"constants", "parameters"},
    {"simulation", "analysis"},
    {"settings", "analysis"},
    {"output", "outputs"},
    {"results", "outputs"},
    {"markers", "points"},
    {"nodes", "points"},
    {"imports", "include"},
    {"includes", "include"},
    {"profiles", "sections"},
    {"functions", "signals"},
    {"controllers", "states"},
};

const char *ts_synonym(const char *text, const char *const *words) {
    for (size_t i = 0; i < sizeof SYNONYMS / sizeof *SYNONYMS; i++)
        if (strcasecmp(SYNONYMS[i][0], text) == 0 && ts_is_among(words, SYNONYMS[i][1]))
            return SYNONYMS[i][1];
    return NULL;
}

/* The word for a synonym that is misspelt, too; short ones are near to anything. */
static const char *near_synonym(const char *text, const char *const *words) {
    enum { LONG = 4 };
    const char *nearest = NULL;
    int best = INT_MAX;
    for (size_t i = 0; i < sizeof SYNONYMS / sizeof *SYNONYMS; i++)
        if (strlen(SYNONYMS[i][0]) >= LONG && ts_is_among(words, SYNONYMS[i][1]) &&
            ts_word_closer(text, strlen(text), SYNONYMS[i][0], &best))
            nearest = SYNONYMS[i][1];
    return nearest;
}

const char *ts_hint_words(char *buffer, size_t size, const char *text, const char *const *words) {
    const char *nearest = ts_synonym(text, words);
    int best = nearest ? INT_MIN : INT_MAX;
    for (int i = 0; words[i]; i++)
        if (ts_word_closer(text, strlen(text), words[i], &best)) nearest = words[i];
    if (!nearest) nearest = near_synonym(text, words);
    if (nearest)
        snprintf(buffer, size, "did you mean '%s'?", nearest);
    else
        list_words(buffer, size, words);
    return buffer;
}
