/* SPDX-License-Identifier: Apache-2.0 */
/* Bushing: a 6x6 spring and damper between two frames.
 *
 * Displacements u_k = e_k^A . (P_B - P_A) and rotation vector psi of frame B relative to frame A,
 * both in axes of A. Of the relative rotation R_ij = e_i^A . e_j^B the forms are the axial vector a
 * = sin(th) n and c = cos(th) = (tr R - 1)/2; a and c are bilinear in the directors. psi = f(c) a
 * with f = th / sin th, a smooth function of c > -1 (|psi| < pi), so by the product rule, exactly,
 *
 *     psi_f - psi_i = fm (a_f - a_i) + am f[c_i, c_f] (c_f - c_i) ,
 *
 * m: means, f[..]: divided difference. With y = (u, psi) this is y_f - y_i = G (e_f - e_i), and the
 * stress
 *
 *     s = G^T ( K (y_i + y_f)/2 + C (y_f - y_i)/h )
 *
 * gives exactly the change of the energy y.K y / 2 and the dissipation. f solves (1 - c^2) f' = c f
 * - 1.
 *
 * Hardening adds k3 y^3 of every measure, with the energy k3 y^4/4 (elastic.c). Maxwell branches
 * have deflections z that relax, z' = y' - z/T, and the force p K z, p the share of the branch in
 * the stiffness: the rule of laws/inner.c, for six measures at once.
 */
#include "base/error.h"
#include "laws/inner.h"
#include "math/dense.h"
#include "parts/parts.h"

enum { STIFFNESS = TS_JOINT_OWN, DAMPING, CUBIC, TURNING_CUBIC, SHARE, TIME };
enum { FORMS = 7, COSINE = 6 }; /* u1 u2 u3 a1 a2 a3 c */

static const ts_field FIELDS[] = {
    TS_JOINT_FIELDS("z of the bushing's frame (global, as drawn).",
                    "z of the frame on B, where it differs as drawn."),
    {.name = "stiffness",
     .type = TS_MATRIX6,
     .dim = TS_DIM_STIFFNESS,
     .required = true,
     .help = "Stiffness over three displacements and the rotation vector, axes of A's frame; "
             "symmetric, not negative."},
    {.name = "damping",
     .type = TS_MATRIX6,
     .dim = TS_DIM_DAMPING,
     .help = "Damping over the rates of the same.",
     .fallback = "0"},
    {.name = "cubic",
     .type = TS_VECTOR,
     .choices = TS_LOCAL,
     .dim = TS_DIM_CUBIC,
     .help = "Hardening along the three axes of A's frame: this times the cube of the displacement "
             "is added to the force.",
     .fallback = "0"},
    {.name = "turning_cubic",
     .type = TS_VECTOR,
     .choices = TS_LOCAL,
     .dim = TS_DIM_TURNING_CUBIC,
     .help = "Hardening of the three components of the rotation vector.",
     .fallback = "0"},
    {.name = "maxwell_share",
     .type = TS_NUMBERS,
     .help = "Maxwell branches, springs with a dashpot in series, in parallel: the stiffness of "
             "each as a share of `stiffness`. It is stiffer when it moves fast.",
     .fallback = "none"},
    {.name = "maxwell_time",
     .type = TS_NUMBERS,
     .dim = TS_DIM_TIME,
     .help = "Relaxation time of each Maxwell branch.",
     .fallback = "none"},
    {0}};

/* ---- f(c) = acos(c) / sqrt(1 - c^2) and its derivatives ---- */

typedef struct turn {
    double f, df, ddf; /* by c */
} turn;

/* Near c = 1, powers of x = (1 - c)/2: f = sum a_n x^n, a_{n+1} = a_n (2n + 2)/(2n + 3). */
static turn near_one(double x) {
    double a = 1, p = 1, f = 1, fx = 0, fxx = 0;
    double p1 = 0, p2 = 0; /* first and second derivative of x^n */
    for (int n = 0; n < 24; n++) {
        a *= (2.0 * n + 2) / (2.0 * n + 3);
        p2 = x * p2 + 2 * p1, p1 = x * p1 + p, p *= x;
        f += a * p, fx += a * p1, fxx += a * p2;
    }
    return (turn){f, -0.5 * fx, 0.25 * fxx};
}

