/* SPDX-License-Identifier: Apache-2.0 */
/* Forces that depend on channels of the model, for kinds of parts: see channel.c and force.c. */
#ifndef TS_STATE_H
#define TS_STATE_H

#include "laws/state/state_law.h"
#include "model/kind.h"

/* What a channel measures, or the target of a force. */
typedef enum ts_measured {
    TS_OF_COORDINATE, /* of a joint */
    TS_OF_POINT,      /* a component of the place of a point of a body */
    TS_OF_ENDS,       /* the distance between both ends of a part */
    TS_OF_DIRECTOR,   /* a component of an axis of a body */
    TS_OF_TURN,       /* rotation of a body about an axis of the ground */
    TS_OF_OWN_TURN,   /* about one of its own axes */
    TS_OF_WAY,        /* of a point of a body, along one of its own axes */
    TS_OF_ROW,        /* no measure: the multiplier of a row */
    TS_OF_CONTACT,    /* no measure: the gap of a contact, or its forces; for events */
    TS_OF_VDOT,       /* no measure: of a node or of a coordinate; for events */
    TS_OF_EVENT,      /* no measure: how often an event has happened, and when last; for events */
    TS_OF_INPUT,      /* no measure: a signal that is set from outside */
    TS_OF_FORCE       /* no measure: what a part does, along its way or an axis of the ground */
} ts_measured;

typedef struct ts_measure {
    ts_measured of;
    int source; /* coordinate, node, part, row, contact or event */
    /* 0, 1, 2; of a contact: its gap, normal force, friction; of an event: its count, its last
     * time; -1: along the way; of an angular acceleration 3, 4, 5 */
    int axis;
    int director;
    v3 point; /* in body coordinates */
} ts_measure;

enum { TS_ALONG_COORDINATE = 6 }; /* axis of the acceleration of a coordinate */

typedef struct ts_channel_use {
    ts_measure measure;
    ts_taken taken;
    double offset; /* added to the measure; factor of a multiplier; number of entries of told.h */
} ts_channel_use;

/* The dimension of a channel by its words, `angle.rate` of `hinge.angle.rate`; false: there are no
 * such words. */
bool ts_channel_dimension(const char *words, ts_dim *dim);
/* The name of the channel that is an input, model->signals[signal]; and the signal of a name, -1:
 * it is no input. */
enum { TS_INPUT_CHANNEL = 24 };
void ts_input_channel(int signal, char name[TS_INPUT_CHANNEL]);
int ts_channel_input(const char *name);
/* `here.velocity.x` is the channel of the point on which a force acts; false: no such channel. */
bool ts_is_here(const char *name);
bool ts_vector_channel(const char *words, ts_dim *dim); /* velocity.x and the like */
bool ts_channel_here(const ts_model *model, const ts_measure *acts, const char *name,
                     ts_channel_use *out);
/* The channel of a name, part and words or an input; false: there is none. */
bool ts_channel_named(const ts_model *model, const char *name, ts_channel_use *out);
/* Finds a channel of a part; false: no such channel. */
bool ts_channel_find(const ts_model *model, int part, const char *words, ts_channel_use *out);
/* "angle, angle.rate": the channels of a part. */
void ts_channel_list(const ts_model *model, int part, char *text, size_t size);
/* Does a kind offer the distance between its ends? */
bool ts_kind_has_length(const ts_kind *kind);

/* Gives the newest site, which is open, a force along the target: `scale` times the signal, which
 * depends on the state. No energy is stored when the target is `anchor`. */
void ts_state_force(ts_builder *b, ts_measure target, double scale, double anchor, int signal);
/* No force: the target, a coordinate of a variable without mass, has the signal as its rate, as its
 * value, or as its value from one sample to the next. */
typedef enum ts_variable_law {
    TS_IS_FORCE,
    TS_IS_RATE,
    TS_IS_VALUE,
    TS_IS_SAMPLE,
    TS_IS_ROW /* a motion by the state */
} ts_variable_law;
typedef struct ts_variable {
    ts_variable_law law;
    double period, first; /* of samples */
    int clock;            /* of a row: the node whose place is the time; 0: none */
} ts_variable;
void ts_state_variable(ts_builder *b, int coordinate, ts_variable how, int signal);
/* No force: the newest site, of rows, constrains the coordinate to the value of the signal, an
 * expression of coordinates, places and lengths. */
void ts_state_row(ts_builder *b, int coordinate, int clock, int signal);
/* Does an event read an acceleration? */
bool ts_events_feel(const ts_model *model);
/* Can a row depend on a channel? False, with the reason. Parts that are not yet built are assumed
 * to have the channels that the words name. */
bool ts_row_channel(const ts_model *model, const char *name, char *why, size_t size);
/* For springs: a field of type TS_STATE_SIGNAL whose value pulls, positive where it resists a
 * growing target. Opens a site on the nodes of the newest part, if the field is given. */
void ts_state_pull(ts_builder *b, ts_value *value, ts_measure target, double anchor);
/* Sites of a part that have such a force get the forms of all channels it reads; when all parts are
 * built. False, with a message: they do not fit. */
bool ts_state_bind(ts_model *model, int part, char *message, size_t size);

#endif
