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
 * accounts exactly for the energy y.K y / 2 and the dissipation. f solves (1 - c^2) f' = c f - 1.
 */
#include "base/error.h"
#include "math/dense.h"
#include "parts/parts.h"

enum { STIFFNESS = TS_JOINT_OWN, DAMPING };
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

/* ---- the law: data = K (36), C (36), row-major ---- */

static void measures(const double *e, double *y) {
    double f = turn_at(e[COSINE]).f;
    for (int k = 0; k < 3; k++) y[k] = e[k], y[k + 3] = f * e[k + 3];
}

static void multiply(const double *A, const double *x, double factor, double *y) {
    for (int j = 0; j < 6; j++)
        for (int k = 0; k < 6; k++) y[j] += factor * A[6 * j + k] * x[k];
}

static double energy(const double *data, const double *memory, int m, const double *e) {
    (void)memory, (void)m;
    double y[6], Ky[6] = {0}, twice = 0;
    measures(e, y);
    multiply(data, y, 1, Ky);
    for (int k = 0; k < 6; k++) twice += y[k] * Ky[k];
    return 0.5 * twice;
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

/* ds = G^T (K/2 + C/h) y'_f, column by column; then the derivative of G with the force held. */
static void tangent(const ts_law_step *step, gradient G, const double *F, ts_response *out) {
    gradient at_f = gradient_at(step->e_f);
    for (int k = 0; k < FORMS; k++) {
        double y[6], dF[6] = {0}, ds[FORMS];
        gradient_column(at_f, k, y);
        multiply(step->data, y, 0.5, dF);
        multiply(step->data + 36, y, ts_step_rate(step), dF);
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
    multiply(step->data + 36, delta, ts_step_rate(step), drag);

    *out = (ts_response){.stored = energy(step->data, step->memory, FORMS, e_f)};
    for (int k = 0; k < 6; k++) F[k] += drag[k], out->dissipated += drag[k] * delta[k];
    carry_forces(G, F, out->s);
    tangent(step, G, F, out);
}

static void stiffness(const double *data, const double *memory, int m, const double *e, double *K) {
    (void)memory, (void)m;
    gradient G = gradient_at(e);
    for (int k = 0; k < FORMS; k++) {
        double y[6], F[6] = {0}, s[FORMS];
        gradient_column(G, k, y);
        multiply(data, y, 1, F);
        carry_forces(G, F, s);
        for (int j = 0; j < FORMS; j++) K[j * FORMS + k] = s[j];
    }
}

static const ts_law BUSHING = {
    .name = "bushing", .energy = energy, .respond = respond, .stiffness = stiffness};

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
        return ts_build_fail(b, field, NULL,
                             "%s has a negative eigenvalue: it would give out energy", name);
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

static int build(ts_builder *b, ts_value *value) {
    const double *K = value[STIFFNESS].number, *C = value[DAMPING].number;
    if (check_symmetry(b, K) || check_matrix(b, STIFFNESS, K, "the stiffness") ||
        check_matrix(b, DAMPING, C, "the damping"))
        return TORSOR_EINVAL;
    if (ts_joint_attach(b, &TS_KIND_BUSHING, value, 0)) return TORSOR_EINVAL;
    ts_joint_site(b->model, TS_ROLE_LAW);
    add_forms(b->model);
    for (int j = 0; j < 6; j++)
        for (int k = 0; k < 6; k++) ts_model_number(b->model, 0.5 * (K[6 * j + k] + K[6 * k + j]));
    for (int k = 0; k < 36; k++) ts_model_number(b->model, C[k]);
    ts_model_law(b->model, &BUSHING);
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
              "10, 20, 30], damping: [1, 1, 1, 0.1, 0.1, 0.1]}"};
