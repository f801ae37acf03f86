/* SPDX-License-Identifier: Apache-2.0 */
/* Events: a condition or a time, and actions. See model/event.h and events/events.c.
 *
 * A coordinate that some event locks gets a part of its own, NAME_lock: the constraint that the
 * coordinate stays at a value, switched off as drawn. So the pattern of constraints is known from
 * the beginning, and results contain the reaction of the lock like that of any joint.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "laws/angle.h"
#include "parts/parts.h"

enum { WHEN, AT, LOCK, RELEASE, DETACH, SWITCH_ON, SWITCH_OFF, SET, MARK, STOP, TIMES };

static const char *const JOINTS[] = {"joints", NULL};
static const char *const SWITCHED[] = {
    "springs, motions, loads and contacts", "springs", "motions", "loads", "contacts", NULL};

static const ts_field FIELDS[] = {
    {.name = "when",
     .type = TS_CONDITION,
     .help =
         "The event happens when this condition becomes true: `hinge.angle > 90 deg` when the "
         "angle rises through 90 degrees, `<` when it falls through 90 degrees, `=` in both cases. "
         "Both sides may be any "
         "expressions of channels and time. Comparisons may be joined by `and`, `or`, `not` and "
         "parentheses."},
    {.name = "at",
     .type = TS_NUMBER,
     .dim = {0, 0, 1, 0},
     .help = "Time of the event, instead of `when`; 0 is before the first step."},
    {.name = "lock",
     .type = TS_TARGETS,
     .choices = JOINTS,
     .help = "Joints (all of their coordinates) or single coordinates (`hinge.angle`) that are "
             "locked at their present values. An impulse stops the relative motion."},
    {.name = "release",
     .type = TS_TARGETS,
     .choices = JOINTS,
     .help = "Locked joints or coordinates that become free again."},
    {.name = "detach",
     .type = TS_TARGETS,
     .choices = JOINTS,
     .help = "Joints that are removed for the rest of the run."},
    {.name = "switch_on",
     .type = TS_TARGETS,
     .choices = SWITCHED,
     .help = "Springs, motions, loads and contacts that act from the event on. A motion continues "
             "from the present value of its coordinate."},
    {.name = "switch_off",
     .type = TS_TARGETS,
     .choices = SWITCHED,
     .help = "Springs, motions, loads and contacts that do not act from the event on."},
    {.name = "set",
     .type = TS_SETTINGS,
     .help =
         "New values of states and inputs, `{integral: 0}`. Values of states may be expressions "
         "of channels."},
    {.name = "mark", .type = TS_TEXT, .help = "A text that the results contain with the event."},
    {.name = "stop",
     .type = TS_BOOLEAN,
     .help = "true: the run ends at the event.",
     .fallback = "false"},
    {.name = "times",
     .type = TS_INTEGER,
     .help = "Largest number of times that the event happens.",
     .fallback = "any number of times; an event at a time happens once"},
    {0}};

/* ---- locks ---- */

static const ts_kind TS_KIND_LOCK = {
    .name = "lock", .section = "locks", .help = "A coordinate that an event holds."};

static int lock_of(const ts_model *model, int coordinate) {
    for (int i = 0; i < model->switches_count; i++)
        if (model->switches[i].coordinate == coordinate) return i;
    return -1;
}

static void lock_name(const ts_model *model, int coordinate, char *name, size_t size) {
    const ts_coordinate *c = &model->coordinates[coordinate];
    const ts_part *joint = &model->parts[c->part];
    if (joint->coordinates == 1)
        snprintf(name, size, "%s_lock", joint->name);
    else
        snprintf(name, size, "%s_%s_lock", joint->name, c->name);
}

static bool is_taken(const ts_model *model, const char *name) {
    return ts_model_part_named(model, name, strlen(name)) >= 0;
}

/* -1: its name belongs to another part. */
static int new_lock(ts_builder *b, int field, int coordinate) {
    ts_model *model = b->model;
    bool angle = model->coordinates[coordinate].angle;
    char name[200];
    lock_name(model, coordinate, name, sizeof name);
    if (is_taken(model, name)) {
        ts_build_fail(b, field, "give that part another name",
                      "the lock would be called '%s', which is the name of another part", name);
        return -1;
    }
    ts_builder own = {.model = model, .name = name, .failed_field = -1};
    ts_part_on_coordinate(&own, &TS_KIND_LOCK, coordinate, TS_ROLE_ROWS);
    if (angle) {
        ts_model_number(model, 1);
        ts_model_number(model, 0);
        ts_model_rowlaw(model, &TS_ANGLE_ROW);
    }
    ts_model_row(model, ts_model_signal(model, ts_signal_constant(0)), false,
                 angle ? "locked angle" : "locked displacement");
    int at = ts_model_switch(model, model->parts_count - 1);
    model->switches[at].coordinate = coordinate, model->switches[at].drawn = false;
    return at;
}

/* ---- actions ---- */

/* Two actions of one event on the same switch contradict or repeat each other. */
static int add_switch(ts_builder *b, int field, int what, bool on) {
    ts_model *model = b->model;
    const ts_event *event = &model->events[model->events_count - 1];
    for (int k = event->action; k < event->action + event->actions; k++) {
        const ts_action *a = &model->actions[k];
        if (a->act == TS_ACT_SWITCH && a->what == what)
            return ts_build_fail(b, field, "leave one of them out",
                                 "this event switches '%s' twice",
                                 model->parts[model->switches[what].part].name);
    }
    ts_model_action(model, (ts_action){.act = TS_ACT_SWITCH, .what = what, .on = on});
    return 0;
}

