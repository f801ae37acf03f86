/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of the parts that a contact names: see members.c. */
#ifndef TS_TOUCH_MEMBERS_H
#define TS_TOUCH_MEMBERS_H

#include "parts/parts.h"

/* Of a value of TS_PART_GROUPS. */
int ts_groups_count(const ts_value *groups);
/* Shapes of one group leave each other out of the newest contact. */
void ts_contact_exceptions(ts_model *model, const ts_value *groups);
/* All shapes of these parts take part in the newest contact; `field` names them. Fails where two of
 * them are without thickness, so that they could not touch, and where no two of them ever move
 * against each other. */
int ts_contact_members(ts_builder *b, const ts_value *parts, int field, bool among);
/* Of the newest contact, with its members: can any of them touch? */
int ts_contact_check_meeting(ts_builder *b, int field, bool spread);
/* A barrier of the newest contact: its shapes are found from this far. */
void ts_contact_acts_from(ts_model *model, double distance);
/* Shapes of the newest contact that overlap as drawn. */
typedef enum ts_contact_begin { TS_BEGIN_REFUSE, TS_BEGIN_ACCEPT, TS_BEGIN_SHIFT } ts_contact_begin;
int ts_contact_initial(ts_builder *b, int field, ts_contact_begin how);
/* Is the only one of them a line that touches itself? */
bool ts_touches_itself(const ts_model *model, const ts_value *parts);

#endif
