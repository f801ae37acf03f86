/* SPDX-License-Identifier: Apache-2.0 */
/* Modes against dense eigenvalues, on random mechanisms: pendulums that hang and stand, trolleys,
 * wheels, closed loops, trees of bodies with springs between them, free bodies, equal members many
 * times, stiff beside soft, with and without dampers; and large ones, which the sparse search
 * solves.
 *
 * The matrices are those of ts_linearise. From there on nothing is shared with the search: the null
 * space of the rows is by singular values, frequencies by Jacobi's rotations in long double, damped
 * eigenvalues by LAPACK on the problem of first order. The number of free motions, of unstable ones
 * and of all must agree, and every eigenvalue to 1e-6.
 *
 * TORSOR_MECHANISMS in the environment: how many; 200 is the long form (make modes-long), CI has
 * 40.
 */
#include "analysis/assembly.h"
#include "analysis/equilibrium.h"
#include "modes/modal.h"
#include "scene.h"
#include "scheme/linear.h"

#include <complex.h>
#include <lapacke.h>
#undef I
#define IMAGINARY _Complex_I

static const double AGREE = 1e-6;
static const double NOISE = 1e-12; /* of |phi|^T |K| |phi| in a reference value */
/* Where nothing is stiff, K itself is round-off of multipliers. Springs here have at least 1e-3 N/m
 * and bodies a few kg, so omega^2 in (rad/s)^2 below this is no stiffness. */
static const double NO_STIFFNESS = 1e-18;

/* ---- writing models ---- */

enum { ROOM = 200000 };
typedef struct writer {
    char bodies[ROOM], joints[ROOM], springs[ROOM];
    int body, joint, spring;
    bool damped;
    double stiff; /* decades of stiffness */
} writer;

static void add(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char *to, const char *format, ...) {
    va_list arguments;
    size_t used = strlen(to);
    va_start(arguments, format);
    vsnprintf(to + used, ROOM - used, format, arguments);
    va_end(arguments);
}

static double positive(void) { return 0.5 * (1 + chance()); }
static int below(int n) { return (int)(positive() * n) % n; }

static int write_body(writer *w, v3 x) {
    double m = 0.5 + 4 * positive(), r = 0.1 + 0.3 * positive(), a = m * r * r;
    add(w->bodies,
        "  b%d: {mass: %.6g, inertia: [%.6g, %.6g, %.6g], position: [%.9g, %.9g, %.9g]}\n", w->body,
        m, a, a * (1 + 0.5 * positive()), a * (1 + 0.5 * positive()), x.x, x.y, x.z);
    return w->body++;
}

static const char *body_name(int b) {
    static char name[4][16];
    static int next;
    next = (next + 1) % 4;
    if (b < 0) return "ground";
    snprintf(name[next], sizeof name[next], "b%d", b);
    return name[next];
}

static void write_joint(writer *w, const char *type, int a, int b, v3 x, v3 axis) {
    v3 across = v3_cross(axis, fabs(axis.x) < 0.7 ? v3_make(1, 0, 0) : v3_make(0, 1, 0));
    add(w->joints, "  j%d: {type: %s, bodies: [%s, %s], at: [%.9g, %.9g, %.9g]", w->joint++, type,
        body_name(a), body_name(b), x.x, x.y, x.z);
    if (strcmp(type, "spherical") && strcmp(type, "rigid"))
        add(w->joints, ", axis: [%.9g, %.9g, %.9g]", axis.x, axis.y, axis.z);
    if (!strcmp(type, "universal"))
        add(w->joints, ", axis_b: [%.9g, %.9g, %.9g]", across.x, across.y, across.z);
    add(w->joints, "}\n");
}

static double stiffness(const writer *w) { return 100 * pow(10, w->stiff * chance()); }

static void write_spring(writer *w, int a, int b, v3 from, v3 to) {
    double k = stiffness(w), c = w->damped ? 0.1 * sqrt(k) * positive() : 0;
    add(w->springs,
        "  s%d: {bodies: [%s, %s], from: [%.9g, %.9g, %.9g], to: [%.9g, %.9g, %.9g], "
        "stiffness: %.6g, damping: %.6g}\n",
        w->spring++, body_name(a), body_name(b), from.x, from.y, from.z, to.x, to.y, to.z, k, c);
}

