/* Shapes of the parts that a contact names: see members.c. */
#ifndef TS_TOUCH_MEMBERS_H
#define TS_TOUCH_MEMBERS_H

#include "parts/parts.h"

/* All shapes of these parts take part in the newest contact; `field` names them. Fails where two of
 * them are without thickness, so that they could not touch. */
int ts_contact_members(ts_builder *b, const ts_value *parts, int field, bool among);
/* Is the only one of them a line that touches itself? */
bool ts_touches_itself(const ts_model *model, const ts_value *parts);

#endif
