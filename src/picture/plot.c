/* SPDX-License-Identifier: Apache-2.0 */
/* Panels, axes and curves as SVG. See plot.h. */
#include "picture/plot.h"

#include <math.h>

#include "base/place.h"
#include "picture/export_scene.h"

enum { TOP = 70, GAP = 70, EDGE = 60, BELOW = 90, LINE = TS_PLOT_LINE };
static const char *const INK[] = {"#2563a8", "#c53030", "#2f855a", "#d97706",
                                  "#6b46c1", "#1f2933", "#0f8b8d", "#b83280"};
enum { INKS = sizeof INK / sizeof *INK };
static const char PALE[] = "fill=\"#7b8794\" font-size=\"12\"";

/* When the inks have been used up, dashed. */
static const char *dashes(int i) { return i / INKS % 2 ? " stroke-dasharray=\"6 3\"" : ""; }

/* ---- marks on the paper ---- */

static void text(FILE *out, double x, double y, const char *anchor, const char *rest,
                 const char *words) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchor, rest);
    ts_xml_text(out, words);
    fputs("</text>\n", out);
}

static void line(FILE *out, double x1, double y1, double x2, double y2, const char *ink) {
    fprintf(out, "<path d=\"M%.1f,%.1fL%.1f,%.1f\" stroke=\"%s\"/>\n", x1, y1, x2, y2, ink);
}

void ts_axis_number(char words[TS_AXIS_NUMBER], const ts_axis *axis, double value) {
    double size = fmax(fabs(axis->low), fabs(axis->high));
    bool fine = !axis->logarithmic && axis->tick > 0 && size > 1000 * axis->tick;
    int digits = fine ? (int)fmin(15, ceil(log10(size / axis->tick)) + 1) : 4;
    snprintf(words, TS_AXIS_NUMBER, "%.*g", digits, fabs(value) < 1e-300 ? 0 : value);
}

static void number(FILE *out, double x, double y, const char *anchor, const ts_axis *axis,
                   double value) {
    char words[TS_AXIS_NUMBER];
    ts_axis_number(words, axis, value);
    text(out, x, y, anchor, PALE, words);
}

/* ---- places ---- */

static double left_of(const ts_sheet *s, int place) {
    return s->left + (place % s->across) * (s->width + GAP);
}
static double top_of(const ts_sheet *s, int place) {
    return TOP + (place / s->across) * (s->height + BELOW);
}
static double bottom_of(const ts_sheet *s) { return top_of(s, s->panels - 1) + s->height; }

double ts_axis_share(const ts_axis *a, double value) {
    return a->logarithmic ? log10(value / a->low) / log10(a->high / a->low)
                          : (value - a->low) / (a->high - a->low);
}

static double across(const ts_sheet *s, const ts_panel *p, int place, double x) {
    return left_of(s, place) + s->width * ts_axis_share(&p->x, x);
}
static double down(const ts_sheet *s, const ts_panel *p, int place, double y) {
    return top_of(s, place) + s->height * (1 - ts_axis_share(&p->y, y));
}

/* The tick after this one; of a logarithmic axis over many decades, not every power of ten. */
static double next_tick(const ts_axis *a, double at) {
    if (!a->logarithmic) {
        double next = at + a->tick;
        return fabs(next) < 1e-9 * a->tick ? 0 : next;
    }
    double decades = log10(a->high / a->low);
    return at * pow(10, decades > 12 ? 4 : decades > 6 ? 2 : 1);
}

static double past_end(const ts_axis *a) {
    return a->high + 1e-9 * (a->logarithmic ? a->high : a->high - a->low);
}

/* ---- a panel ---- */

static void frame(const ts_sheet *s, int place, const ts_panel *p) {
    FILE *out = s->out;
    double x0 = left_of(s, place), y0 = top_of(s, place);
    for (double y = p->y.low; y < past_end(&p->y); y = next_tick(&p->y, y)) {
        line(out, x0, down(s, p, place, y), x0 + s->width, down(s, p, place, y), "#e4e7eb");
        number(out, x0 - 6, down(s, p, place, y) + 4, "end", &p->y, y);
    }
    for (double x = p->x.low; x <= past_end(&p->x); x = next_tick(&p->x, x))
        number(out, across(s, p, place, x), y0 + s->height + 17, "middle", &p->x, x);
    line(out, x0, y0 + s->height, x0 + s->width, y0 + s->height, "#7b8794");
    text(out, x0, y0 - 14, "start", "font-weight=\"bold\"", p->title);
    text(out, x0 + s->width, y0 + s->height + 34, "end", PALE, p->x.label);
}

static bool inside(const ts_axis *a, double value) {
    double room = 1e-9 * (a->logarithmic ? a->low : a->high - a->low);
    return value >= a->low - room && value <= past_end(a);
}