static void write_bushing(writer *w, int a, int b, v3 x) {
    double k = stiffness(w), c = w->damped ? 0.05 * sqrt(k) : 0;
    add(w->springs,
        "  s%d: {type: bushing, bodies: [%s, %s], at: [%.9g, %.9g, %.9g], "
        "stiffness: [%.6g, %.6g, %.6g, %.6g, %.6g, %.6g], damping: [%.6g, %.6g, %.6g, 0, 0, 0]}\n",
        w->spring++, body_name(a), body_name(b), x.x, x.y, x.z, k, 2 * k, 0.5 * k, 0.1 * k, 0.1 * k,
        0.2 * k, c, c, c);
}

static v3 level(void) { return v3_normalize(v3_make(chance(), chance() + 1e-3, 0)); }

/* A chain of bodies below or above its pin: rods of equal length on the vertical. */
static void write_chain(writer *w, int from, v3 pin, int links, double way, bool same) {
    v3 axis = level();
    uint64_t kept = scene_seed;
    for (int i = 0; i < links; i++) {
        if (same) scene_seed = kept; /* equal links */
        int b = write_body(w, v3_make(pin.x, pin.y, pin.z + way * 0.25));
        write_joint(w, same || below(2) ? "revolute" : "universal", from, b, pin, axis);
        from = b, pin.z += way * 0.5;
    }
}

/* Two equal rods that hang, and a bar between their ends: the loop has one motion. */
static void write_loop(writer *w, v3 at) {
    v3 y = v3_make(0, 1, 0), x = v3_make(0.6, 0, 0), down = v3_make(0, 0, -0.8);
    int left = write_body(w, v3_axpy(0.5, down, at));
    int right = write_body(w, v3_axpy(0.5, down, v3_add(at, x)));
    int bar = write_body(w, v3_axpy(0.5, x, v3_add(at, down)));
    write_joint(w, "revolute", -1, left, at, y);
    write_joint(w, "revolute", -1, right, v3_add(at, x), y);
    write_joint(w, "revolute", left, bar, v3_add(at, down), y);
    write_joint(w, "revolute", right, bar, v3_add(at, v3_add(down, x)), y);
}

static void write_trolley(writer *w, v3 at) {
    int cart = write_body(w, at);
    write_joint(w, "prismatic", -1, cart, at, level());
    write_chain(w, cart, at, 1 + below(2), below(3) ? -1 : 1, false);
}

static void write_wheel(writer *w, v3 at) {
    int wheel = write_body(w, at);
    write_joint(w, "revolute", -1, wheel, at, v3_normalize(chance_vector()));
}

/* Under gravity, in equilibrium as drawn; springs between neighbours of equal height have no
 * force. */
static void write_hanging(writer *w) {
    int members = 1 + below(4);
    uint64_t kept = scene_seed;
    bool same = below(3) == 0;
    for (int i = 0; i < members; i++) {
        if (same) scene_seed = kept; /* the same member again: multiple frequencies */
        int first = w->body, kind = below(5);
        v3 at = v3_make(3.0 * i, 0, 0);
        if (kind == 0) write_chain(w, -1, at, 1 + below(4), below(3) ? -1 : 1, below(2));
        if (kind == 1 || kind == 4) write_trolley(w, at);
        if (kind == 2) write_loop(w, at);
        if (kind == 3) write_wheel(w, at);
        if (!same && i > 0 && below(2)) {
            v3 x = v3_make(at.x, 0, -0.25);
            write_spring(w, first - 1, w->body - 1, v3_make(at.x - 3, 0.1, -0.25), x);
        }
    }
}

