/* SPDX-License-Identifier: Apache-2.0 */
/* Iterative solution: flexible GMRES (Y. Saad, SIAM J. Sci. Comput. 14 (1993) 461) with incomplete
 * block LU factors on the right (J. A. Meijerink, H. A. van der Vorst, Math. Comp. 31 (1977) 148,
 * by blocks), for meshes of solids in motion.
 *
 * Complete factors of a block of N points have some N^(4/3) entries and take N^2 operations.
 * Incomplete ones keep to the pattern of the matrix (blocks.c chooses the blocks and their order).
 * The mass on the diagonal makes them accurate: a dozen iterations give an increment for Newton's
 * method. Most of the dropped fill is added to the diagonal of its row, so translations, which
 * hardly any stiffness resists, are nearly right (relaxed factors: O. Axelsson, G. Lindskog, Numer.
 * Math. 48 (1986) 479). This saves a fifth of the iterations if nearly all couplings have the sign
 * of springs, as in meshes of cubes. If many couplings have the other sign, as in long elements and
 * in elements of order 2, it increases the iterations, and the fill is dropped. The matrix is
 * scaled on both sides first, until the largest entry of every row and column is about 1 (D. Ruiz,
 * RAL-TR-2001-034), so equations of masses, of constraints and of multipliers have equal weight in
 * the residual. The iterations use single precision, because reading memory limits their speed. A
 * cycle gains up to five digits. Then the residual is computed in double precision and the next
 * cycle begins, until the residual is as small as requested.
 *
 * No data is kept from one factorisation to the next, and sums have the same order on any number of
 * threads: results depend on the matrix and the right-hand side only. After too many iterations, or
 * if a block has no pivot, another solver is used: see ts_lu_solve. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sparse/blocks.h"

enum { RESTART = 40, MOST_ITERATIONS = 60, MOST_GROUP = 64, SCALINGS = 3 };
enum { FLUSH = 64 }; /* rows whose products are summed in single precision */
/* The share of dropped fill that goes to the diagonal, where couplings of the wrong sign are less
 * than so many of the others. */
static const double RELAXED = 0.85, FEW_WRONG = 0.2;
static const double CYCLE_GOAL = 1e-5;   /* what a cycle may leave of the residual */
static const double STALLED = 0.5;       /* a cycle that leaves more brought nothing */
static const double LEAST_PIVOT = 1e-13; /* of a matrix whose entries are about 1 */

typedef struct own {
    const ts_linear_equations *e;
    ts_blocks *blocks;
    int *unknown;               /* per place */
    double *scale;              /* per unknown */
    int *next;                  /* per row of blocks, while loading */
    int64_t *due;               /* per row of blocks, while loading */
    int *offset;                /* per part and row, while factoring */
    void *row;                  /* a row of blocks for each part, in double precision */
    float *matrix, *factors;    /* blocks */
    size_t stride;              /* numbers of a vector by groups */
    float *basis, *images;      /* RESTART + 1 of them, and what factors made of these */
    void *right, *found, *rest; /* vectors in double precision */
    double relaxed;             /* share of the fill between points that is not dropped */
    double iterations;          /* so far */
} own;

typedef float four __attribute__((vector_size(16)));

static inline four load_four(const float *from) {
    four x;
    memcpy(&x, from, sizeof x);
    return x;
}
static inline void store_four(float *to, four x) { memcpy(to, &x, sizeof x); }

#define NUMBER double
#define PARTS 1
#define NAME(x) x##_real
#define TIMES(a, b) ((a) * (b))
#define CONJUGATE(a) (a)
#define SIZE2(a) ((a) * (a))
#include "sparse/incomplete.h"
#undef NUMBER
#undef PARTS
#undef NAME
#undef TIMES
#undef CONJUGATE
#undef SIZE2

/* As CMPLX, which not every compiler has. */
static inline double complex pair(double real, double imaginary) {
    union {
        double part[2];
        double complex number;
    } x = {{real, imaginary}};
    return x.number;
}

/* Without the care for infinities that C takes of products of complex numbers. */
static inline double complex times(double complex a, double complex b) {
    return pair(creal(a) * creal(b) - cimag(a) * cimag(b),
                creal(a) * cimag(b) + cimag(a) * creal(b));
}

#define NUMBER double complex
#define PARTS 2
#define NAME(x) x##_complex
#define TIMES(a, b) times(a, b)
#define CONJUGATE(a) conj(a)
#define SIZE2(a) (creal(a) * creal(a) + cimag(a) * cimag(a))
#include "sparse/incomplete.h"

