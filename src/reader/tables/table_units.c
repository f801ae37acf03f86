/* SPDX-License-Identifier: Apache-2.0 */
/* Units in the headings of a table in a file, for tables to which the model gives none:
 *
 *     time [ms]; force [kN]      square brackets; round ones may also contain something else
 *     time/ms; force/kN          as in ISO 80000-1
 *     time in ms; force in kN
 *     time; force                a line of units below a line of names
 *     ms; kN
 *
 * Headings are lines above the first row, also comments, with as many cells as the rows have. The
 * lowest line with a unit counts. An ambiguous unit is refused with its position: force_kN, a line
 * of units without names, brackets in a line with other cells. */
#include <stdio.h>
#include <string.h>

#include "reader/tables/table.h"

static const char HINT[] =
    "give the units of the columns in the model: units: [s, N], or 1 for those of the model";

/* The unit in a cell. */
typedef enum telling {
    NOTHING, /* it is a name */
    UNIT,    /* a name and a unit */
    NO_UNIT, /* a name, and that it has no unit: [-] */
    ALONE,   /* a unit and no name */
    PERHAPS, /* a name that may end with a unit */
    WRONG    /* square brackets around something else */
} telling;

typedef struct cell {
    telling telling;
    bool over; /* ALONE, but also a name over a unit: s/mm */
    char unit[TS_TABLE_UNIT + 1];
    size_t place; /* of the unit, in the file */
} cell;

/* ---- one cell ---- */

static bool is_unit(const char *text, size_t length) {
    char unit[TS_TABLE_UNIT + 1];
    ts_expr_error error;
    if (length == 0 || length > TS_TABLE_UNIT || strchr("+-.,0123456789", *text)) return false;
    memcpy(unit, text, length), unit[length] = 0;
    return ts_table_is_unit(unit, &error);
}

static cell tell(telling how, const char *text, size_t length, size_t place) {
    cell c = {.telling = how, .place = place};
    if (length > TS_TABLE_UNIT) c.telling = WRONG, length = TS_TABLE_UNIT;
    memcpy(c.unit, text, length), c.unit[length] = 0;
    return c;
}

/* "force [kN]", "force (kN)". */
static cell in_brackets(const char *text, size_t length, size_t place) {
    size_t end = length - 1, open = end;
    while (open > 0 && !strchr("[(", text[open])) open--;
    const char *unit = text + open + 1;
    size_t size = end - open - 1;
    bool none = size == 0 || (size == 1 && strchr("-1", *unit));
    if (!strchr("[(", text[open])) return (cell){.telling = NOTHING};
    if (none) return (cell){.telling = NO_UNIT};
    if (is_unit(unit, size)) return tell(UNIT, unit, size, place + open);
    return text[open] == '[' ? tell(WRONG, unit, size, place + open) : (cell){.telling = NOTHING};
}

/* Where the last word of a name begins, behind one of some signs; 0: it has one word. */
static size_t last_word(const char *text, size_t length, const char *signs) {
    size_t at = length;
    while (at > 0 && !strchr(signs, text[at - 1])) at--;
    return at;
}

static cell cell_of(const char *text, size_t length, size_t place) {
    if (length == 0) return (cell){.telling = NOTHING};
    if (strchr("])", text[length - 1])) return in_brackets(text, length, place);
    const char *slash = memchr(text, '/', length);
    size_t over = slash ? (size_t)(slash - text) + 1 : 0, last = last_word(text, length, " _,");
    bool names = over > 1 && is_unit(text + over, length - over);
    if (is_unit(text, length)) {
        cell c = tell(ALONE, text, length, place);
        c.over = names;
        return c;
    }
    if (names) return tell(UNIT, text + over, length - over, place + over);
    if (last == 0 || !is_unit(text + last, length - last)) return (cell){.telling = NOTHING};
    if (last > 4 && memcmp(text + last - 4, " in ", 4) == 0)
        return tell(UNIT, text + last, length - last, place + last);
    /* one letter is a symbol as often as a unit: F_N */
    return length - last > 1 ? tell(PERHAPS, text + last, length - last, place + last)
                             : (cell){.telling = NOTHING};
}

/* ---- one line ---- */

typedef struct line {
    bool heads; /* it has the cells of the rows */
    bool blank;
    cell cell[TS_TABLE_COLUMNS];
} line;

/* The text of a line, without the mark of a comment. */
static void text_of(const ts_source *file, int i, size_t *first, size_t *length) {
    ts_table_line(file, i, first, length);
    while (*length > 0 && strchr("# \t", file->text[*first])) ++*first, --*length;
}

