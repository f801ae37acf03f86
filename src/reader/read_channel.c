/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of the model within expressions: `hinge.angle`, `strut.length.rate`.
 *
 * A channel may belong to a part that is built later. Its dimension follows from its name; that the
 * part exists is known from the beginning, and what it offers as soon as it is built. A channel of
 * a part that is not yet built is looked at again when all are: ts_bind_states.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "parts/state/state.h"
#include "reader/reader.h"

void ts_channels_clear(ts_reader *r) {
    for (int i = 0; i < r->channels; i++) free(r->channel[i]);
    free(r->channel);
    r->channel = NULL, r->channels = 0;
}

static int refuse(ts_expr_error *error, const char *hint) {
    snprintf(error->hint, sizeof error->hint, "%s", hint);
    return 0;
}

static int no_part(ts_reader *r, const char *name, size_t owner, ts_expr_error *error) {
    const char *nearest = ts_nearest_part(r, name, owner);
    char hint[120] = "a channel is the name of a part, a dot and a quantity: hinge.angle";
    if (nearest) snprintf(hint, sizeof hint, "did you mean '%.60s'?", nearest);
    snprintf(error->message, sizeof error->message, "there is no part '%.*s'",
             (int)(owner < 60 ? owner : 60), name);
    return refuse(error, hint);
}

static int no_channel(const ts_reader *r, const ts_entry *entry, const char *words,
                      ts_expr_error *error) {
    char offered[100] = "", hint[140] = "";
    if (entry->state == TS_READY)
        ts_channel_list(r->document->model, entry->part, offered, sizeof offered);
    if (*offered) snprintf(hint, sizeof hint, "it has %s", offered);
    bool late = strcmp(entry->section, "contacts") == 0 || strcmp(entry->section, "events") == 0;
    if (late && entry->state != TS_READY)
        snprintf(hint, sizeof hint, "channels of %s can be used in conditions of events%s only",
                 entry->section, *entry->section == 'e' ? " below them" : "");
    snprintf(error->message, sizeof error->message, "'%.60s' has no channel '%.60s' to depend on",
             entry->key ? entry->key->text : "ground", words);
    return refuse(error, hint);
}

/* The variable of that name, perhaps a new one: from 1. */
static int number_of(ts_reader *r, const char *name) {
    for (int i = 0; i < r->channels; i++)
        if (strcmp(r->channel[i], name) == 0) return i + 1;
    r->channel = ts_realloc(r->channel, (size_t)r->channels + 1, sizeof *r->channel);
    r->channel[r->channels++] = ts_strdup(name);
    return r->channels;
}

/* Signals are defined before any part is built; later only springs and states may be behind the one
 * that reads them. */
static bool may_offer(const ts_entry *entry, const char *words) {
    static const char *const of[][2] = {
        {"springs", "length"}, {"springs", "pressure"}, {"springs", "force"},
        {"springs", "pull"},   {"springs", "torque"},   {"loads", "current"},
        {"loads", "force"},    {"loads", "torque"},     {"motions", "force"},
        {"motions", "torque"}, {"springs", "moment"},   {"motions", "moment"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strcmp(entry->section, of[i][0]) == 0 &&
            strncmp(words, of[i][1], strlen(of[i][1])) == 0)
            return true;
    return strcmp(entry->section, "states") == 0;
}

static bool offers(const ts_reader *r, const ts_entry *entry, const char *words) {
    ts_channel_use use;
    if (entry->state == TS_READY)
        return ts_channel_find(r->document->model, entry->part, words, &use);
    return r->defining || entry->state == TS_FAILED || may_offer(entry, words);
}

/* `hinge.rate` is `hinge.angle.rate`, `hinge.acceleration` that of the angle, and a state by its
 * name alone is its value: the one coordinate of entries that have one. */
static const char *only_coordinate(const ts_entry *entry) {
    static const char *const of[][3] = {{"states", "", "value"},
                                        {"springs", "", "length"},
                                        {"springs", "spring", "length"},
                                        {"joints", "revolute", "angle"},
                                        {"joints", "prismatic", "displacement"}};
    const ts_yaml *map = entry->node && entry->node->type == TS_YAML_MAP ? entry->node : NULL;
    const ts_yaml *type = map ? ts_yaml_get(map, "type") : NULL;
    const char *kind = type && type->type == TS_YAML_SCALAR ? type->text : "";
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strcmp(entry->section, of[i][0]) == 0 &&
            (strcmp(kind, of[i][1]) == 0 || strcmp(of[i][0], "states") == 0))
            return of[i][2];
    return NULL;
}

