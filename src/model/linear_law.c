/* The linear elastic law with proportional damping:  s = K (e_i + e_f)/2 + eta K S/h ,  V = e.K e/2 ,  S = e_f - e_i.
 *
 * (L) holds exactly:  s.S = V_f - V_i + eta S.K S/h. Numbers of a site: eta, then K row by row.
 */
#include "model/law.h"

static double energy(const double *data, const double *memory, int m, const double *e) {
    (void)memory;
    const double *K = data + 1;
    double sum = 0;
    for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++) sum += 0.5 * e[j] * K[j * m + k] * e[k];
    return sum;
}

static void respond(const ts_law_step *step, ts_response *out) {
    int m = step->m;
    const double *K = step->data + 1;
    double rate = step->data[0] * ts_step_rate(step), jump[TS_MAX_FORMS];
    for (int k = 0; k < m; k++) jump[k] = step->e_f[k] - step->e_i[k];
    out->stored = out->dissipated = 0;
    for (int j = 0; j < m; j++) {
        double s = 0, at_end = 0, of_jump = 0;
        for (int k = 0; k < m; k++) {
            double K_jk = K[j * m + k];
            s += K_jk * (0.5 * (step->e_i[k] + step->e_f[k]) + rate * jump[k]);
            at_end += K_jk * step->e_f[k], of_jump += K_jk * jump[k];
            out->ds[j * m + k] = K_jk * (0.5 + rate);
        }
        out->s[j] = s;
        out->stored += 0.5 * step->e_f[j] * at_end;
        out->dissipated += rate * jump[j] * of_jump;
    }
    out->work = 0;
}

static void stiffness(const double *data, const double *memory, int m, const double *e, double *K) {
    (void)memory, (void)e;
    for (int i = 0; i < m * m; i++) K[i] = data[1 + i];
}

const ts_law TS_LINEAR_LAW = {
    .name = "linear", .energy = energy, .respond = respond, .stiffness = stiffness};
