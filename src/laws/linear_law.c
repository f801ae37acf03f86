/* SPDX-License-Identifier: Apache-2.0 */
/* The linear elastic law with proportional damping:  s = K (e_i + e_f)/2 + eta K S/h ,  V = e.K
 * e/2 ,  S = e_f - e_i.
 *
 * (L) holds exactly:  s.S = V_f - V_i + eta S.K S/h. Numbers of a site: eta, then K row by row.
 */
#include "laws/linear_law.h"
#include "model/law.h"

static double energy(const double *data, const double *memory, int m, const double *e) {
    (void)memory;
    const double *K = data + 1;
    double sum = 0;
    for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++) sum += 0.5 * e[j] * K[j * m + k] * e[k];
    return sum;
}

/* The product of six rows of a beam is written out: residuals spend their time here. */
static double row_times(int m, const double *K, const double *x) {
    if (m == 6)
        return K[0] * x[0] + K[1] * x[1] + K[2] * x[2] + K[3] * x[3] + K[4] * x[4] + K[5] * x[5];
    double sum = 0;
    for (int k = 0; k < m; k++) sum += K[k] * x[k];
    return sum;
}

static void stress(const ts_law_step *step, double *s) {
    int m = step->m;
    const double *K = step->data + 1;
    double rate = step->data[0] * ts_step_rate(step), mean[TS_MAX_FORMS];
    for (int k = 0; k < m; k++)
        mean[k] = 0.5 * (step->e_i[k] + step->e_f[k]) + rate * (step->e_f[k] - step->e_i[k]);
    for (int j = 0; j < m; j++) s[j] = row_times(m, K + m * j, mean);
}

static void respond(const ts_law_step *step, ts_response *out) {
    int m = step->m;
    const double *K = step->data + 1;
    double rate = step->data[0] * ts_step_rate(step), jump[TS_MAX_FORMS];
    for (int k = 0; k < m; k++) jump[k] = step->e_f[k] - step->e_i[k];
    out->stored = out->dissipated = 0;
    stress(step, out->s);
    for (int j = 0; j < m; j++) {
        double at_end = 0, of_jump = 0;
        for (int k = 0; k < m; k++) {
            double K_jk = K[j * m + k];
            at_end += K_jk * step->e_f[k], of_jump += K_jk * jump[k];
            out->ds[j * m + k] = K_jk * (0.5 + rate);
        }
        out->stored += 0.5 * step->e_f[j] * at_end;
        out->dissipated += rate * jump[j] * of_jump;
    }
    out->work = 0;
}

static bool conserves(const double *data) { return data[0] == 0; }

static void stiffness(const double *data, const double *memory, int m, const double *e, double *K) {
    (void)memory, (void)e;
    for (int i = 0; i < m * m; i++) K[i] = data[1 + i];
}

const ts_law TS_LINEAR_LAW = {.name = "linear",
                              .energy = energy,
                              .respond = respond,
                              .stress = stress,
                              .conserves = conserves,
                              .stiffness = stiffness};