static void write_out(const ts_entry *entry, size_t owner, char *name, size_t size) {
    const char *words = name + owner + (name[owner] == '.'), *only = only_coordinate(entry);
    char text[200];
    if (!only || (*words && strcmp(words, "rate") != 0 && strcmp(words, "acceleration") != 0))
        return;
    snprintf(text, sizeof text, "%.*s.%s%s%s", (int)owner, name, only, *words ? "." : "", words);
    snprintf(name, size, "%s", text);
}

bool ts_is_state(void *context, const char *name, size_t length) {
    const ts_reader *r = context;
    int at = ts_find_part(r, name, length);
    int signal = ts_names_find(&r->signals, name, length);
    return (at > 0 && strcmp(r->part[at].section, "states") == 0) ||
           (signal >= 0 && ts_is_input(r, signal));
}

/* An input is the channel of its signal. */
static int find_input(ts_reader *r, int at, ts_dim *dim) {
    char name[TS_INPUT_CHANNEL];
    int use = ts_input_within(r, at, dim);
    if (use < 0) return 0;
    ts_input_channel(use, name);
    return number_of(r, name);
}

/* Locks have no entry: an event above has made them. The name gets that of a sub-assembly. */
static bool offered_by_lock(const ts_reader *r, char *name, size_t size, ts_dim *dim) {
    const ts_model *model = r->document->model;
    char *full = ts_full_name(r, name);
    size_t owner = strcspn(full, ".");
    const char *words = full + owner + (full[owner] == '.');
    int part = ts_model_part_named(model, full, owner);
    ts_channel_use use;
    bool found = part > 0 && strlen(full) < size &&
                 strcmp(model->parts[part].kind->section, "locks") == 0 &&
                 ts_channel_dimension(words, dim) && ts_channel_find(model, part, words, &use);
    if (found) snprintf(name, size, "%s", full);
    free(full);
    return found;
}

/* A channel of the point that the value acts on: `here.velocity.x`. */
static int find_here(ts_reader *r, const char *name, ts_dim *dim, ts_expr_error *error) {
    const char *words = name + sizeof "here." - 1;
    if (!r->here) {
        snprintf(error->message, sizeof error->message,
                 "'%.60s': `here` is the point that a load acts on", name);
        return refuse(error, "in other places name the part: BODY.velocity.x");
    }
    if (ts_vector_channel(words, dim)) return number_of(r, name);
    snprintf(error->message, sizeof error->message, "'here' has no channel '%.60s' to depend on",
             words);
    return refuse(error, "it has position.x, displacement.x, velocity.x (y, z), and on bodies and "
                         "beams omega.x, orientation.d1.x");
}

int ts_find_channel(void *context, const char *text, size_t length, ts_dim *dim,
                    ts_expr_error *error) {
    ts_reader *r = context;
    char name[200];
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), text);
    size_t owner = strcspn(name, ".");
    int at = ts_find_part(r, name, owner);
    int input = name[owner] ? -1 : ts_names_find(&r->signals, name, owner);
    if (input >= 0 && ts_is_input(r, input)) return find_input(r, input, dim);
    if (at < 0 && ts_is_here(name)) return find_here(r, name, dim, error);
    if (at < 0 && offered_by_lock(r, name, sizeof name, dim)) return number_of(r, name);
    if (at < 0) {
        r->unknown = text, r->unknown_length = length;
        return no_part(r, name, owner, error);
    }
    const ts_entry *entry = &r->part[at];
    if (entry->state == TS_FAILED || entry->disputed) r->tainted = true;
    if (r->prefix && at > 0) { /* the part has a longer name */
        char rest[200];
        snprintf(rest, sizeof rest, "%s", name + owner);
        owner = strlen(entry->name);
        if (owner + strlen(rest) >= sizeof name) return no_channel(r, entry, "", error);
        snprintf(name, sizeof name, "%.99s%.99s", entry->name, rest);
    }
    if (at > 0) write_out(entry, owner, name, sizeof name);
    const char *words = name + owner + (name[owner] == '.');
    if (at == 0 || !ts_channel_dimension(words, dim) || !offers(r, entry, words))
        return no_channel(r, entry, words, error);
    return number_of(r, name);
}

void ts_bind_states(ts_reader *r) {
    char message[400];
    if (r->source->diagnostics->count > 0) return;
    for (int i = 1; i < r->parts; i++) {
        ts_enter(r, r->part[i].space);
        if (!ts_state_bind(r->document->model, r->part[i].part, message, sizeof message))
            ts_report(r->source, r->part[i].key->start, NULL, "%s", message);
    }
    ts_enter(r, 0);
}