static void *open_krylov(const ts_linear_equations *e) {
    own *k = ts_calloc(1, sizeof *k);
    k->e = e;
    ts_blocks *b = k->blocks = ts_blocks_new(e->A, e->groups, e->group);
    size_t n = (size_t)b->n + 1, rows = (size_t)b->rows + 1, size = e->z ? 2 : 1;
    if (b->widest > MOST_GROUP) return k;
    k->unknown = ts_calloc(n, sizeof *k->unknown);
    for (int j = 0; j < b->n; j++) k->unknown[b->place[j]] = j;
    k->scale = ts_calloc(n, sizeof *k->scale);
    k->next = ts_calloc(rows, sizeof *k->next);
    k->due = ts_calloc(rows, sizeof *k->due);
    k->offset = ts_calloc((size_t)b->parts * rows, sizeof *k->offset);
    k->row = ts_calloc((size_t)b->parts * ((size_t)b->fullest + 1), size * sizeof(double));
    k->matrix = ts_calloc((size_t)b->numbers + 1, size * sizeof(float));
    k->factors = ts_calloc((size_t)b->numbers + 1, size * sizeof(float));
    k->stride = size * (size_t)b->tall[b->rows];
    k->basis = ts_calloc((RESTART + 1) * k->stride + 1, sizeof *k->basis);
    k->images = ts_calloc(RESTART * k->stride + 1, sizeof *k->images);
    void **vectors[] = {&k->right, &k->found, &k->rest};
    for (int i = 0; i < 3; i++) *vectors[i] = ts_calloc(n, size * sizeof(double));
    return k;
}

static void close_krylov(void *own_) {
    own *k = own_;
    ts_blocks_free(k->blocks);
    free(k->unknown), free(k->scale), free(k->next), free(k->due), free(k->offset), free(k->row);
    free(k->matrix), free(k->factors), free(k->basis), free(k->images);
    free(k->right), free(k->found), free(k->rest);
    free(k);
}

/* One round: what rows and columns are to be divided by, the roots of their largest entries. */
static void scale_once(own *k, const double *value, int parts, double *largest) {
    const ts_sparse *A = k->e->A;
    memset(largest, 0, (size_t)A->n * sizeof *largest);
    for (int j = 0; j < A->n; j++)
        for (int m = A->start[j]; m < A->start[j + 1]; m++) {
            int i = A->row[m];
            double a = fabs(value[parts * m]);
            if (parts == 2) a = fmax(a, fabs(value[2 * m + 1]));
            a *= k->scale[i] * k->scale[j];
            if (a > largest[i]) largest[i] = a;
            if (a > largest[j]) largest[j] = a;
        }
    for (int j = 0; j < A->n; j++)
        if (largest[j] > 0) k->scale[j] /= sqrt(largest[j]);
}

static int give_up(const char *why) {
    return ts_fail(TORSOR_ESINGULAR, "no iterative solution: %s", why);
}

static int factor(void *own_, int *where) {
    own *k = own_;
    const double *value = k->e->z ? k->e->z : k->e->A->value;
    *where = -1;
    if (k->blocks->widest > MOST_GROUP) return give_up("too many unknowns in a group");
    for (int j = 0; j < k->blocks->n; j++) k->scale[j] = 1;
    for (int round = 0; round < SCALINGS; round++) scale_once(k, value, k->e->z ? 2 : 1, k->found);
    bool fine;
    if (k->e->z) {
        load_complex(k, (const double complex *)value);
        k->relaxed = wrong_couplings_complex(k) < FEW_WRONG ? RELAXED : 0;
        fine = factor_blocks_complex(k);
    } else {
        load_real(k, value);
        k->relaxed = wrong_couplings_real(k) < FEW_WRONG ? RELAXED : 0;
        fine = factor_blocks_real(k);
    }
    return fine ? 0 : give_up("a block has no pivot");
}

static int attempt(void *own_, double *x) {
    own *k = own_;
    bool fine = k->e->z ? iterate_complex(k, (const double complex *)k->e->z, (double complex *)x)
                        : iterate_real(k, k->e->A->value, x);
    return fine ? 0 : give_up("too many iterations");
}

static double fill(const void *own_) {
    const own *k = own_;
    return (double)k->blocks->numbers;
}

static int negative(const void *own_) {
    (void)own_;
    return -1;
}

static double iterations(const void *own_) { return ((const own *)own_)->iterations; }

const ts_solver TS_SOLVER_KRYLOV = {.name = "krylov",
                                    .help = "by iteration, for large solids in motion",
                                    .open = open_krylov,
                                    .factor = factor,
                                    .attempt = attempt,
                                    .iterations = iterations,
                                    .fill = fill,
                                    .negative = negative,
                                    .close = close_krylov};
