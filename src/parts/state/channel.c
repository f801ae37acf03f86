/* Channels of the model that forces may depend on, by name: as in the tables of results.
 *
 *     JOINT.COORDINATE              hinge.angle, slider.displacement, plane.x
 *     NODE.position.x, .velocity.x, .displacement.x      arm.position.z, boom.end.velocity.y
 *     SPRING.length                 the distance between its ends
 *     STATE.value                   a plain number
 *     CYLINDER.pressure_a           a pressure
 *     MOTOR.current                 a plain number, in amperes
 *     and the rate of each:         hinge.angle.rate, strut.length.rate
 *
 * A name is that of a part, then words. Dimensions follow from the words alone, so that signals can
 * be read before any part is built.
 */
#include <stdio.h>
#include <string.h>

#include "model/node_names.h"
#include "parts/parts.h"
#include "parts/state/state.h"

enum { MAX_WORDS = 4, ROOM = 64 };

/* Words behind the name of the part, without a last `rate`. */
typedef struct words {
    int count;
    char word[MAX_WORDS][ROOM];
    bool rate;
} words;

static bool split(const char *text, words *out) {
    *out = (words){0};
    while (*text) {
        size_t length = strcspn(text, ".");
        if (length == 0 || length >= ROOM || out->count == MAX_WORDS) return false;
        memcpy(out->word[out->count++], text, length);
        text += length + (text[length] == '.');
    }
    out->rate = out->count > 1 && strcmp(out->word[out->count - 1], "rate") == 0;
    out->count -= out->rate;
    return out->count > 0;
}

static int axis_of(const char *word) {
    for (int k = 0; k < 3; k++)
        if (word[0] == "xyz"[k] && word[1] == 0) return k;
    return -1;
}

/* Words that end with a component of a place: [node.]position.x */
static const char *vector_of(const words *w) {
    static const char *const names[] = {"position", "displacement", "velocity"};
    if (w->count < 2 || w->count > 3 || axis_of(w->word[w->count - 1]) < 0) return NULL;
    for (int i = 0; i < 3; i++)
        if (strcmp(w->word[w->count - 2], names[i]) == 0) return names[i];
    return NULL;
}

bool ts_channel_dimension(const char *text, ts_dim *dim) {
    words w;
    if (!split(text, &w)) return false;
    const char *vector = vector_of(&w);
    bool velocity = vector && vector[0] == 'v', angle = strncmp(w.word[0], "angle", 5) == 0;
    bool plain = strcmp(w.word[0], "value") == 0 || strcmp(w.word[0], "current") == 0;
    bool pressure = w.count == 1 && strncmp(w.word[0], "pressure", 8) == 0;
    bool length = strcmp(w.word[0], "length") == 0 || strcmp(w.word[0], "displacement") == 0 ||
                  axis_of(w.word[0]) >= 0;
    if (!vector && (w.count > 1 || (!angle && !length && !plain && !pressure))) return false;
    if (velocity && w.rate) return false;
    *dim = (ts_dim){.length = (signed char)(vector || length),
                    .angle = (signed char)(!vector && angle)};
    if (pressure) *dim = (ts_dim)TS_DIM_STRESS;
    dim->time = (signed char)(dim->time - (velocity || w.rate));
    return true;
}

static bool find_vector(const ts_model *model, int part, const words *w, const char *vector,
                        ts_channel_use *out) {
    int node = ts_part_node(model, part, w->count == 3 ? w->word[0] : "");
    int axis = axis_of(w->word[w->count - 1]);
    if (node < 0) return false;
    *out = (ts_channel_use){.measure = {.of = TS_OF_POINT, .source = node, .axis = axis},
                            .rate = w->rate || vector[0] == 'v'};
    if (vector[0] == 'd') out->offset = -v3_get(model->nodes[node].x, axis);
    return true;
}

/* The ground has no kind. */
bool ts_kind_has_length(const ts_kind *kind) { return kind && kind->has_length; }

bool ts_channel_find(const ts_model *model, int part, const char *text, ts_channel_use *out) {
    const ts_part *p = &model->parts[part];
    words w;
    if (!split(text, &w)) return false;
    const char *vector = vector_of(&w);
    if (vector) return find_vector(model, part, &w, vector, out);
    *out = (ts_channel_use){.rate = w.rate};
    if (w.count == 1 && ts_kind_has_length(p->kind) && strcmp(w.word[0], "length") == 0) {
        out->measure = (ts_measure){.of = TS_OF_ENDS, .source = part};
        return true;
    }
    for (int c = p->coordinate; w.count == 1 && c < p->coordinate + p->coordinates; c++)
        if (strcmp(model->coordinates[c].name, w.word[0]) == 0) {
            out->measure = (ts_measure){.of = TS_OF_COORDINATE, .source = c};
            return true;
        }
    return false;
}

void ts_channel_list(const ts_model *model, int part, char *text, size_t size) {
    const ts_part *p = &model->parts[part];
    size_t used = 0;
    text[0] = 0;
    for (int c = p->coordinate; c < p->coordinate + p->coordinates && used < size; c++) {
        const char *name = model->coordinates[c].name;
        used += (size_t)snprintf(text + used, size - used, "%s%s, %s.rate", used ? ", " : "", name,
                                 name);
    }
    if (ts_kind_has_length(p->kind)) snprintf(text, size, "length, length.rate");
    if (ts_part_node(model, part, "") > 0)
        snprintf(text, size, "position.x, displacement.x, velocity.x (y, z)");
    else if (ts_part_node(model, part, "1") > 0)
        snprintf(text, size, "1.position.x, 1.displacement.x, 1.velocity.x ... of its nodes");
}