/* Without weight: a tree, springs across it, loops, and bodies that are held by nothing. */
static void write_floating(writer *w) {
    static const char *const types[] = {"revolute", "spherical", "prismatic", "cylindrical",
                                        "universal"};
    int bodies = 2 + below(5);
    v3 x[8];
    for (int i = 0; i < bodies; i++) {
        x[i] = v3_scale(2, chance_vector());
        write_body(w, x[i]);
        int on = i - 1 - below(2), how = below(6);
        if (on < -1) on = -1;
        v3 at = on < 0 ? v3_scale(0.7, x[i]) : v3_scale(0.5, v3_add(x[i], x[on]));
        if (how < 5) write_joint(w, types[how], on, i, at, v3_normalize(chance_vector()));
    }
    if (bodies > 3 && below(2)) {
        v3 at = v3_scale(0.5, v3_add(x[0], x[bodies - 1]));
        write_joint(w, "spherical", 0, bodies - 1, at, at);
    }
    for (int i = below(4); i < 4; i++) {
        int a = below(bodies + 1) - 1, b = below(bodies);
        v3 off = v3_scale(0.2, chance_vector()), from = a < 0 ? chance_vector() : x[a];
        if (a == b) continue;
        if (below(2))
            write_spring(w, a, b, v3_add(from, off), v3_sub(x[b], off));
        else
            write_bushing(w, a, b, v3_scale(0.5, v3_add(from, x[b])));
    }
}

/* Many bodies in a row, on bushings: some hundred degrees of freedom, free in space or held. */
static void write_row(writer *w) {
    int bodies = 45 + below(10), kind = below(3);
    uint64_t kept = scene_seed;
    for (int i = 0; i < bodies; i++) {
        v3 at = v3_make(i, 0, 0);
        if (kind == 1) scene_seed = kept; /* equal ones: pairs of frequencies */
        write_body(w, at);
        v3 before = v3_make(i - 0.5, 0, 0);
        if (i > 0) write_bushing(w, i - 1, i, before);
        if (i == 0 && kind == 1) write_bushing(w, -1, 0, before);
        if (i % 9 == 4 && kind == 2) write_joint(w, "point_on_line", -1, i, at, v3_make(1, 0, 0));
    }
    write_wheel(w, v3_make(0, 5, 0));
}

/* A long chain that hangs, and one that stands on a trolley: unstable many times, or free. */
static void write_long_chain(writer *w) {
    write_chain(w, -1, v3_make(0, 0, 0), 60 + below(20), -1, true);
    if (below(2)) write_chain(w, -1, v3_make(3, 0, 0), 1 + below(3), 1, true);
    write_trolley(w, v3_make(6, 0, 0));
    write_wheel(w, v3_make(9, 0, 0));
}

static char *write_model(int number) {
    writer *w = calloc(1, sizeof *w);
    char *text = calloc(1, 4 * ROOM);
    scene_seed = 0x9e3779b97f4a7c15u * (uint64_t)(number + 1);
    for (int i = 0; i < 8; i++) chance();
    bool large = number % 10 == 9, weight = large ? below(2) : number % 2;
    w->stiff = number % 3 == 0 ? 4.5 : 1, w->damped = number % 4 == 2;
    if (w->damped || large) w->stiff = 1;
    if (large)
        weight ? write_long_chain(w) : write_row(w);
    else
        weight ? write_hanging(w) : write_floating(w);
    snprintf(text, 4 * ROOM, "%sgravity: [0, 0, %g]\nbodies:\n%s", SCENE_HEAD, weight ? -9.81 : 0.0,
             w->bodies);
    if (w->joint) strcat(text, "joints:\n"), strcat(text, w->joints);
    if (w->spring) strcat(text, "springs:\n"), strcat(text, w->springs);
    free(w);
    return text;
}

/* ---- dense eigenvalues ---- */

typedef struct dense {
    int dim;
    double *Z, *K, *M, *D; /* dim x dim by columns */
    double *square, *size; /* omega^2, rising, and |phi|^T |K| |phi| of each, phi of unit mass */
    int zeros, unstable;
    bool unsure;
} dense;

static double *full_matrix(const ts_linear_model *x, const double *value) {
    size_t n = (size_t)x->n;
    double *out = calloc(n * n + 1, sizeof *out);
    for (int j = 0; j < x->n; j++)
        for (int k = x->pattern->start[j]; k < x->pattern->start[j + 1]; k++)
            out[(size_t)j * n + (size_t)x->pattern->row[k]] = value[k];
    return out;
}