static turn turn_at(double c) {
    double x = 0.5 * (1 - c);
    if (x < 0.1) return near_one(x);
    double g = fmax((1 - c) * (1 + c), 1e-12); /* kept from zero at half a turn */
    double f = 2 * asin(sqrt(fmin(x, 1))) / sqrt(g);
    double df = (c * f - 1) / g;
    return (turn){f, df, (f + 3 * c * df) / g};
}

/* f[c_i, c_f] and its derivative by c_f: by difference where that is safe, else the mean of f' over
 * the step. */
static double divided_difference(double c_i, double c_f, double *slope) {
    static const double node[2] = {0.3399810435848562648, 0.8611363115940525752};
    static const double weight[2] = {0.6521451548625461426, 0.3478548451374538574};
    double delta = c_f - c_i, mean = 0.5 * (c_i + c_f), sum = 0;
    if (fabs(delta) > 0.05 * (1 + mean)) {
        turn i = turn_at(c_i), f = turn_at(c_f);
        sum = (f.f - i.f) / delta;
        *slope = (f.df - sum) / delta;
        return sum;
    }
    *slope = 0;
    for (int k = 0; k < 4; k++) {
        double x = k % 2 ? node[k / 2] : -node[k / 2], w = 0.5 * weight[k / 2];
        turn t = turn_at(mean + 0.5 * delta * x);
        sum += w * t.df, *slope += w * 0.5 * (1 + x) * t.ddf;
    }
    return sum;
}

/* ---- the law ---- */

/* Numbers: K and C, row-major; hardening; how many branches, share and time of each. Memory: the
 * deflections of the branches. */
enum { DATA_C = 36, DATA_CUBIC = 72, DATA_BRANCHES = 78, DATA_BRANCH };

static void measures(const double *e, double *y) {
    double f = turn_at(e[COSINE]).f;
    for (int k = 0; k < 3; k++) y[k] = e[k], y[k + 3] = f * e[k + 3];
}

static void multiply(const double *A, const double *x, double factor, double *y) {
    for (int j = 0; j < 6; j++)
        for (int k = 0; k < 6; k++) y[j] += factor * A[6 * j + k] * x[k];
}

static double half_square(const double *K, const double *y) {
    double Ky[6] = {0}, twice = 0;
    multiply(K, y, 1, Ky);
    for (int k = 0; k < 6; k++) twice += y[k] * Ky[k];
    return 0.5 * twice;
}

static double spring_energy(const double *data, const double *e) {
    double y[6], sum = 0;
    measures(e, y);
    for (int k = 0; k < 6; k++) sum += 0.25 * data[DATA_CUBIC + k] * y[k] * y[k] * y[k] * y[k];
    return sum + half_square(data, y);
}

static double energy(const double *data, const double *memory, int m, const double *e) {
    double sum = spring_energy(data, e);
    (void)m;
    for (int i = 0; i < (int)data[DATA_BRANCHES]; i++)
        sum += data[DATA_BRANCH + 2 * i] * half_square(data, memory + 6 * i);
    return sum;
}

/* The branches over a step: mean and last deflections, the slope of the mean by the change of y. At
 * rest they keep their force. */
typedef struct relaxing {
    double mean[6], end[6], phi, x;
} relaxing;

static void relax(const ts_law_step *step, int branch, const double *delta, relaxing *out) {
    const double *z = step->memory + 6 * branch;
    double time = step->data[DATA_BRANCH + 2 * branch + 1], h = step->t_f - step->t_i, phi[2];
    bool rest = !(h > 0);
    *out = (relaxing){.x = rest ? 0 : h / time};
    double fall = ts_inner_relax(out->x, phi);
    if (rest) fall = phi[0] = 1, phi[1] = 0;
    out->phi = phi[1];
    for (int k = 0; k < 6; k++) {
        out->mean[k] = phi[0] * z[k] + phi[1] * delta[k];
        out->end[k] = rest ? z[k] : fall * z[k] + phi[0] * delta[k];
    }
}

