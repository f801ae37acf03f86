/* SPDX-License-Identifier: Apache-2.0 */
/* Layout of a table in a file: the separator of its columns and its decimal mark.
 *
 * A layout is a pair of both: semicolons, tabs, commas or blanks between columns, points or commas
 * before decimals. Every layout is tried on the whole file. One fits if every line is empty, a
 * comment, a heading before the first row, or a row: as many columns as the first row has, and
 * numbers in the columns that are asked for, two or three. The file is read if all layouts that fit
 * give the same numbers. Otherwise it is refused, with the ambiguous line, or with the line at
 * which the layout that got furthest failed.
 *
 * If the model gives the separator or the decimal mark, only such layouts are tried. It may name
 * columns by their headings: a layout fits only if one line has both of them, and as many columns
 * as the rows have.
 *
 * Cells may be quoted; what stands between quotes separates nothing, so that "0,5","1,5" is a pair
 * of decimal commas. A heading is a line whose cells are no numbers and do not begin like one:
 * 0,5s is no heading, but a mistake.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "reader/tables/table.h"

enum { MAX_CELL = TS_TABLE_NUMBER - 1, LAYOUTS = 8 };

/* In this order they are preferred in messages. */
static const struct {
    char delimiter, decimal;
    const char *words;
} LAYOUT[LAYOUTS] = {{';', '.', "semicolons between columns and decimal points"},
                     {';', ',', "semicolons between columns and decimal commas"},
                     {'\t', '.', "tabs between columns and decimal points"},
                     {'\t', ',', "tabs between columns and decimal commas"},
                     {',', '.', "commas between columns and decimal points"},
                     {',', ',', "commas between columns and decimal commas"},
                     {' ', '.', "blanks between columns and decimal points"},
                     {' ', ',', "blanks between columns and decimal commas"}};

typedef enum kind { EMPTY, HEADING, ROW, BROKEN } kind;

/* One line as one layout sees it. */
typedef struct view {
    kind kind;
    ts_table_row row;
    int columns, filled; /* all of them, and those up to the last one that is not empty */
    size_t place;        /* of what is wrong */
    char wrong[60];
} view;

/* ---- cells ---- */

void ts_table_line(const ts_source *file, int i, size_t *first, size_t *length) {
    *first = file->line[i];
    size_t next = i + 1 < file->lines ? file->line[i + 1] : file->length;
    while (next > *first && strchr("\r\n", file->text[next - 1])) next--;
    *length = next - *first;
}

static bool padding(char c) { return c == ' ' || c == '"' || c == '\t' || c == '\r'; }

/* The cell that begins at *at, without blanks and quotes around it; *at moves behind its delimiter,
 * or behind the end if it was the last. A run of blanks is one delimiter. */
static void next_cell(char delimiter, const char *line, size_t length, size_t *at, size_t cell[2]) {
    bool quoted = false;
    size_t i = *at;
    for (; i < length && (quoted || line[i] != delimiter); i++)
        if (line[i] == '"') quoted = !quoted;
    cell[0] = *at, cell[1] = i;
    while (cell[0] < cell[1] && padding(line[cell[0]])) cell[0]++;
    while (cell[1] > cell[0] && padding(line[cell[1] - 1])) cell[1]--;
    if (delimiter == ' ')
        while (i + 1 < length && line[i + 1] == ' ') i++;
    *at = i + 1;
}

/* A tab between blanks would be a second delimiter. */
static bool strange(char delimiter, const char *text, size_t length) {
    return delimiter == ' ' && memchr(text, '\t', length) != NULL;
}

static size_t digits(const char *text, size_t length) {
    size_t i = 0;
    while (i < length && isdigit((unsigned char)text[i])) i++;
    return i;
}

/* [sign] digits [decimal digits] [e [sign] digits]; a point may also end the digits, a comma may
 * not. */
static bool is_number(char decimal, const char *text, size_t length) {
    size_t i = length > 0 && strchr("+-", text[0]) ? 1 : 0, whole = digits(text + i, length - i);
    if (length > MAX_CELL) return false;
    i += whole;
    if (i < length && text[i] == decimal) {
        size_t part = digits(text + i + 1, length - i - 1);
        if (part == 0 && (whole == 0 || decimal == ',')) return false;
        i += 1 + part;
    } else if (whole == 0) {
        return false;
    }
    if (i == length) return true;
    if (text[i] != 'e' && text[i] != 'E') return false;
    i += i + 1 < length && strchr("+-", text[i + 1]) ? 2 : 1;
    return i < length && digits(text + i, length - i) == length - i;
}

static bool begins_like_number(const char *text, size_t length) {
    return length > 0 && strchr("+-.,0123456789", text[0]) != NULL;
}

