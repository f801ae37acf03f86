/* SPDX-License-Identifier: Apache-2.0 */
/* Elastic energy of a part: the sum of V(e) over the laws of its sites, as the ledger sums over
 * all. See part_energy.h. */
#include "system/part_energy.h"

static bool stores(const ts_site *site) {
    const ts_law *law = site->law;
    return site->role == TS_ROLE_LAW && ts_law_stores(law) && !law->weighs && !law->outside &&
           !law->variable;
}

bool ts_part_stores(const ts_model *model, int p) {
    const ts_part *part = &model->parts[p];
    for (int i = part->site; i < part->site + part->sites; i++)
        if (stores(&model->sites[i])) return true;
    return false;
}

double ts_part_energy(const ts_system *system, int p) {
    const ts_model *model = system->model;
    const ts_part *part = &model->parts[p];
    double e[TS_MAX_FORMS], sum = 0;
    for (int i = part->site; i < part->site + part->sites; i++) {
        const ts_site *site = &model->sites[i];
        if (!stores(site)) continue;
        ts_site_values(model, site, system->state.q, e);
        sum += ts_site_energy(model, site, (ts_past){.memory = system->state.memory}, e);
    }
    return sum;
}