/* Right singular vectors of the rows of unit length whose singular value is zero. */
static void null_space(const ts_linear_model *x, const double *K, dense *d) {
    int m = x->n - x->dofs, n = x->dofs, least = m < n ? m : n, rank = 0;
    double *C = calloc((size_t)(m * n) + 1, sizeof *C), *s = calloc((size_t)least + 1, sizeof *s);
    double *V = calloc((size_t)n * (size_t)n + 1, sizeof *V);
    for (int r = 0; r < m; r++) {
        double length = 0;
        for (int j = 0; j < n; j++) C[j * m + r] = K[(size_t)j * (size_t)x->n + (size_t)(n + r)];
        for (int j = 0; j < n; j++) length = hypot(length, C[j * m + r]);
        for (int j = 0; j < n; j++) C[j * m + r] /= length;
    }
    double *U = calloc((size_t)m * (size_t)m + 1, sizeof *U);
    for (int j = 0; j < n; j++) V[j * n + j] = 1;
    if (m > 0)
        assert_int_equal(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', m, n, C, m, s, U, m, V, n), 0);
    while (rank < least && s[rank] > 1e-9) rank++;
    d->dim = n - rank;
    d->Z = calloc((size_t)n * (size_t)d->dim + 1, sizeof *d->Z);
    /* V holds V^T */
    for (int c = 0; c < d->dim; c++)
        for (int j = 0; j < n; j++) d->Z[c * n + j] = V[j * n + rank + c];
    free(C), free(s), free(U), free(V);
}

static double *projected(const ts_linear_model *x, const double *A, const dense *d) {
    int n = x->dofs, dim = d->dim;
    double *out = calloc((size_t)(dim * dim) + 1, sizeof *out),
           *y = calloc((size_t)n + 1, sizeof *y);
    for (int c = 0; c < dim; c++) {
        for (int i = 0; i < n; i++) {
            long double sum = 0;
            for (int j = 0; j < n; j++)
                sum += (long double)A[(size_t)j * (size_t)x->n + (size_t)i] * d->Z[c * n + j];
            y[i] = (double)sum;
        }
        for (int r = 0; r < dim; r++) {
            long double sum = 0;
            for (int i = 0; i < n; i++) sum += (long double)d->Z[r * n + i] * y[i];
            out[c * dim + r] = (double)sum;
        }
    }
    free(y);
    return out;
}

typedef long double precise;

/* M = L L^T; A <- L^-1 A L^-T, V <- L^-T */
static void to_standard(int n, const double *M, precise *A, precise *V) {
    precise *L = calloc((size_t)(n * n) + 1, sizeof *L);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            precise sum = M[j * n + i];
            for (int k = 0; k < j; k++) sum -= L[k * n + i] * L[k * n + j];
            if (i == j) assert_true(sum > 0);
            L[j * n + i] = i == j ? sqrtl(sum) : sum / L[j * n + j];
        }
    for (int turn = 0; turn < 2; turn++) {
        for (int c = 0; c < n; c++)
            for (int i = 0; i < n; i++) {
                for (int k = 0; k < i; k++) A[c * n + i] -= L[k * n + i] * A[c * n + k];
                A[c * n + i] /= L[i * n + i];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) {
                precise kept = A[i * n + j];
                A[i * n + j] = A[j * n + i], A[j * n + i] = kept;
            }
    }
    for (int c = 0; c < n; c++)
        for (int i = n - 1; i >= 0; i--) {
            V[c * n + i] = i == c;
            for (int k = i + 1; k < n; k++) V[c * n + i] -= L[i * n + k] * V[c * n + k];
            V[c * n + i] /= L[i * n + i];
        }
    free(L);
}

static void rotate(int n, precise *A, precise *V, int p, int q) {
    precise apq = A[q * n + p];
    if (fabsl(apq) <= 1e-22L * sqrtl(fabsl(A[p * n + p] * A[q * n + q])) || apq == 0) return;
    precise t = (A[q * n + q] - A[p * n + p]) / (2 * apq);
    t = (t >= 0 ? 1 : -1) / (fabsl(t) + sqrtl(1 + t * t));
    precise c = 1 / sqrtl(1 + t * t), s = t * c;
    for (int k = 0; k < n; k++) {
        precise a = A[p * n + k], b = A[q * n + k];
        A[p * n + k] = c * a - s * b, A[q * n + k] = s * a + c * b;
        a = V[p * n + k], b = V[q * n + k];
        V[p * n + k] = c * a - s * b, V[q * n + k] = s * a + c * b;
    }
    for (int k = 0; k < n; k++) {
        precise a = A[k * n + p], b = A[k * n + q];
        A[k * n + p] = c * a - s * b, A[k * n + q] = s * a + c * b;
    }
}