static line line_of(const ts_source *file, const ts_table_layout *layout, int i) {
    line l = {.heads = true};
    size_t first, length, at[2] = {0};
    text_of(file, i, &first, &length);
    const char *text = file->text + first;
    l.blank = length == 0;
    for (int k = 0; k < layout->count && l.heads; k++) {
        l.heads = ts_table_heading(layout, text, length, layout->column[k], at);
        if (l.heads) l.cell[k] = cell_of(text + at[0], at[1] - at[0], first + at[0]);
    }
    return l;
}

static int count(const line *l, telling what, int columns) {
    int sum = 0;
    for (int k = 0; k < columns; k++) sum += l->cell[k].telling == what;
    return sum;
}

static bool refuse(const ts_source *file, size_t place, const char *unit) {
    return ts_report(file, place, HINT, "'%s' may be the unit of this column", unit);
}

/* A cell such as s/mm is a name over a unit where another cell can be nothing else. */
static void settle(line *l, int columns) {
    if (count(l, UNIT, columns) == 0) return;
    for (int k = 0; k < columns; k++) {
        cell *c = &l->cell[k];
        const char *slash = strchr(c->unit, '/');
        if (c->telling == ALONE && c->over) *c = tell(UNIT, slash + 1, strlen(slash + 1), c->place);
    }
}

/* A line of units has nothing else, and stands below names. */
static bool only_units(const line *l, int columns) {
    int none = 0;
    for (int k = 0; k < columns; k++) none += l->cell[k].telling == NO_UNIT;
    return count(l, ALONE, columns) > 0 && count(l, ALONE, columns) + none == columns;
}

static bool names_above(const ts_source *file, const ts_table_layout *layout, int i) {
    while (--i >= 0) {
        line l = line_of(file, layout, i);
        if (!l.blank) return l.heads;
    }
    return false;
}

/* ---- all lines ---- */

typedef enum verdict { UP, TAKEN, REFUSED } verdict;

static verdict judge(const ts_source *file, const ts_table_layout *layout, int i, line *l) {
    int columns = layout->count;
    settle(l, columns);
    bool units = only_units(l, columns);
    for (int k = 0; k < columns; k++)
        if (l->cell[k].telling == WRONG) {
            ts_report(file, l->cell[k].place, HINT, "'%s' is not a unit", l->cell[k].unit);
            return REFUSED;
        }
    if (count(l, UNIT, columns) + count(l, NO_UNIT, columns) > 0 && !units) return TAKEN;
    if (units && names_above(file, layout, i)) return TAKEN;
    for (int k = 0; k < columns; k++) {
        const cell *c = &l->cell[k];
        bool alone = c->telling == ALONE && (units || c->over) && strlen(c->unit) > 1;
        if (c->telling != PERHAPS && !alone) continue;
        refuse(file, c->place, c->unit);
        return REFUSED;
    }
    return UP;
}

/* A unit in square brackets, in a line with other cells than the rows. */
static void find_stray_unit(const ts_source *file, int i, size_t *place, char *unit) {
    size_t first, length;
    text_of(file, i, &first, &length);
    for (size_t k = 0; k < length; k++) {
        const char *open = file->text + first + k, *end;
        if (*open != '[' || !(end = memchr(open, ']', length - k))) continue;
        size_t size = (size_t)(end - open) - 1;
        if (!is_unit(open + 1, size)) continue;
        memcpy(unit, open + 1, size), unit[size] = 0, *place = first + k;
        return;
    }
}

bool ts_table_units(const ts_source *file, const ts_table_layout *layout,
                    char unit[][TS_TABLE_UNIT + 1]) {
    char stray[TS_TABLE_UNIT + 1] = "";
    size_t place = 0;
    for (int i = layout->first - 1; i >= 0; i--) {
        line l = line_of(file, layout, i);
        if (!l.heads && !l.blank && !*stray) find_stray_unit(file, i, &place, stray);
        if (!l.heads || l.blank) continue;
        verdict v = judge(file, layout, i, &l);
        if (v == REFUSED) return false;
        for (int k = 0; k < layout->count && v == TAKEN; k++)
            if (l.cell[k].telling == UNIT || l.cell[k].telling == ALONE)
                snprintf(unit[k], sizeof unit[k], "%s", l.cell[k].unit);
        if (v == TAKEN) return true;
    }
    return !*stray || refuse(file, place, stray);
}