static int lock_coordinate(ts_builder *b, int field, int coordinate) {
    int at = lock_of(b->model, coordinate);
    if (field == RELEASE && at < 0) {
        const ts_model *model = b->model;
        return ts_build_fail(
            b, field,
            "write the event that locks it above this one; to remove the joint, write `detach`",
            "no event above locks '%s.%s'", model->parts[model->coordinates[coordinate].part].name,
            model->coordinates[coordinate].name);
    }
    if (at < 0) at = new_lock(b, field, coordinate);
    return at < 0 ? TORSOR_EINVAL : add_switch(b, field, at, field == LOCK);
}

static int lock_joint(ts_builder *b, int field, int part, int coordinate) {
    const ts_part joint = b->model->parts[part];
    int code = 0;
    if (coordinate >= 0) return lock_coordinate(b, field, coordinate);
    if (joint.coordinates == 0)
        return ts_build_fail(b, field, NULL, "'%s' has no coordinate that could be locked",
                             joint.name);
    for (int c = joint.coordinate; c < joint.coordinate + joint.coordinates && !code; c++)
        code = lock_coordinate(b, field, c);
    return code;
}

static int rows_of(const ts_model *model, const ts_part *part) {
    int rows = 0;
    for (int s = part->site; s < part->site + part->sites; s++) rows += model->sites[s].rows;
    return rows;
}

/* A motion continues with an offset added to its signal, so it needs a signal. */
static void give_signals(ts_model *model, const ts_part *part) {
    for (int s = part->site; s < part->site + part->sites; s++)
        for (int k = 0; k < model->sites[s].rows; k++) {
            ts_row *row = &model->rows[model->sites[s].row + k];
            if (row->drive && row->signal < 0)
                row->signal = ts_model_signal(model, ts_signal_constant(0));
        }
}

static int turn(ts_builder *b, int field, int part, int coordinate) {
    const ts_part p = b->model->parts[part];
    if (field == LOCK || field == RELEASE) return lock_joint(b, field, part, coordinate);
    if (field == DETACH && (coordinate >= 0 || p.support || rows_of(b->model, &p) == 0))
        return ts_build_fail(b, field, NULL, "'%s' cannot be detached: %s", p.name,
                             coordinate >= 0 ? "a coordinate is released, a joint detached"
                                             : "it fixes nodes permanently");
    give_signals(b->model, &p);
    return add_switch(b, field, ts_model_switch(b->model, part), field == SWITCH_ON);
}

static int add_actions(ts_builder *b, const ts_value *value) {
    int code = 0;
    for (int f = LOCK; f <= SWITCH_OFF; f++)
        for (int i = 0; i + 1 < value[f].count && !code; i += 2)
            code = turn(b, f, (int)value[f].list[i], (int)value[f].list[i + 1]);
    for (int i = 0; i + 2 < value[SET].count && !code; i += 3)
        ts_model_action(b->model, (ts_action){.act = (ts_act)value[SET].list[i],
                                              .what = (int)value[SET].list[i + 1],
                                              .signal = (int)value[SET].list[i + 2]});
    return code;
}

/* ---- the event ---- */

static int check(ts_builder *b, const ts_value *value) {
    bool any = value[MARK].given || (value[STOP].given && value[STOP].number[0] != 0);
    for (int f = LOCK; f <= SET; f++) any |= value[f].given;
    if (value[WHEN].given == value[AT].given)
        return ts_build_fail(b, -1, "for example `when: hinge.angle > 90 deg`, or `at: 0.5 s`",
                             "an event needs either `when` or `at`");
    if (!any)
        return ts_build_fail(b, -1, "for example `lock: hinge`, or `mark: over the top`",
                             "this event does nothing");
    if (value[AT].given && value[AT].number[0] < 0)
        return ts_build_fail(b, AT, NULL, "the time must not be negative");
    if (value[TIMES].given && !(value[TIMES].number[0] >= 1))
        return ts_build_fail(b, TIMES, NULL, "expected 1 or more");
    return 0;
}

static int build(ts_builder *b, ts_value *value) {
    if (check(b, value)) return TORSOR_EINVAL;
    if (is_taken(b->model, b->name))
        return ts_build_fail(b, -1, "choose another name", "'%s' is the name of a lock", b->name);
    ts_new_part(b, &TS_KIND_EVENT);
    ts_event event = {.part = b->model->parts_count - 1,
                      .timed = value[AT].given,
                      .at = value[AT].number[0],
                      .left = -1,
                      .right = -1,
                      .edge = (int)value[WHEN].number[0],
                      .times = value[TIMES].given ? value[TIMES].number[0] : INFINITY,
                      .stops = value[STOP].given && value[STOP].number[0] != 0};
    if (value[WHEN].given)
        event.left = ts_take_signal(b, &value[WHEN], 0),
        event.right = ts_take_signal(b, &value[WHEN], 1);
    if (value[MARK].given) event.mark = ts_strdup(value[MARK].text);
    ts_model_event(b->model, event);
    return add_actions(b, value);
}

const ts_kind TS_KIND_EVENT = {
    .name = "event",
    .section = "events",
    .help = "An action at a given time, or when a channel crosses a value. torsor locates the "
            "moment within the step, and ends a substep there.",
    .fields = FIELDS,
    .build = build,
    .sample = "{when: J.angle > 0.3 rad, lock: J, mark: closed}",
    .default_in_section = true};
