/* SPDX-License-Identifier: Apache-2.0 */
/* Initial conditions: positions and velocities that satisfy the joints, with the least change. */
#ifndef TS_ASSEMBLY_H
#define TS_ASSEMBLY_H

#include "system/system.h"

typedef struct ts_assembly_joint {
    int part;
    double position_before, position_after, rate_before, rate_after; /* largest |row| */
} ts_assembly_joint;

typedef struct ts_assembly_report {
    int iterations;
    double moved, turned; /* largest change of position (m) and rotation (rad) */
    double rate_moved, rate_turned;
    ts_assembly_joint *joints; /* one per part with rows, in order */
    int joint_count;
    char **notes; /* sentences: redundant rows, singular configuration */
    int note_count;
    int first_repeat, repeat_notes; /* which of the notes report redundant rows */
    /* those in one sentence, with a count for each part; NULL if there are none */
    char *repeats;
    int redundant; /* rows found redundant and left out */
    int unstable;  /* number of instabilities of a static start; 0: none, or no static start */
    int freedom;   /* degrees of freedom: displacement unknowns - independent rows */
} ts_assembly_report;

/* Assembles system->state; marks redundant rows in the model and renumbers. On failure the state is
 * untouched. */
int ts_assemble_initial(ts_system *system, ts_model *model, ts_assembly_report *report);
/* Velocities only, at the given pose: those of the state become the nearest ones that satisfy
 * joints and drives. Notes go to the report, if there is one. */
int ts_assemble_rates(ts_system *system, ts_assembly_report *report);
void ts_assembly_report_clear(ts_assembly_report *report);
/* latch.c: updates the system's model after an event has changed switches of its state; constraints
 * that begin to hold stop the velocities that they exclude by an impulse. */
int ts_turn_switches(ts_system *system);

#endif