static void jacobi(int n, precise *A, precise *V) {
    for (int sweep = 0; sweep < 60; sweep++) {
        precise off = 0, all = 0;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                all += A[j * n + i] * A[j * n + i];
                if (i != j) off += A[j * n + i] * A[j * n + i];
            }
        if (off <= 1e-44L * all) return;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) rotate(n, A, V, p, q);
    }
}

/* omega^2 and vectors of unit mass, as columns of V: in long double, by LAPACK where that would
 * take too long. */
static void symmetric_eigen(const dense *d, precise *square, precise *V) {
    int n = d->dim, all = n * n;
    if (n > 120) {
        double *A = malloc(sizeof *A * (size_t)all), *B = malloc(sizeof *B * (size_t)all);
        double *theta = malloc(sizeof *theta * (size_t)n);
        memcpy(A, d->K, sizeof *A * (size_t)all), memcpy(B, d->M, sizeof *B * (size_t)all);
        assert_int_equal(LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'L', n, A, n, B, n, theta), 0);
        for (int i = 0; i < all; i++) V[i] = A[i];
        for (int i = 0; i < n; i++) square[i] = theta[i];
        free(A), free(B), free(theta);
        return;
    }
    precise *A = malloc(sizeof *A * (size_t)(all + 1));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            A[j * n + i] = 0.5L * ((precise)d->K[j * n + i] + d->K[i * n + j]);
    to_standard(n, d->M, A, V);
    /* V <- L^-T Q: rotations act on its columns */
    jacobi(n, A, V);
    for (int i = 0; i < n; i++) square[i] = A[i * n + i];
    free(A);
}

static double size_of(const ts_linear_model *x, const double *K, const dense *d, const precise *v) {
    int n = x->dofs;
    double *phi = calloc((size_t)n + 1, sizeof *phi), sum = 0;
    for (int c = 0; c < d->dim; c++)
        for (int i = 0; i < n; i++) phi[i] += d->Z[c * n + i] * (double)v[c];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            sum += fabs(phi[i] * K[(size_t)j * (size_t)x->n + (size_t)i] * phi[j]);
    free(phi);
    return sum;
}

static void sort_squares(dense *d) {
    for (int i = 1; i < d->dim; i++)
        for (int j = i; j > 0 && d->square[j] < d->square[j - 1]; j--) {
            double a = d->square[j], b = d->size[j];
            d->square[j] = d->square[j - 1], d->size[j] = d->size[j - 1];
            d->square[j - 1] = a, d->size[j - 1] = b;
        }
}

/* Zeros are what round-off of K could have made. What lies near that limit is neither: the
 * mechanism will not do. */
static void count(dense *d) {
    double most = d->dim ? fmax(fabs(d->square[0]), fabs(d->square[d->dim - 1])) : 0;
    for (int i = 0; i < d->dim; i++) {
        double limit = NOISE * d->size[i] + 1e-15 * most + NO_STIFFNESS, square = d->square[i];
        d->unsure |= fabs(square) > limit && fabs(square) < 1000 * limit;
        d->zeros += fabs(square) <= limit;
        d->unstable += square < -limit;
    }
}

static void dense_new(dense *d, const ts_linear_model *x) {
    *d = (dense){0};
    double *K = full_matrix(x, x->K), *M = full_matrix(x, x->M), *D = full_matrix(x, x->D);
    null_space(x, K, d);
    d->K = projected(x, K, d), d->M = projected(x, M, d), d->D = projected(x, D, d);
    size_t n = (size_t)d->dim;
    precise *V = calloc(n * n + 1, sizeof *V), *square = calloc(n + 1, sizeof *square);
    d->square = calloc(n + 1, sizeof(double)), d->size = calloc(n + 1, sizeof(double));
    if (n > 0) symmetric_eigen(d, square, V);
    for (size_t i = 0; i < n; i++) {
        d->square[i] = (double)square[i];
        d->size[i] = size_of(x, K, d, V + i * n);
    }
    sort_squares(d);
    count(d);
    free(K), free(M), free(D), free(V), free(square);
}