/* ---- lines ---- */

static void split(const ts_table_layout *layout, const char *line, size_t length, view *v) {
    size_t at = 0, cell[2];
    if (layout->delimiter == ' ')
        while (at < length && line[at] == ' ') at++;
    while (at <= length) {
        next_cell(layout->delimiter, line, length, &at, cell);
        /* blanks at the end of a line delimit nothing */
        if (layout->delimiter == ' ' && cell[0] == cell[1]) break;
        v->columns++;
        if (cell[1] > cell[0]) v->filled = v->columns;
        for (int i = 0; i < layout->count; i++)
            if (v->columns == layout->column[i]) v->row.start[i] = cell[0], v->row.end[i] = cell[1];
    }
}

static kind no_number(view *v, size_t place) {
    v->place = place;
    snprintf(v->wrong, sizeof v->wrong, "expected a number");
    return BROKEN;
}

static kind no_column(view *v, int column) {
    snprintf(v->wrong, sizeof v->wrong, "this line has no column %d", column);
    return BROKEN;
}

static kind other_columns(view *v, int wanted) {
    snprintf(v->wrong, sizeof v->wrong, "this line has %d columns, the first row %d", v->columns,
             wanted);
    return BROKEN;
}

static kind kind_of(const ts_table_layout *layout, const char *line, size_t length, view *v) {
    bool numeric[TS_TABLE_COLUMNS], likely = false;
    if (v->filled == 0) return EMPTY;
    for (int i = 0; i < layout->count; i++) {
        const char *cell = line + v->row.start[i];
        size_t size = v->row.end[i] - v->row.start[i];
        numeric[i] =
            is_number(layout->decimal, cell, size) && !strange(layout->delimiter, line, length);
        likely = likely || begins_like_number(cell, size);
    }
    if (layout->first < 0 && !likely) return HEADING;
    for (int i = 0; i < layout->count; i++)
        if (v->columns < layout->column[i]) return no_column(v, layout->column[i]);
    for (int i = 0; i < layout->count; i++)
        if (!numeric[i]) return no_number(v, v->row.start[i]);
    if (layout->first >= 0 && (v->filled > layout->columns || v->columns < layout->filled))
        return other_columns(v, layout->columns);
    return ROW;
}

static view look(const ts_source *file, const ts_table_layout *layout, int i) {
    view v = {0};
    size_t first, length;
    ts_table_line(file, i, &first, &length);
    const char *line = file->text + first;
    if (length == 0 || *line == '#') return v;
    split(layout, line, length, &v);
    v.kind = kind_of(layout, line, length, &v);
    for (int k = 0; k < layout->count; k++) v.row.start[k] += first, v.row.end[k] += first;
    v.place += first;
    return v;
}

bool ts_table_row_at(const ts_source *file, const ts_table_layout *layout, int line,
                     ts_table_row *row) {
    if (line < layout->first) return false;
    view v = look(file, layout, line);
    *row = v.row;
    return v.kind == ROW;
}

size_t ts_table_number(const ts_source *file, const ts_table_layout *layout,
                       const ts_table_row *row, int which, char text[TS_TABLE_NUMBER]) {
    size_t length = row->end[which] - row->start[which];
    memcpy(text, file->text + row->start[which], length);
    text[length] = 0;
    char *comma = layout->decimal == ',' ? strchr(text, ',') : NULL;
    if (comma) *comma = '.';
    return length;
}

/* ---- the file ---- */

/* Tries a layout; returns the line that it cannot read, or the number of lines. */
static int fit(const ts_source *file, ts_table_layout *layout) {
    layout->first = -1, layout->rows = 0;
    for (int i = 0; i < file->lines; i++) {
        view v = look(file, layout, i);
        if (v.kind == BROKEN) return i;
        if (v.kind != ROW) continue;
        if (layout->first < 0)
            layout->first = i, layout->columns = v.columns, layout->filled = v.filled;
        layout->rows++;
    }
    return file->lines;
}

static bool report_broken(const ts_source *file, const ts_table_layout *layout, int line,
                          const char *words) {
    view v = look(file, layout, line);
    char hint[120];
    snprintf(hint, sizeof hint, "the file was read with %s", words);
    return ts_report(file, v.place, hint, "%s", v.wrong);
}

static bool same_row(const ts_source *file, const ts_table_layout *a, const ts_table_layout *b,
                     int line) {
    ts_table_row ra, rb;
    bool has_a = ts_table_row_at(file, a, line, &ra), has_b = ts_table_row_at(file, b, line, &rb);
    if (!has_a || !has_b) return has_a == has_b;
    for (int i = 0; i < a->count; i++) {
        char x[TS_TABLE_NUMBER], y[TS_TABLE_NUMBER];
        ts_table_number(file, a, &ra, i, x), ts_table_number(file, b, &rb, i, y);
        if (strcmp(x, y) != 0) return false;
    }
    return true;
}

