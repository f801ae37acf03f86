/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of modes, for modes.c and campbell.c. */
#ifndef TS_API_MODES_H
#define TS_API_MODES_H

#include "api/api.h"
#include "picture/report.h"

struct torsor_modes {
    ts_handle head;
    torsor_run *run;
    ts_modes *modes;
    bool buckling;
};

/* Modes by the options of "modes", with a share of their spin. */
int ts_modes_at_speed(torsor_modes **out, const torsor_model *model, const torsor_options *options,
                      double share);
/* The page of modes about the state of a run. */
int ts_modes_page(const torsor_run *run, const ts_drawn_modes *drawn, const char *path);
/* The scene of a run, and modes about it if there are any: scene.c. */
int ts_scene_write(const torsor_run *run, const ts_drawn_modes *modes, FILE *out);

#endif
