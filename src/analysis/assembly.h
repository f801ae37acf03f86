/* SPDX-License-Identifier: Apache-2.0 */
/* Initial conditions: positions and velocities that satisfy the joints, found with the least
 * change. */
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
    int first_repeat, repeat_notes; /* which of the notes tell of redundant rows */
    /* those in one sentence, with a count for each part; NULL where there are none */
    char *repeats;
    int redundant; /* rows found redundant and left out */
    int unstable;  /* ways in which a static start is unstable; 0: none, or no such start */
    int freedom;   /* degrees of freedom: displacement unknowns - independent rows */
} ts_assembly_report;

/* Assembles system->state; marks redundant rows in the model and renumbers. On failure the state is
 * untouched. */
int ts_assemble_initial(ts_system *system, ts_model *model, ts_assembly_report *report);
/* Velocities alone, at the pose as it is: those of the state become the nearest ones that satisfy
 * joints and drives. Notes go to the report, if there is one. */
int ts_assemble_rates(ts_system *system, ts_assembly_report *report);
void ts_assembly_report_clear(ts_assembly_report *report);
/* latch.c: the system's model follows the switches in its state, which an event has turned;
 * conditions that begin to hold stop what they forbid by an impulse. */
int ts_turn_switches(ts_system *system);

/* finite.c: are the energies at the start finite? Otherwise fails and names the part. */
int ts_check_finite(const ts_system *system);

#endif
