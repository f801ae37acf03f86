/* Three pictures side by side: spectral radius over all frequencies, damping ratio and period error where the step resolves the
 * vibration, as in S1 Figs 3 to 5 and S4 Figs 1 to 4. Plain SVG, in the style of docs/papers.
 */
#include "cli/spectrum_plot.h"

#include <math.h>

enum { LEFT = 60, TOP = 70, WIDTH = 250, HEIGHT = 240, GAP = 70, PAGE = 1010, LINE = 18 };
static const char *const INK[] = {"#2563a8", "#c53030", "#2f855a", "#d97706",
                                  "#6b46c1", "#1f2933", "#0f8b8d", "#b83280"};
enum { INKS = sizeof INK / sizeof *INK };

/* When the inks have been used up, dashed. */
static const char *dashes(int i) { return i / INKS % 2 ? " stroke-dasharray=\"6 3\"" : ""; }

/* A picture: where it stands and what its axes span. */
typedef struct panel {
    const char *title;
    double x0, low, high, bottom, top, tick_x, tick_y;
    bool logarithmic, wide;
    double (*value)(const ts_spectrum *s);
} panel;

static double radius(const ts_spectrum *s) { return s->radius; }
static double damping(const ts_spectrum *s) { return s->damping; }
static double period(const ts_spectrum *s) { return s->period_error; }

static double across(const panel *p, double x) {
    double at = p->logarithmic ? log10(x / p->low) / log10(p->high / p->low)
                               : (x - p->low) / (p->high - p->low);
    return p->x0 + WIDTH * at;
}
static double down(const panel *p, double y) {
    return TOP + HEIGHT * (p->top - y) / (p->top - p->bottom);
}

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
    snprintf(words, sizeof words, "%g", fabs(value) < 1e-12 ? 0 : value);
    text(out, x, y, anchor, "fill=\"#7b8794\" font-size=\"12\"", words);
}

static void frame(FILE *out, const panel *p) {
    for (double y = p->bottom; y < p->top + 1e-9; y += p->tick_y) {
        line(out, p->x0, down(p, y), p->x0 + WIDTH, down(p, y), "#e4e7eb");
        number(out, p->x0 - 6, down(p, y) + 4, "end", y);
    }
    double end = p->high * (1 + 1e-9);
    for (double x = p->low; x <= end; x = p->logarithmic ? 10 * x : x + p->tick_x)
        number(out, across(p, x), TOP + HEIGHT + 17, "middle", x);
    line(out, p->x0, TOP + HEIGHT, p->x0 + WIDTH, TOP + HEIGHT, "#7b8794");
    text(out, p->x0, TOP - 14, "start", "font-weight=\"bold\"", p->title);
    text(out, p->x0 + WIDTH, TOP + HEIGHT + 34, "end", "fill=\"#7b8794\" font-size=\"12\"",
         "step / period");
}

/* The line is broken where there is no value, and where it leaves the picture. */
static void draw(FILE *out, const panel *p, const cli_curve *c, int which) {
    const ts_spectrum *s = p->wide ? c->wide : c->near;
    int count = p->wide ? c->wide_count : c->near_count;
    bool pen = false;
    fprintf(out, "<path d=\"");
    for (int i = 0; i < count; i++) {
        double y = p->value(&s[i]);
        bool inside = y >= p->bottom - 1e-9 && y <= p->top + 1e-9;
        if (inside) fprintf(out, "%c%.1f,%.1f", pen ? 'L' : 'M', across(p, s[i].ratio), down(p, y));
        pen = inside;
    }
    fprintf(out, "\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", INK[which % INKS], dashes(which));
}

static void legend(FILE *out, int count, const cli_curve *curve) {
    for (int i = 0; i < count; i++) {
        double x = LEFT + (i % 3) * (WIDTH + GAP), y = TOP + HEIGHT + 60 + LINE * (i / 3);
        fprintf(out, "<path d=\"M%.1f,%.1fh18\" stroke=\"%s\" stroke-width=\"2.5\"%s/>\n", x, y - 4,
                INK[i % INKS], dashes(i));
        text(out, x + 24, y, "start", "font-size=\"12\"", curve[i].label);
    }
}

void cli_spectrum_plot(FILE *out, int count, const cli_curve *curve) {
    const ts_spectrum *wide = curve[0].wide;
    double low = wide[0].ratio, high = wide[curve[0].wide_count - 1].ratio;
    double near = curve[0].near[curve[0].near_count - 1].ratio, step = WIDTH + GAP;
    const panel panels[] = {
        {"spectral radius", LEFT, low, high, 0, 1.2, 0, 0.2, true, true, radius},
        {"damping ratio", LEFT + step, 0, near, 0, 0.2, 0.1, 0.05, false, false, damping},
        {"period error", LEFT + 2 * step, 0, near, 0, 0.4, 0.1, 0.1, false, false, period}};
    int height = TOP + HEIGHT + 70 + LINE * ((count + 2) / 3);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" "
            "fill=\"#1f2933\">\n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
            PAGE, height, PAGE, height, PAGE, height);
    text(out, 24, 32, "start", "font-size=\"18\" font-weight=\"bold\"",
         "What one step does to a vibration");
    fprintf(out, "<g fill=\"#1f2933\">\n");
    for (int k = 0; k < 3; k++) frame(out, &panels[k]);
    fprintf(out, "</g>\n<g fill=\"none\" stroke-linejoin=\"round\">\n");
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < count; i++) draw(out, &panels[k], &curve[i], i);
    fprintf(out, "</g>\n");
    legend(out, count, curve);
    fprintf(out, "</svg>\n");
}
