/* States in which the equations hold, but which no matter can be in: an element that is inside out.
 *
 * Strains of Green are those of C = F^T F, and C does not know a mirrored F. Saint Venant's law even has a finite energy at det F = 0, and lets
 * an element be pressed through itself. So a site may name three vectors that have to stay right-handed (ts_site.handed): the columns of F in
 * a solid. A step that ends otherwise is no step: a shorter one may show a way around. (Shells name none: coarse ones crumple, the director
 * beyond the surface, and come back.)
 */
#include "base/error.h"
#include "model/mesh.h"
#include "scheme/stepper.h"

static bool is_right_handed(const double *N, int slots, const double *q) {
    double z[9] = {0};
    for (int k = 0; k < 9; k += 3)
        for (int s = 0; s < slots; s++, N++)
            for (int i = 0; i < 3; i++) z[k + i] += *N * q[3 * s + i];
    return m3_det(m3_load(z)) > 0;
}

static void look_at(ts_stepper *st, int element, double *scratch) {
    (void)scratch;
    const ts_model *model = st->model;
    int first = st->schedule->site[element], end = st->schedule->site[element + 1];
    double q[3 * TS_MAX_SLOTS];
    if (model->sites[first].handed < 0) return;
    ts_gather(model, model->sites[first].node, model->sites[first].nodes, st->q_f, q);
    for (int i = first; i < end; i++) {
        const ts_site *site = &model->sites[i];
        if (site->handed < 0 ||
            is_right_handed(model->interpolation + site->handed, site->ambient, q))
            continue;
#pragma omp critical(inside_out)
        if (st->inside_out < 0 || i < st->inside_out) st->inside_out = i;
        return;
    }
}

bool ts_inside_out(ts_stepper *st) {
    st->inside_out = -1;
    if (st->model->handed) ts_each_element(st, look_at);
    return st->inside_out >= 0;
}

/* The cell that a site of a part on a mesh belongs to: elements stand in the order of the cells. */
static int cell_of(const ts_model *model, int site) {
    const ts_part *part = &model->parts[model->sites[site].part];
    const ts_mesh_set *set = &ts_mesh_of(model, part->mesh)->set[part->mesh_set];
    int before = 0;
    for (int i = part->site; i < site; i++)
        before += model->sites[i + 1].node != model->sites[i].node;
    return set->cell[before];
}

int ts_fail_inside_out(const ts_stepper *st, double t) {
    const ts_model *model = st->model;
    const ts_part *part = &model->parts[model->sites[st->inside_out].part];
    char cell[160];
    ts_mesh_cell_words(ts_mesh_of(model, part->mesh), cell_of(model, st->inside_out), cell,
                       sizeof cell);
    return ts_blame(ts_fail(TORSOR_EDIVERGED,
                            "'%s', %s, is pressed inside out at t = %.9g s, however short the "
                            "step: take a material that resists it (neo_hookean), a finer mesh, "
                            "or less load",
                            part->name, cell, t),
                    part->name, t);
}
