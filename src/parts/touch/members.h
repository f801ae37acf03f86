/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of the parts that a contact names: see members.c. */
#ifndef TS_TOUCH_MEMBERS_H
#define TS_TOUCH_MEMBERS_H

#include "parts/parts.h"

/* Number of groups in a value of TS_PART_GROUPS. */
int ts_groups_count(const ts_value *groups);
/* Excludes contacts within each group from the newest contact. */
void ts_contact_exceptions(ts_model *model, const ts_value *groups);
/* Adds all shapes of these parts to the newest contact; `field` names them. Fails if two of them
 * have no thickness, so that they could not touch, or if no two of them ever move relative to each
 * other. */
int ts_contact_members(ts_builder *b, const ts_value *parts, int field, bool among);
/* Checks the newest contact with its members: can any of them touch? */
int ts_contact_check_meeting(ts_builder *b, int field, bool spread);
/* Sets the reach of the newest contact, a barrier: its shapes are found from this distance on. */
void ts_contact_acts_from(ts_model *model, double distance);
/* Shapes of the newest contact that overlap as drawn. */
typedef enum ts_contact_begin { TS_BEGIN_REFUSE, TS_BEGIN_ACCEPT, TS_BEGIN_SHIFT } ts_contact_begin;
int ts_contact_initial(ts_builder *b, int field, ts_contact_begin how);
/* Is the only one of them a line that touches itself? */
bool ts_touches_itself(const ts_model *model, const ts_value *parts);

#endif