static void dense_free(dense *d) {
    free(d->Z), free(d->K), free(d->M), free(d->D), free(d->square), free(d->size);
}

/* ---- comparing ---- */

static double worst_real, worst_complex;

static void compare_real(const ts_modes *m, const dense *d, int asked, const char *text) {
    int expected = asked < d->dim ? asked : d->dim, free_ones = 0, unstable = 0;
    double most = fmax(fabs(d->square[0]), fabs(d->square[d->dim - 1]));
    if (m->count != expected)
        fail_msg("%d modes, not %d of %d\n%s", m->count, expected, d->dim, text);
    if (m->free_motions != d->zeros)
        fail_msg("%d free motions, not %d\n%s", m->free_motions, d->zeros, text);
    for (int i = 0; i < m->count; i++) {
        const ts_mode *mode = &m->mode[i];
        double square = mode->frequency * mode->frequency - mode->growth * mode->growth;
        double size = fmax(fabs(d->square[i]), (NOISE * d->size[i] + 1e-16 * most) / AGREE);
        free_ones += mode->rigid, unstable += mode->growth > 0;
        if (mode->rigid) continue;
        worst_real = fmax(worst_real, fabs(square - d->square[i]) / size);
        if (fabs(square - d->square[i]) > AGREE * size)
            fail_msg("mode %d: omega^2 = %.12g, not %.12g\n%s", i + 1, square, d->square[i], text);
    }
    if (asked >= d->dim) assert_int_equal(free_ones, d->zeros);
    if (asked >= d->unstable) assert_int_equal(unstable, d->unstable);
}

/* lambda of [0 1; -M^-1 K  -M^-1 D] with a positive imaginary part, or real; not those next to
 * zero. */
static int first_order(const dense *d, double complex *lambda) {
    int n = d->dim, m = 2 * n, found = 0;
    double *G = calloc((size_t)(m * m) + 1, sizeof *G),
           *X = calloc((size_t)(2 * n * n) + 1, sizeof *X);
    double *M = malloc(sizeof *M * (size_t)(n * n + 1)), *re = calloc((size_t)m + 1, sizeof *re);
    double *im = calloc((size_t)m + 1, sizeof *im), most = 0;
    lapack_int *pivot = calloc((size_t)n + 1, sizeof *pivot);
    memcpy(M, d->M, sizeof *M * (size_t)(n * n));
    for (int i = 0; i < n * n; i++) X[i] = -d->K[i], X[n * n + i] = -d->D[i];
    assert_int_equal(LAPACKE_dgesv(LAPACK_COL_MAJOR, n, m, M, n, pivot, X, n), 0);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) G[j * m + i] = j == n + i, G[j * m + n + i] = X[j * n + i];
    assert_int_equal(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', m, G, m, re, im, NULL, 1, NULL, 1),
                     0);
    for (int i = 0; i < n; i++) most = fmax(most, sqrt(d->size[i]));
    for (int i = 0; i < m; i++) most = fmax(most, hypot(re[i], im[i]));
    for (int i = 0; i < m; i++)
        if (im[i] >= 0 && hypot(re[i], im[i]) > 2e-6 * most)
            lambda[found++] = re[i] + IMAGINARY * im[i];
    free(G), free(X), free(M), free(re), free(im), free(pivot);
    return found;
}