/* Two layouts that fit must read the same numbers. */
static bool agree(const ts_source *file, const ts_table_layout layout[LAYOUTS], int a, int b) {
    for (int i = 0; i < file->lines; i++)
        if (!same_row(file, &layout[a], &layout[b], i))
            return ts_report(file, file->line[i],
                             "give it in the model: delimiter: semicolon, comma, tab or blank; "
                             "decimal: point or comma",
                             "this line can be read in two ways: with %s, or with %s",
                             LAYOUT[a].words, LAYOUT[b].words);
    return true;
}

/* Does the model define the meaning of commas between whole numbers? */
static bool settled(const ts_table_wish *wish) {
    if (wish->decimal) return wish->decimal == '.';
    return wish->delimiter || wish->columns_given;
}

/* Three or more whole numbers between commas may be fewer ones with decimal commas; two may be one,
 * if the line above has one heading. */
static bool doubtful(const ts_source *file, const ts_table_layout *layout) {
    bool pair = layout->columns == 2, headed = false;
    if (layout->delimiter != ',' || layout->columns < 2) return false;
    for (int i = 0; i < layout->first; i++) {
        size_t first, length;
        ts_table_line(file, i, &first, &length);
        view v = {0};
        split(layout, file->text + first, length, &v);
        if (v.columns == layout->columns && file->text[first] != '#') return false;
        headed = headed || (v.filled > 0 && file->text[first] != '#');
    }
    if (pair && !headed) return false;
    for (int i = layout->first; i < file->lines; i++) {
        size_t first, length;
        ts_table_line(file, i, &first, &length);
        const char *line = file->text + first;
        for (size_t k = 0; k < length && *line != '#'; k++) {
            if (!strchr("+-, 0123456789", line[k])) return false;
            if (pair && line[k] == ',' && digits(line + k + 1, length - k - 1) == 0) return false;
        }
    }
    return true;
}

/* Does the line that stopped a layout have the columns that are asked for? */
static bool wide(const ts_source *file, const ts_table_layout *layout, int line) {
    if (line < 0 || line >= file->lines) return false;
    view v = look(file, layout, line);
    for (int k = 0; k < layout->count; k++)
        if (v.columns < layout->column[k]) return false;
    return true;
}

/* ---- headings ---- */