/* Adds the forces of all branches; returns the sum of their slopes, in shares of K. */
static double add_branches(const ts_law_step *step, const double *delta, double *F,
                           ts_response *out) {
    double slope = 0;
    for (int i = 0; i < (int)step->data[DATA_BRANCHES]; i++) {
        const double *z = step->memory + 6 * i;
        double share = step->data[DATA_BRANCH + 2 * i], Km[6] = {0}, lost = 0;
        relaxing b;
        relax(step, i, delta, &b);
        multiply(step->data, b.mean, share, Km);
        for (int k = 0; k < 6; k++) F[k] += Km[k], lost += Km[k] * b.mean[k] * b.x;
        double off[6] = {0}, change[6];
        for (int k = 0; k < 6; k++)
            off[k] = b.mean[k] - 0.5 * (z[k] + b.end[k]), change[k] = b.end[k] - z[k];
        double Ko[6] = {0};
        multiply(step->data, off, share, Ko);
        for (int k = 0; k < 6; k++) lost += Ko[k] * change[k];
        slope += share * b.phi;
        out->stored += share * half_square(step->data, b.end), out->dissipated += lost;
    }
    return slope;
}

/* y' = I for displacements; (f, a df) for the rotation: the 6x7 matrix applied to forms, or its
 * transpose to forces. */
typedef struct gradient {
    double f, column[3];
} gradient;

static void carry_forces(gradient G, const double *F, double *s) {
    for (int k = 0; k < 3; k++) s[k] = F[k], s[k + 3] = G.f * F[k + 3];
    s[COSINE] = G.column[0] * F[3] + G.column[1] * F[4] + G.column[2] * F[5];
}

static void gradient_column(gradient G, int form, double *y) {
    for (int k = 0; k < 6; k++) y[k] = k == form ? (k < 3 ? 1 : G.f) : 0;
    if (form == COSINE)
        for (int k = 0; k < 3; k++) y[k + 3] = G.column[k];
}

static gradient gradient_at(const double *e) {
    turn t = turn_at(e[COSINE]);
    return (gradient){t.f, {t.df * e[3], t.df * e[4], t.df * e[5]}};
}

static void change_of_measures(gradient G, const double *e_i, const double *e_f, double *delta) {
    for (int k = 0; k < 3; k++) {
        delta[k] = e_f[k] - e_i[k];
        delta[k + 3] = G.f * (e_f[k + 3] - e_i[k + 3]) + G.column[k] * (e_f[COSINE] - e_i[COSINE]);
    }
}

/* ds = G^T (K/2 + C/h) y'_f, column by column, with the share of K of all branches; then the
 * derivative of G with the force held. */
static void tangent(const ts_law_step *step, gradient G, const double *F, double share,
                    ts_response *out) {
    gradient at_f = gradient_at(step->e_f);
    double y_i[6], y_f[6], cubic[6];
    measures(step->e_i, y_i), measures(step->e_f, y_f);
    for (int k = 0; k < 6; k++)
        cubic[k] = 0.25 * step->data[DATA_CUBIC + k] *
                   (y_i[k] * y_i[k] + 2 * y_i[k] * y_f[k] + 3 * y_f[k] * y_f[k]);
    for (int k = 0; k < FORMS; k++) {
        double y[6], dF[6] = {0}, ds[FORMS];
        gradient_column(at_f, k, y);
        multiply(step->data, y, 0.5 + share, dF);
        multiply(step->data + DATA_C, y, ts_step_rate(step), dF);
        for (int j = 0; j < 6; j++) dF[j] += cubic[j] * y[j];
        carry_forces(G, dF, ds);
        for (int j = 0; j < FORMS; j++) out->ds[j * FORMS + k] = ds[j];
    }
    double slope, d = divided_difference(step->e_i[COSINE], step->e_f[COSINE], &slope);
    double half_df = 0.5 * turn_at(step->e_f[COSINE]).df;
    for (int k = 3; k < 6; k++) {
        out->ds[k * FORMS + COSINE] += half_df * F[k];
        out->ds[COSINE * FORMS + k] += 0.5 * d * F[k];
        out->ds[COSINE * FORMS + COSINE] += slope * 0.5 * (step->e_i[k] + step->e_f[k]) * F[k];
    }
}