/* Every mode has its eigenvalue, each once; of a few modes, they are those of least size. */
static void compare_complex(const ts_modes *m, const dense *d, bool all, const char *text) {
    double complex *lambda = calloc((size_t)(2 * d->dim) + 1, sizeof *lambda);
    int left = first_order(d, lambda), total = left;
    double largest = 0;
    if (m->free_motions != d->zeros)
        fail_msg("%d free motions, not %d\n%s", m->free_motions, d->zeros, text);
    for (int i = 0; i < m->count; i++) {
        double complex mine = m->mode[i].growth + IMAGINARY * m->mode[i].frequency;
        int best = 0;
        if (m->mode[i].rigid) continue;
        largest = fmax(largest, cabs(mine));
        for (int k = 1; k < left; k++)
            if (cabs(lambda[k] - mine) < cabs(lambda[best] - mine)) best = k;
        double off = left > 0 ? cabs(lambda[best] - mine) / cabs(mine) : 1;
        worst_complex = fmax(worst_complex, off);
        if (off > AGREE)
            fail_msg("mode %d: lambda = %.9g%+.9gi is off by %g\n%s", i + 1, creal(mine),
                     cimag(mine), off, text);
        lambda[best] = lambda[--left];
    }
    if (all && m->count != d->zeros + total)
        fail_msg("%d modes, not %d and %d\n%s", m->count, d->zeros, total, text);
    for (int k = 0; k < left && !all; k++)
        if (cabs(lambda[k]) < largest * (1 - AGREE))
            fail_msg("lambda = %.9g%+.9gi was not found\n%s", creal(lambda[k]), cimag(lambda[k]),
                     text);
    free(lambda);
}

static void compare_method(ts_system *system, const ts_options *o, const dense *d, bool damped,
                           ts_eigen_method method, int asked, const char *text) {
    ts_modal_options modal = {.modes = asked, .method = method};
    ts_modes *m;
    if (ts_modes_find(&m, system, o, &modal)) fail_msg("%s\n%s", ts_error_message(), text);
    assert_false(m->settled); /* it was drawn in equilibrium */
    if (damped)
        compare_complex(m, d, asked >= 2 * d->dim, text);
    else
        compare_real(m, d, asked, text);
    ts_modes_free(m);
}

/* false: this one will not do */
static bool compare_mechanism(int number) {
    char *text = write_model(number);
    scene s;
    ts_assembly_report report = {0};
    ts_linear_model x;
    v3 none = {0, 0, 0};
    dense d;
    scene_read(&s, text);
    assert_int_equal(ts_system_new(&s.system, s.model), 0);
    assert_int_equal(ts_assemble_initial(s.system, s.model, &report), 0);
    ts_system_begin(s.system);
    ts_rest(s.system);
    assert_int_equal(ts_linearise(&x, s.system, none, none), 0);
    dense_new(&d, &x);
    if (getenv("TORSOR_TEST_VERBOSE"))
        fprintf(stderr, "  %3d: %d modes, %d free, %d unstable%s%s\n", number, d.dim, d.zeros,
                d.unstable, x.damped ? ", damped" : "", d.unsure ? ", cannot be told" : "");
    const ts_options *o = &s.document->options;
    bool sure = d.dim > 0 && !d.unsure;
    if (!x.symmetric) fail_msg("K is not symmetric\n%s", text);
    if (sure) compare_method(s.system, o, &d, x.damped, TS_EIGEN_DENSE, 2 * d.dim, text);
    if (sure && d.dim > 56) compare_method(s.system, o, &d, x.damped, TS_EIGEN_SPARSE, 8, text);
    if (sure && d.dim > 120) compare_method(s.system, o, &d, x.damped, TS_EIGEN_SPARSE, 25, text);
    dense_free(&d);
    ts_linear_free(&x);
    ts_assembly_report_clear(&report);
    scene_close(&s);
    free(text);
    return sure;
}

/* Of 3200 others (1000 to 4199) these two failed: a spring so stiff that round-off of its force
 * made K look unsymmetric; and a mechanism without springs, whose K is round-off. */
static void once_failed(void **state) {
    (void)state;
    assert_true(compare_mechanism(1437));
    assert_true(compare_mechanism(3012));
}

static void mechanisms(void **state) {
    (void)state;
    const char *given = getenv("TORSOR_MECHANISMS"), *only = getenv("TORSOR_MECHANISM");
    int last = given ? atoi(given) : 40;
    for (int i = only ? atoi(only) : 0; i < (only ? atoi(only) + 1 : last); i++)
        for (int draw = 0; !compare_mechanism(i + 10000 * draw); draw++) assert_true(draw < 5);
    measured("omega^2", "relative", 0, worst_real);
    measured("lambda", "relative", 0, worst_complex);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(once_failed), cmocka_unit_test(mechanisms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
