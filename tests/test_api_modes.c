/* SPDX-License-Identifier: Apache-2.0 */
/* Campbell diagrams, pages of modes, and colours of a run by the public interface. Numbers against
 * closed forms: a mass on springs that are the same all round, seen from a frame that turns with W,
 * has the frequencies |w - W| and w + W; a bar pulled by a traction has this stress everywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "torsor/torsor.h"

#include "fine.h"

static char folder[] = "/tmp/torsor-modes-XXXXXX";

static torsor_model *model_of(const char *text) {
    torsor_model *m;
    FINE(torsor_model_parse(&m, text, strlen(text), "model"));
    return m;
}

static const char DISC[] =
    "torsor: 1\nunits: SI\nbodies: {disc: {mass: 1, inertia: [0.02, 0.02, 0.04]}}\n"
    "springs:\n  bed: {type: bushing, bodies: [ground, disc], at: [0, 0, 0],"
    " stiffness: [1e4, 1e4, 62500, 1e3, 1e3, 4e4]}\n";

/* rad/s of a curve at a speed; NaN: it is not known there */
static double omega_of(const torsor_campbell *c, int speed, int curve) {
    torsor_mode mode;
    int k = torsor_campbell_mode(c, speed, curve);
    if (k < 0) return NAN;
    FINE(torsor_modes_get(torsor_campbell_modes(c, speed), k, &mode));
    return mode.frequency;
}

/* How far the nearest curve is from |w + sense W|, over all speeds. */
static double nearest(const torsor_campbell *c, double w, double sense) {
    double best = INFINITY;
    for (int curve = 0; curve < torsor_campbell_curves(c); curve++) {
        double worst = 0;
        for (int s = 0; s < torsor_campbell_speeds(c); s++) {
            double spin[3], about[3], found = omega_of(c, s, curve);
            torsor_modes_rotation(torsor_campbell_modes(c, s), spin, about);
            double away = fabs(found - fabs(w + sense * spin[2]));
            worst = away <= worst ? worst : isnan(away) ? INFINITY : away;
        }
        best = worst < best ? worst : best;
    }
    return best;
}

/* Without npm there is no page: then nothing is written. */
static void is_page(int status, const char *path) {
    if (torsor_report_check(path) != 0 && status) return;
    FINE(status);
    assert_int_equal(access(path, R_OK), 0);
}

static void curves_are_closed_forms(void **state) {
    (void)state;
    char path[80];
    torsor_model *m = model_of(DISC);
    torsor_options *o;
    torsor_campbell *c;
    FINE(torsor_options_new(&o, "modes"));
    FINE(torsor_options_set(o, "spin", "[0, 0, 150]"));
    FINE(torsor_options_set(o, "speeds", "11"));
    FINE(torsor_campbell_new(&c, m, o));
    assert_int_equal(torsor_campbell_speeds(c), 11);
    assert_true(torsor_campbell_curves(c) >= 6);
    assert_true(nearest(c, 100, 1) < 1e-6);  /* w + W */
    assert_true(nearest(c, 100, -1) < 1e-6); /* |w - W|: through a critical speed */
    assert_true(nearest(c, 250, 0) < 1e-6);  /* along the axis */
    assert_true(nearest(c, 120, 0) > 1);
    assert_null(torsor_campbell_modes(c, 11));
    assert_int_equal(torsor_campbell_mode(c, 11, 0), -1);
    snprintf(path, sizeof path, "%s/campbell.html", folder);
    is_page(torsor_campbell_report(c, path), path);
    snprintf(path, sizeof path, "%s/modes.html", folder);
    is_page(torsor_modes_report(torsor_campbell_modes(c, 0), path), path);
    torsor_campbell_free(c), torsor_options_free(o), torsor_model_free(m);
}

/* a traction of 600 Pa */
static const char BAR[] = "torsor: 1\nunits: SI\nmaterials: {m: {E: 1e6, nu: 0, density: 1}}\n"
                          "meshes: {box: {type: box, size: [4, 2, 3], divisions: [2, 1, 1]}}\n"
                          "solids: {bar: {mesh: box, material: m}}\n"
                          "joints: {wall: {type: support, nodes: bar.x-}}\n"
                          "loads: {pull: {type: surface_load, faces: bar.x+, force: [600, 0, 0]}}\n"
                          "analysis: {type: static}\n";

static void colours_are_stresses(void **state) {
    (void)state;
    torsor_model *m = model_of(BAR);
    torsor_run *run;
    torsor_paint *paint;
    FINE(torsor_run_new(&run, m));
    assert_int_equal(torsor_paint_new(&paint, run, "blue"), TORSOR_EINVAL);
    assert_null(paint);
    assert_non_null(strstr(torsor_error(), "'blue'"));
    FINE(torsor_paint_new(&paint, run, "von_mises_stress"));
    int count = torsor_paint_count(paint);
    assert_true(count >= 2);
    float *value = calloc((size_t)count, sizeof *value);
    FINE(torsor_paint_read(paint, value));
    for (int i = 0; i < count; i++)
        if (!(fabsf(value[i]) < 1e-6f)) fail_msg("station %d at first: %g Pa", i, (double)value[i]);
    FINE(torsor_run_to(run, INFINITY));
    FINE(torsor_paint_read(paint, value));
    for (int i = 0; i < count; i++)
        if (!(fabs((double)value[i] - 600) < 1)) fail_msg("station %d: %g Pa", i, (double)value[i]);
    free(value);
    torsor_paint_free(paint), torsor_run_free(run), torsor_model_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_closed_forms),
        cmocka_unit_test(colours_are_stresses),
    };
    if (!mkdtemp(folder)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return failed || system(command);
}