static void respond(const ts_law_step *step, ts_response *out) {
    const double *e_i = step->e_i, *e_f = step->e_f;
    double y_i[6], y_f[6], mean[6], delta[6], F[6] = {0}, drag[6] = {0}, slope;
    measures(e_i, y_i), measures(e_f, y_f);
    double d = divided_difference(e_i[COSINE], e_f[COSINE], &slope);
    gradient G = {.f = 0.5 * (turn_at(e_i[COSINE]).f + turn_at(e_f[COSINE]).f)};
    for (int k = 0; k < 3; k++) G.column[k] = 0.5 * d * (e_i[k + 3] + e_f[k + 3]);
    change_of_measures(G, e_i, e_f, delta);
    for (int k = 0; k < 6; k++) mean[k] = 0.5 * (y_i[k] + y_f[k]);
    multiply(step->data, mean, 1, F);
    multiply(step->data + DATA_C, delta, ts_step_rate(step), drag);

    *out = (ts_response){.stored = spring_energy(step->data, e_f)};
    for (int k = 0; k < 6; k++) F[k] += drag[k], out->dissipated += drag[k] * delta[k];
    for (int k = 0; k < 6; k++)
        F[k] += 0.25 * step->data[DATA_CUBIC + k] * (y_i[k] + y_f[k]) *
                (y_i[k] * y_i[k] + y_f[k] * y_f[k]);
    double share = add_branches(step, delta, F, out);
    carry_forces(G, F, out->s);
    tangent(step, G, F, share, out);
}

static void stiffness(const double *data, const double *memory, int m, const double *e, double *K) {
    (void)memory, (void)m;
    gradient G = gradient_at(e);
    double at[6];
    measures(e, at);
    for (int k = 0; k < FORMS; k++) {
        double y[6], F[6] = {0}, s[FORMS];
        gradient_column(G, k, y);
        multiply(data, y, 1, F);
        for (int j = 0; j < 6; j++) F[j] += 3 * data[DATA_CUBIC + j] * at[j] * at[j] * y[j];
        carry_forces(G, F, s);
        for (int j = 0; j < FORMS; j++) K[j * FORMS + k] = s[j];
    }
}

/* The change of y over a step, as in respond. */
static void change_over(const ts_law_step *step, double *delta) {
    const double *e_i = step->e_i, *e_f = step->e_f;
    double slope, d = divided_difference(e_i[COSINE], e_f[COSINE], &slope);
    gradient G = {.f = 0.5 * (turn_at(e_i[COSINE]).f + turn_at(e_f[COSINE]).f)};
    for (int k = 0; k < 3; k++) G.column[k] = 0.5 * d * (e_i[k + 3] + e_f[k + 3]);
    change_of_measures(G, e_i, e_f, delta);
}

static void commit(const ts_law_step *step, double *memory) {
    double delta[6];
    relaxing b;
    if (step->data[DATA_BRANCHES] == 0) return;
    change_over(step, delta);
    for (int i = 0; i < (int)step->data[DATA_BRANCHES]; i++) {
        relax(step, i, delta, &b);
        for (int k = 0; k < 6; k++) memory[6 * i + k] = b.end[k];
    }
}

static const ts_law BUSHING = {.name = "bushing",
                               .energy = energy,
                               .respond = respond,
                               .stiffness = stiffness,
                               .commit = commit};

/* ---- building ---- */

static void add_forms(ts_model *model) {
    ts_combo A[3], B[3];
    for (int k = 0; k < 3; k++) {
        ts_form_joint_displacement(model, k);
        A[k] = ts_joint_axis(model, 0, k), B[k] = ts_joint_axis(model, 1, k);
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        ts_form_dot(model, 0.5, A[j], B[i], 0);
        ts_form_plus_dot(model, -0.5, A[i], B[j]);
    }
    ts_form_dot(model, 0.5, A[0], B[0], -0.5);
    ts_form_plus_dot(model, 0.5, A[1], B[1]);
    ts_form_plus_dot(model, 0.5, A[2], B[2]);
}

/* The symmetric part with a unit diagonal, so that the units of its rows do not matter. */
static void scaled_symmetric(const double *A, double *S) {
    for (int j = 0; j < 6; j++)
        for (int k = 0; k < 6; k++) {
            double scale = sqrt(fabs(A[7 * j] * A[7 * k])),
                   sum = 0.5 * (A[6 * j + k] + A[6 * k + j]);
            S[6 * j + k] = sum == 0 ? 0 : scale > 0 ? sum / scale : copysign(HUGE_VAL, sum);
        }
}