/* The line is broken where there is no value, and where it leaves the picture. */
static void draw(const ts_sheet *s, int place, const ts_panel *p, const ts_curve *c, int which) {
    FILE *out = s->out;
    bool pen = false;
    fprintf(out, "<path fill=\"none\" d=\"");
    for (int i = 0; i < c->count; i++) {
        bool in = inside(&p->x, c->x[i]) && inside(&p->y, c->y[i]);
        if (in)
            fprintf(out, "%c%.1f,%.1f", pen ? 'L' : 'M', across(s, p, place, c->x[i]),
                    down(s, p, place, c->y[i]));
        pen = in;
    }
    fprintf(out, "\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", INK[which % INKS], dashes(which));
    for (int i = 0; i < c->count && p->marks; i++)
        if (inside(&p->x, c->x[i]) && inside(&p->y, c->y[i]))
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
                    across(s, p, place, c->x[i]), down(s, p, place, c->y[i]), INK[which % INKS]);
}

void ts_plot_panel(const ts_sheet *s, int place, const ts_panel *panel, int curves,
                   const ts_curve *curve) {
    FILE *out = s->out;
    fprintf(out, "<g fill=\"#1f2933\">\n");
    frame(s, place, panel);
    fprintf(out, "</g>\n<g stroke-linejoin=\"round\">\n");
    for (int i = 0; i < curves; i++) draw(s, place, panel, &curve[i], i);
    fprintf(out, "</g>\n");
}

/* ---- a page ---- */

ts_sheet ts_sheet_of_three(FILE *out, int panels, int labels) {
    return (ts_sheet){out, panels, 3, .left = 60, .width = 250, .height = 240, .labels = labels};
}

void ts_plot_begin(const ts_sheet *s, const char *verb, const char *title) {
    int below = s->legend ? 0 : LINE * ((s->labels + s->across - 1) / s->across) + 20;
    int height = (int)bottom_of(s) + 50 + below;
    int width = (int)(s->left + s->across * (s->width + GAP) - GAP + EDGE) + s->legend;
    fprintf(s->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" "
            "fill=\"#1f2933\">" TS_STUDY_MARK
            "%s -->\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
            width, height, width, height, verb, width, height);
    text(s->out, 24, 32, "start", "font-size=\"18\" font-weight=\"bold\"", title);
}

static void label(FILE *out, double x, double y, int which, const char *words) {
    fprintf(out, "<path d=\"M%.1f,%.1fh18\" stroke=\"%s\" stroke-width=\"2.5\"%s/>\n", x, y - 4,
            INK[which % INKS], dashes(which));
    text(out, x + 24, y, "start", "font-size=\"12\"", words);
}

void ts_plot_label(const ts_sheet *s, int which, const char *words) {
    label(s->out, left_of(s, which % s->across), bottom_of(s) + 60 + LINE * (which / s->across),
          which, words);
}

void ts_plot_label_beside(const ts_sheet *s, int place, int which, const char *words) {
    label(s->out, left_of(s, place) + s->width + 16, top_of(s, place) + 10 + LINE * which, which,
          words);
}

void ts_plot_end(const ts_sheet *s) { fprintf(s->out, "</svg>\n"); }

/* ---- axes that fit ---- */

/* 1, 2 or 5 times a power of ten, so that there are about five. */
static double round_tick(double span) {
    double raw = span / 5, power = pow(10, floor(log10(raw))), lead = raw / power;
    return power * (lead > 5 ? 10 : lead > 2 ? 5 : lead > 1 ? 2 : 1);
}

ts_axis ts_axis_over(const char *label, bool logarithmic, int curves, const ts_curve *curve,
                     bool of_x) {
    double low = INFINITY, high = -INFINITY;
    for (int c = 0; c < curves; c++)
        for (int i = 0; i < curve[c].count; i++) {
            double value = of_x ? curve[c].x[i] : curve[c].y[i];
            if (!isfinite(value) || (logarithmic && !(value > 0))) continue;
            low = fmin(low, value), high = fmax(high, value);
        }
    ts_axis a = {.label = label, .logarithmic = logarithmic};
    if (!(low <= high)) low = high = logarithmic ? 1 : 0;
    if (logarithmic) {
        a.low = pow(10, floor(log10(low) + 1e-9)), a.high = pow(10, ceil(log10(high) - 1e-9));
        if (a.high <= a.low) a.high = 10 * a.low;
        return a;
    }
    if (high - low <= 1e-12 * fmax(fabs(low), fabs(high))) low -= 1, high += 1;
    a.tick = round_tick(high - low);
    a.low = a.tick * floor(low / a.tick + 1e-9), a.high = a.tick * ceil(high / a.tick - 1e-9);
    return a;
}
