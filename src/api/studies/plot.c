/* Panels, axes and curves as SVG. See plot.h. */
#include "api/studies/plot.h"

#include <math.h>

#include "base/place.h"

enum { LEFT = 60, TOP = 70, WIDTH = 250, HEIGHT = 240, GAP = 70, PAGE = 1010, LINE = 18 };
enum { ACROSS = 3, BELOW = HEIGHT + 90 };
static const char *const INK[] = {"#2563a8", "#c53030", "#2f855a", "#d97706",
                                  "#6b46c1", "#1f2933", "#0f8b8d", "#b83280"};
enum { INKS = sizeof INK / sizeof *INK };
static const char PALE[] = "fill=\"#7b8794\" font-size=\"12\"";

/* When the inks have been used up, dashed. */
static const char *dashes(int i) { return i / INKS % 2 ? " stroke-dasharray=\"6 3\"" : ""; }

/* ---- marks on the paper ---- */

static void text(FILE *out, double x, double y, const char *anchor, const char *rest,
                 const char *words) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>\n", x, y, anchor,
            rest, words);
}

static void line(FILE *out, double x1, double y1, double x2, double y2, const char *ink) {
    fprintf(out, "<path d=\"M%.1f,%.1fL%.1f,%.1f\" stroke=\"%s\"/>\n", x1, y1, x2, y2, ink);
}

static void number(FILE *out, double x, double y, const char *anchor, double value) {
    char words[24];
    snprintf(words, sizeof words, "%.4g", fabs(value) < 1e-300 ? 0 : value);
    text(out, x, y, anchor, PALE, words);
}

/* ---- places ---- */

static double left_of(int place) { return LEFT + (place % ACROSS) * (WIDTH + GAP); }
static double top_of(int place) { return TOP + (place / ACROSS) * BELOW; }
static double bottom_of(int panels) { return top_of(panels - 1) + HEIGHT; }

static double share(const ts_axis *a, double value) {
    return a->logarithmic ? log10(value / a->low) / log10(a->high / a->low)
                          : (value - a->low) / (a->high - a->low);
}

static double across(const ts_panel *p, int place, double x) {
    return left_of(place) + WIDTH * share(&p->x, x);
}
static double down(const ts_panel *p, int place, double y) {
    return top_of(place) + HEIGHT * (1 - share(&p->y, y));
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

static void frame(FILE *out, int place, const ts_panel *p) {
    double x0 = left_of(place), y0 = top_of(place);
    for (double y = p->y.low; y < past_end(&p->y); y = next_tick(&p->y, y)) {
        line(out, x0, down(p, place, y), x0 + WIDTH, down(p, place, y), "#e4e7eb");
        number(out, x0 - 6, down(p, place, y) + 4, "end", y);
    }
    for (double x = p->x.low; x <= past_end(&p->x); x = next_tick(&p->x, x))
        number(out, across(p, place, x), y0 + HEIGHT + 17, "middle", x);
    line(out, x0, y0 + HEIGHT, x0 + WIDTH, y0 + HEIGHT, "#7b8794");
    text(out, x0, y0 - 14, "start", "font-weight=\"bold\"", p->title);
    text(out, x0 + WIDTH, y0 + HEIGHT + 34, "end", PALE, p->x.label);
}

static bool inside(const ts_axis *a, double value) {
    double room = 1e-9 * (a->logarithmic ? a->low : a->high - a->low);
    return value >= a->low - room && value <= past_end(a);
}

/* The line is broken where there is no value, and where it leaves the picture. */
static void draw(FILE *out, int place, const ts_panel *p, const ts_curve *c, int which) {
    bool pen = false;
    fprintf(out, "<path fill=\"none\" d=\"");
    for (int i = 0; i < c->count; i++) {
        bool in = inside(&p->x, c->x[i]) && inside(&p->y, c->y[i]);
        if (in)
            fprintf(out, "%c%.1f,%.1f", pen ? 'L' : 'M', across(p, place, c->x[i]),
                    down(p, place, c->y[i]));
        pen = in;
    }
    fprintf(out, "\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", INK[which % INKS], dashes(which));
    for (int i = 0; i < c->count && p->marks; i++)
        if (inside(&p->x, c->x[i]) && inside(&p->y, c->y[i]))
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
                    across(p, place, c->x[i]), down(p, place, c->y[i]), INK[which % INKS]);
}

void ts_plot_panel(FILE *out, int place, const ts_panel *panel, int curves, const ts_curve *curve) {
    fprintf(out, "<g fill=\"#1f2933\">\n");
    frame(out, place, panel);
    fprintf(out, "</g>\n<g stroke-linejoin=\"round\">\n");
    for (int i = 0; i < curves; i++) draw(out, place, panel, &curve[i], i);
    fprintf(out, "</g>\n");
}

/* ---- a page ---- */

void ts_plot_begin(FILE *out, const char *verb, const char *title, int panels, int labels) {
    int height = (int)bottom_of(panels) + 70 + LINE * ((labels + ACROSS - 1) / ACROSS);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" "
            "fill=\"#1f2933\">" TS_STUDY_MARK
            "%s -->\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
            PAGE, height, PAGE, height, verb, PAGE, height);
    text(out, 24, 32, "start", "font-size=\"18\" font-weight=\"bold\"", title);
}

void ts_plot_label(FILE *out, int panels, int i, const char *words) {
    double x = LEFT + (i % ACROSS) * (WIDTH + GAP);
    double y = bottom_of(panels) + 60 + LINE * (i / ACROSS);
    fprintf(out, "<path d=\"M%.1f,%.1fh18\" stroke=\"%s\" stroke-width=\"2.5\"%s/>\n", x, y - 4,
            INK[i % INKS], dashes(i));
    text(out, x + 24, y, "start", "font-size=\"12\"", words);
}

void ts_plot_end(FILE *out) { fprintf(out, "</svg>\n"); }

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