static bool word_is(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* Is the cell this heading, perhaps with a unit behind it: "force", "force [N]", "force (N)"? */
static bool is_heading(const char *cell, size_t length, const char *heading) {
    if (word_is(cell, length, heading)) return true;
    if (length == 0 || !strchr("])", cell[length - 1])) return false;
    size_t end = length - 1;
    while (end > 0 && !strchr("[(", cell[end])) end--;
    while (end > 0 && cell[end - 1] == ' ') end--;
    return end > 0 && word_is(cell, end, heading);
}

/* Between blanks "[N]" belongs to the word before it. */
bool ts_table_heading(const ts_table_layout *layout, const char *line, size_t length, int column,
                      size_t heading[2]) {
    size_t at = 0, cell[2];
    int words = 0, filled = 0;
    if (layout->delimiter == ' ')
        while (at < length && line[at] == ' ') at++;
    while (at <= length) {
        next_cell(layout->delimiter, line, length, &at, cell);
        bool more = layout->delimiter == ' ' && words > 0 && cell[0] < cell[1] &&
                    strchr("[(", line[cell[0]]) != NULL;
        words += !more;
        if (words == column && !more) heading[0] = cell[0];
        if (words == column) heading[1] = cell[1];
        if (cell[1] > cell[0]) filled = words;
    }
    return words >= column && (words == layout->columns || filled == layout->filled);
}

/* The column with this heading, from 1; 0: none, -1: several. */
static int column_headed(const ts_table_layout *layout, const char *line, size_t length,
                         const char *heading) {
    size_t at = 0, cell[2];
    int found = 0, columns = 0;
    if (layout->delimiter == ' ')
        while (at < length && line[at] == ' ') at++;
    while (at <= length) {
        next_cell(layout->delimiter, line, length, &at, cell);
        columns++;
        if (is_heading(line + cell[0], cell[1] - cell[0], heading)) found = found ? -1 : columns;
    }
    return found;
}

/* Does this line head the columns that the model names? Their numbers, if so. */
static bool take_headings(const ts_source *file, int i, const ts_table_wish *wish,
                          ts_table_layout *layout) {
    size_t first, length;
    view v = {0};
    ts_table_line(file, i, &first, &length);
    for (int k = 0; k < layout->count; k++) {
        int column = wish->column[k];
        if (wish->heading[k])
            column = column_headed(layout, file->text + first, length, wish->heading[k]);
        if (column < 1) return false;
        layout->column[k] = column;
    }
    split(layout, file->text + first, length, &v);
    layout->headings = v.columns;
    return true;
}

static bool find_headings(const ts_source *file, const ts_table_wish *wish,
                          ts_table_layout *layout) {
    if (!wish->heading[0] && !wish->heading[1] && !wish->heading[2]) return true;
    for (int i = 0; i < file->lines; i++)
        if (take_headings(file, i, wish, layout)) return true;
    return false;
}

static bool report_no_headings(const ts_source *file, const ts_table_wish *wish) {
    static const char hint[] = "give the numbers of the columns, from 1: columns: [1, 2]";
    const char *first = wish->heading[0], *second = wish->heading[1], *third = wish->heading[2];
    if (!first) first = second, second = NULL;
    if (!second) second = third, third = NULL;
    if (!first) first = second, second = NULL;
    if (third)
        return ts_report(file, 0, hint,
                         "no line of the file has the headings '%.80s', '%.80s' and '%.80s', each "
                         "once",
                         first, second, third);
    if (second)
        return ts_report(file, 0, hint,
                         "no line of the file has the headings '%.100s' and '%.100s', each once",
                         first, second);
    return ts_report(file, 0, hint, "no line of the file has the heading '%.100s', once", first);
}

static bool check_headings(const ts_source *file, const ts_table_layout *layout) {
    if (!layout->headings || layout->headings == layout->columns) return true;
    return ts_report(
        file, file->line[layout->first], "give the numbers of the columns, from 1: columns: [1, 2]",
        "this line has %d columns, the headings have %d", layout->columns, layout->headings);
}

/* ---- the best layout ---- */

static bool wanted(const ts_table_wish *wish, int i) {
    return (!wish->delimiter || wish->delimiter == LAYOUT[i].delimiter) &&
           (!wish->decimal || wish->decimal == LAYOUT[i].decimal);
}

/* How far each layout comes: the line that stops it, the number of lines, or -1 if it saw no rows
 * or is not wanted. Returns the first one that fits, or the one that came furthest; -1 if no layout
 * has the headings. */
static int best_of(const ts_source *file, const ts_table_wish *wish,
                   ts_table_layout layout[LAYOUTS], int stopped[LAYOUTS]) {
    int best = -1;
    for (int i = 0; i < LAYOUTS; i++) {
        stopped[i] = -1;
        if (!wanted(wish, i) || !find_headings(file, wish, &layout[i])) continue;
        stopped[i] = fit(file, &layout[i]);
        if (stopped[i] == file->lines && layout[i].rows == 0) stopped[i] = -1;
        if (best < 0 || stopped[i] > stopped[best] ||
            (stopped[i] == stopped[best] && wide(file, &layout[i], stopped[i]) &&
             !wide(file, &layout[best], stopped[best])))
            best = i;
    }
    return best;
}

bool ts_table_layout_find(const ts_source *file, const ts_table_wish *wish, ts_table_layout *out) {
    ts_table_layout layout[LAYOUTS];
    int stopped[LAYOUTS];
    for (int i = 0; i < LAYOUTS; i++)
        layout[i] =
            (ts_table_layout){.delimiter = LAYOUT[i].delimiter,
                              .decimal = LAYOUT[i].decimal,
                              .count = wish->count == 3 ? 3 : 2,
                              .column = {wish->column[0], wish->column[1], wish->column[2]}};
    int best = best_of(file, wish, layout, stopped);
    if (best < 0) return report_no_headings(file, wish);
    if (stopped[best] >= 0 && stopped[best] < file->lines)
        return report_broken(file, &layout[best], stopped[best], LAYOUT[best].words);
    if (layout[best].rows < 2)
        return ts_report(file, 0, NULL, "expected at least two rows of numbers");
    for (int i = best + 1; i < LAYOUTS; i++)
        if (stopped[i] == file->lines && !agree(file, layout, best, i)) return false;
    *out = layout[best];
    if (!check_headings(file, out)) return false;
    if (settled(wish) || !doubtful(file, out)) return true;
    return ts_report(file, file->line[out->first],
                     "give it in the model: 'decimal: point' if these are whole numbers; if they "
                     "are decimals, put semicolons between the columns of the file",
                     "this line may contain %d columns, or decimal commas", out->columns);
}
