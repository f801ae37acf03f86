/* SPDX-License-Identifier: Apache-2.0 */
/* Three pictures side by side: spectral radius over all frequencies, damping ratio and period
 * error where the step resolves the vibration, as in S1 Figs 3 to 5 and S4 Figs 1 to 4. */
#include "api/studies/spectrum_plot.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "picture/plot.h"

static const char TITLE[] = "Properties of one step for a vibration";

static double radius(const ts_spectrum *s) { return s->radius; }
static double damping(const ts_spectrum *s) { return s->damping; }
static double period(const ts_spectrum *s) { return s->period_error; }

typedef struct picture {
    ts_panel panel;
    bool wide;
    double (*value)(const ts_spectrum *s);
} picture;

static void draw(const ts_sheet *out, int place, const picture *p, int count,
                 const ts_spectrum_curve *curve) {
    ts_curve *line = ts_calloc((size_t)count, sizeof *line);
    double **numbers = ts_calloc((size_t)count, sizeof *numbers);
    for (int c = 0; c < count; c++) {
        const ts_spectrum *s = p->wide ? curve[c].wide : curve[c].near;
        int points = p->wide ? curve[c].wide_count : curve[c].near_count;
        numbers[c] = ts_calloc(2 * (size_t)points + 1, sizeof(double));
        for (int i = 0; i < points; i++)
            numbers[c][i] = s[i].ratio, numbers[c][points + i] = p->value(&s[i]);
        line[c] = (ts_curve){points, numbers[c], numbers[c] + points};
    }
    ts_plot_panel(out, place, &p->panel, count, line);
    for (int c = 0; c < count; c++) free(numbers[c]);
    free(numbers), free(line);
}

void ts_spectrum_plot(FILE *out, int count, const ts_spectrum_curve *curve) {
    const ts_spectrum *wide = curve[0].wide;
    double low = wide[0].ratio, high = wide[curve[0].wide_count - 1].ratio;
    double near = curve[0].near[curve[0].near_count - 1].ratio;
    ts_axis all = {"step / period", low, high, 0, true}, few = {"step / period", 0, near, 0.1, 0};
    const picture pictures[] = {
        {{"spectral radius", all, {"", 0, 1.2, 0.2, false}, false}, true, radius},
        {{"damping ratio", few, {"", 0, 0.2, 0.05, false}, false}, false, damping},
        {{"period error", few, {"", 0, 0.4, 0.1, false}, false}, false, period}};
    enum { PICTURES = sizeof pictures / sizeof *pictures };
    ts_sheet sheet = ts_sheet_of_three(out, PICTURES, count);
    ts_plot_begin(&sheet, "spectrum", TITLE);
    for (int k = 0; k < PICTURES; k++) draw(&sheet, k, &pictures[k], count, curve);
    for (int i = 0; i < count; i++) ts_plot_label(&sheet, i, curve[i].label);
    ts_plot_end(&sheet);
}