static int check_matrix(ts_builder *b, int field, const double *A, const char *name) {
    double S[36], eigenvalue[6];
    scaled_symmetric(A, S);
    for (int k = 0; k < 36; k++)
        if (isinf(S[k]))
            return ts_build_fail(b, field, NULL,
                                 "%s couples row %d and column %d, but one of them is zero on the "
                                 "diagonal",
                                 name, k / 6 + 1, k % 6 + 1);
    ts_dense_eigenvalues(6, S, eigenvalue);
    if (eigenvalue[0] < -1e-9)
        return ts_build_fail(b, field, NULL, "%s has a negative eigenvalue: it would create energy",
                             name);
    return 0;
}

static int check_symmetry(ts_builder *b, const double *A) {
    for (int j = 0; j < 6; j++)
        for (int k = 0; k < j; k++) {
            double p = A[6 * j + k], q = A[6 * k + j];
            if (fabs(p - q) > 1e-9 * (fabs(p) + fabs(q)))
                return ts_build_fail(b, STIFFNESS, NULL,
                                     "the stiffness is not symmetric: %g in row %d, column %d; %g "
                                     "across the diagonal",
                                     p, j + 1, k + 1, q);
        }
    return 0;
}

static int check_branches(ts_builder *b, const ts_value *value) {
    const ts_value *share = &value[SHARE], *time = &value[TIME];
    if (share->count != time->count)
        return ts_build_fail(b, share->given ? SHARE : TIME, "one number for each branch",
                             "maxwell_share has %d numbers, maxwell_time has %d", share->count,
                             time->count);
    for (int i = 0; i < share->count; i++)
        if (!(share->list[i] > 0) || !(time->list[i] > 0))
            return ts_build_fail(b, share->list[i] > 0 ? TIME : SHARE, NULL,
                                 "maxwell_share and maxwell_time must be above zero");
    for (int k = 0; k < 3; k++)
        if (value[CUBIC].number[k] < 0 || value[TURNING_CUBIC].number[k] < 0)
            return ts_build_fail(b, value[CUBIC].number[k] < 0 ? CUBIC : TURNING_CUBIC, NULL,
                                 "hardening must not be negative");
    return 0;
}

static void add_more(ts_model *model, const ts_value *value) {
    int branches = value[SHARE].count;
    for (int k = 0; k < 3; k++) ts_model_number(model, value[CUBIC].number[k]);
    for (int k = 0; k < 3; k++) ts_model_number(model, value[TURNING_CUBIC].number[k]);
    ts_model_number(model, branches);
    for (int i = 0; i < branches; i++) {
        ts_model_number(model, value[SHARE].list[i]);
        ts_model_number(model, value[TIME].list[i]);
    }
    ts_model_law(model, &BUSHING);
    ts_model_memory(model, 6 * branches); /* that of the law begins there */
}

static int build(ts_builder *b, ts_value *value) {
    const double *K = value[STIFFNESS].number, *C = value[DAMPING].number;
    if (check_symmetry(b, K) || check_matrix(b, STIFFNESS, K, "the stiffness") ||
        check_matrix(b, DAMPING, C, "the damping") || check_branches(b, value))
        return TORSOR_EINVAL;
    if (ts_joint_attach(b, &TS_KIND_BUSHING, value, 0)) return TORSOR_EINVAL;
    ts_joint_site(b->model, TS_ROLE_LAW);
    add_forms(b->model);
    for (int j = 0; j < 6; j++)
        for (int k = 0; k < 6; k++) ts_model_number(b->model, 0.5 * (K[6 * j + k] + K[6 * k + j]));
    for (int k = 0; k < 36; k++) ts_model_number(b->model, C[k]);
    add_more(b->model, value);
    return 0;
}

const ts_kind TS_KIND_BUSHING = {
    .name = "bushing",
    .section = "springs",
    .look = TS_LOOK_LINK,
    .help = "A 6x6 spring and damper between two frames: displacements of B relative to A and the "
            "rotation vector of frame B relative to frame A, in axes of A. For rotations below "
            "half a turn.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: bushing, bodies: [A, B], at: [0.3, 0.1, -0.2], stiffness: [1e3, 2e3, 3e3, "
              "10, 20, 30], damping: [1, 1, 1, 0.1, 0.1, 0.1], cubic: [1e4, 0, 2e4], "
              "turning_cubic: [0, 5, 3], "
              "maxwell_share: [0.5, 0.2], maxwell_time: [0.01, 0.3]}"};
