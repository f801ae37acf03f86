/* The linear elastic law with proportional damping:  s = K (e_i + e_f)/2 + eta K S/h ,  V = e.K e/2 ,  S = e_f - e_i.
 *
 * (L) holds exactly:  s.S = V_f - V_i + eta S.K S/h. Numbers of a site: eta, then K row by row.
 */
#include "model/law.h"

static double quadratic(int m, const double *K, const double *a, const double *b) {
    double sum = 0;
    for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++) sum += a[j] * K[j * m + k] * b[k];
    return sum;
}

static double energy(const double *data, const double *memory, int m, const double *e) {
    (void)memory;
    return 0.5 * quadratic(m, data + 1, e, e);
}

static void respond(const ts_law_step *step, ts_response *out) {
    int m = step->m;
    const double *K = step->data + 1;
    double rate = step->data[0] * ts_step_rate(step), jump[TS_MAX_FORMS];
    for (int k = 0; k < m; k++) jump[k] = step->e_f[k] - step->e_i[k];
    for (int j = 0; j < m; j++) {
        double s = 0;
        for (int k = 0; k < m; k++) {
            s += K[j * m + k] * (0.5 * (step->e_i[k] + step->e_f[k]) + rate * jump[k]);
            out->ds[j * m + k] = K[j * m + k] * (0.5 + rate);
        }
        out->s[j] = s;
    }
    out->stored = 0.5 * quadratic(m, K, step->e_f, step->e_f);
    out->dissipated = rate * quadratic(m, K, jump, jump);
    out->work = 0;
}

static void stiffness(const double *data, const double *memory, int m, const double *e, double *K) {
    (void)memory, (void)e;
    for (int i = 0; i < m * m; i++) K[i] = data[1 + i];
}

const ts_law TS_LINEAR_LAW = {
    .name = "linear", .energy = energy, .respond = respond, .stiffness = stiffness};
