/* SPDX-License-Identifier: Apache-2.0 */
/* Incomplete block LU factors and flexible GMRES, for one type of numbers. Included twice by
 * krylov.c, which explains the method, with
 *
 *     NUMBER   double, or double complex
 *     PARTS    1, or 2
 *     NAME(x)  x with the type in its name
 *     TIMES(a, b), CONJUGATE(a), SIZE2(a)   a b, the conjugate of a, |a|^2
 *
 * Factors are in single precision. A column of a block has the real parts of its rows, filled up
 * to a multiple of four, and then, if there are any, the imaginary ones. The part of a vector
 * that belongs to a group is stored in this way, too.
 */

static inline int NAME(height)(const ts_blocks *b, int row) {
    return b->tall[row + 1] - b->tall[row];
}

static inline NUMBER NAME(get)(const float *column, int height, int i) {
#if PARTS == 2
    return pair(column[i], column[height + i]);
#else
    (void)height;
    return column[i];
#endif
}

static inline void NAME(put)(float *column, int height, int i, NUMBER value) {
#if PARTS == 2
    column[i] = (float)creal(value), column[height + i] = (float)cimag(value);
#else
    (void)height;
    column[i] = (float)value;
#endif
}

/* c -= a b, of blocks with these sizes; a and c row by row. */
static inline __attribute__((always_inline)) void NAME(subtract)(int rows, int inner, int columns,
                                                                 int height, const NUMBER *a,
                                                                 const float *b, NUMBER *c) {
    for (int j = 0; j < columns; j++)
        for (int k = 0; k < inner; k++) {
            NUMBER x = NAME(get)(b + PARTS * height * j, height, k);
            for (int i = 0; i < rows; i++) c[i * columns + j] -= TIMES(a[i * inner + k], x);
        }
}

/* Points of a mesh have three unknowns: there the compiler knows the sizes. */
static void NAME(subtract_block)(int rows, int inner, int columns, int height, const NUMBER *a,
                                 const float *b, NUMBER *c) {
    if (rows == 3 && inner == 3 && columns == 3 && height == TS_FOUR)
        NAME(subtract)(3, 3, 3, TS_FOUR, a, b, c);
    else
        NAME(subtract)(rows, inner, columns, height, a, b, c);
}

/* a = a b, b square. */
static void NAME(multiply)(int rows, int size, int height, NUMBER *a, const float *b) {
    NUMBER row[MOST_GROUP];
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < size; j++) {
            row[j] = 0;
            for (int k = 0; k < size; k++)
                row[j] += TIMES(a[i * size + k], NAME(get)(b + PARTS * height * j, height, k));
        }
        for (int j = 0; j < size; j++) a[i * size + j] = row[j];
    }
}

/* The inverse of a block in place, by Gauss-Jordan elimination with partial pivoting. false: it is
 * singular, or next to it. */
static bool NAME(invert)(int n, NUMBER *a) {
    int from[MOST_GROUP];
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (SIZE2(a[i * n + k]) > SIZE2(a[best * n + k])) best = i;
        double size = SIZE2(a[best * n + k]);
        from[k] = best;
        if (!(size > LEAST_PIVOT * LEAST_PIVOT) || !isfinite(size)) return false;
        for (int j = 0; j < n && best != k; j++) {
            NUMBER room = a[k * n + j];
            a[k * n + j] = a[best * n + j], a[best * n + j] = room;
        }
        NUMBER pivot = 1 / a[k * n + k];
        a[k * n + k] = 1;
        for (int j = 0; j < n; j++) a[k * n + j] = TIMES(pivot, a[k * n + j]);
        for (int i = 0; i < n; i++) {
            NUMBER factor = a[i * n + k];
            if (i == k) continue;
            a[i * n + k] = 0;
            for (int j = 0; j < n; j++) a[i * n + j] -= TIMES(factor, a[k * n + j]);
        }
    }
    for (int k = n - 1; k >= 0; k--)
        for (int i = 0; i < n && from[k] != k; i++) {
            NUMBER room = a[i * n + k];
            a[i * n + k] = a[i * n + from[k]], a[i * n + from[k]] = room;
        }
    return true;
}

/* ---- factors ---- */

/* The scaled matrix, in single precision. Columns come in the order of elimination, so in every row
 * the next block is the one that is due. */
static void NAME(load)(own *k, const NUMBER *value) {
    const ts_blocks *b = k->blocks;
    const ts_sparse *A = k->e->A;
    memset(k->matrix, 0, PARTS * (size_t)b->numbers * sizeof *k->matrix);
    memcpy(k->next, b->start, (size_t)b->rows * sizeof *k->next);
    for (int c = 0; c < b->rows; c++) {
        for (int m = b->start[c]; m < b->start[c + 1]; m++) {
            int r = b->column[m]; /* the pattern is symmetric */
            k->due[r] = PARTS * b->at[k->next[r]++];
        }
        for (int p = b->first[c]; p < b->first[c + 1]; p++) {
            int j = k->unknown[p];
            for (int m = A->start[j]; m < A->start[j + 1]; m++) {
                int i = A->row[m], r = b->row_of[i], height = NAME(height)(b, r);
                float *column = k->matrix + k->due[r] + PARTS * height * (p - b->first[c]);
                NAME(put)
                (column, height, b->place[i] - b->first[r], k->scale[i] * k->scale[j] * value[m]);
            }
        }
    }
}

/* Couplings of points that push each other away, over those that pull each other along, by the
 * traces of their blocks. */
static double NAME(wrong_couplings)(const own *k) {
    const ts_blocks *b = k->blocks;
    double wrong = 0, right = 0;
    for (int i = 0; i < b->rows; i++)
        for (int m = b->start[i]; m < b->start[i + 1]; m++) {
            int c = b->column[m], height = NAME(height)(b, i);
            const float *block = k->matrix + PARTS * b->at[m];
            double trace = 0;
            if (c == i || b->first[i + 1] - b->first[i] != 3 || b->first[c + 1] - b->first[c] != 3)
                continue;
            for (int j = 0; j < 3; j++) trace += (double)block[PARTS * height * j + j];
            *(trace > 0 ? &wrong : &right) += fabs(trace);
        }
    return right > 0 ? wrong / right : 1;
}

/* A block of row i between its place and w, where it stands row by row. */
static void NAME(take)(const ts_blocks *b, int i, int m, const float *block, NUMBER *w) {
    int c = b->column[m], rows = b->first[i + 1] - b->first[i], height = NAME(height)(b, i);
    int columns = b->first[c + 1] - b->first[c];
    for (int j = 0; j < columns; j++, block += PARTS * height)
        for (int r = 0; r < rows; r++) w[r * columns + j] = NAME(get)(block, height, r);
}

static void NAME(bring)(const ts_blocks *b, int i, int m, const NUMBER *w, float *block) {
    int c = b->column[m], rows = b->first[i + 1] - b->first[i], height = NAME(height)(b, i);
    int columns = b->first[c + 1] - b->first[c];
    for (int j = 0; j < columns; j++, block += PARTS * height)
        for (int r = 0; r < rows; r++) NAME(put)(block, height, r, w[r * columns + j]);
}

/* Blocks from..to-1 of row c, times `left`, are subtracted from what row i has in these columns.
 * Of fill, for which it has no column, the share k->relaxed goes to its diagonal, at `diagonal`. */
static void NAME(subtract_row)(const own *k, int c, int from, int to, int size, const NUMBER *left,
                               NUMBER *w, const int *offset, NUMBER *diagonal) {
    const ts_blocks *b = k->blocks;
    int inner = b->first[c + 1] - b->first[c], height = NAME(height)(b, c);
    NUMBER share[9];
    bool relaxed = k->relaxed > 0 && size == 3 && inner == 3;
    for (int i = 0; i < 9 && relaxed; i++) share[i] = k->relaxed * left[i];
    for (int u = from; u < to; u++) {
        int j = b->column[u], columns = b->first[j + 1] - b->first[j];
        const float *block = k->factors + PARTS * b->at[u];
        if (offset[j] >= 0)
            NAME(subtract_block)(size, inner, columns, height, left, block, w + offset[j]);
        else if (relaxed && columns == 3)
            NAME(subtract_block)(3, 3, 3, height, share, block, diagonal);
    }
}

/* Row i less all that rows before it eliminate from it; its blocks stand in w, those of columns
 * that it has at offset[column]. */
static void NAME(eliminate_row)(const own *k, int i, NUMBER *w, const int *offset) {
    const ts_blocks *b = k->blocks;
    int size = b->first[i + 1] - b->first[i];
    for (int m = b->low[i]; m < b->diagonal[i]; m++) {
        int c = b->column[m], inner = b->first[c + 1] - b->first[c];
        const float *inverse = k->factors + PARTS * b->at[b->diagonal[c]];
        NUMBER *left = w + offset[c];
        NAME(multiply)(size, inner, NAME(height)(b, c), left, inverse);
        NUMBER *own_block = w + offset[i];
        NAME(subtract_row)(k, c, b->diagonal[c] + 1, b->high[c], size, left, w, offset, own_block);
        NAME(subtract_row)(k, c, b->border[c], b->start[c + 1], size, left, w, offset, own_block);
    }
}

/* Incomplete factors of one row in place of the matrix: unit lower ones, upper ones, the inverse on
 * the diagonal. */
static bool NAME(factor_row)(const own *k, int i, NUMBER *w, int *offset) {
    const ts_blocks *b = k->blocks;
    int size = b->first[i + 1] - b->first[i], next = 0;
    for (int m = b->low[i]; m < b->start[i + 1]; m++) {
        if (m == b->high[i] && b->border[i] > m) { /* blocks of other parts */
            m = b->border[i] - 1;
            continue;
        }
        int c = b->column[m];
        NAME(take)(b, i, m, k->matrix + PARTS * b->at[m], w + next);
        offset[c] = next, next += size * (b->first[c + 1] - b->first[c]);
    }
    NAME(eliminate_row)(k, i, w, offset);
    bool fine = NAME(invert)(size, w + offset[i]);
    for (int m = b->low[i]; m < b->start[i + 1]; m++) {
        if (offset[b->column[m]] < 0) continue;
        NAME(bring)(b, i, m, w + offset[b->column[m]], k->factors + PARTS * b->at[m]);
        offset[b->column[m]] = -1;
    }
    return fine;
}

static bool NAME(factor_rows)(const own *k, int from, int to, int thread) {
    const ts_blocks *b = k->blocks;
    NUMBER *w = (NUMBER *)k->row + (size_t)thread * ((size_t)b->fullest + 1);
    int *offset = k->offset + (size_t)thread * (size_t)b->rows;
    bool fine = true;
    for (int i = 0; i < b->rows; i++) offset[i] = -1;
    for (int i = from; i < to && fine; i++) fine = NAME(factor_row)(k, i, w, offset);
    return fine;
}

/* The parts, in any order, and what is at the border of all. */
static bool NAME(factor_blocks)(const own *k) {
    const ts_blocks *b = k->blocks;
    bool fine[TS_MOST_PARTS], all = true;
#pragma omp parallel for num_threads(k->e->threads) schedule(static) if (k->e->threads > 1)
    for (int p = 0; p < b->parts; p++)
        fine[p] = NAME(factor_rows)(k, b->part[p], b->part[p + 1], p);
    for (int p = 0; p < b->parts; p++) all &= fine[p];
    return all && NAME(factor_rows)(k, b->part[b->parts], b->rows, 0);
}

/* ---- vectors by groups, in single precision ---- */

/* Four rows of part less block x; `imaginary` is NULL, or that part of them. */
static inline __attribute__((always_inline)) void NAME(less_four)(int height, int columns, int tall,
                                                                  const float *block,
                                                                  const float *x, four *real,
                                                                  four *imaginary) {
    (void)tall, (void)imaginary;
    for (int j = 0; j < columns; j++, block += PARTS * height) {
        four a = load_four(block);
#if PARTS == 2
        four b = load_four(block + height);
        *real -= a * x[j] - b * x[tall + j];
        *imaginary -= a * x[tall + j] + b * x[j];
#else
        *real -= a * x[j];
#endif
    }
}

/* part -= block x, of any height. */
static void NAME(less)(int height, int columns, int tall, const float *block, const float *x,
                       float *part) {
    for (int h = 0; h < height; h += TS_FOUR) {
        four real = load_four(part + h), imaginary = {0, 0, 0, 0};
        if (PARTS == 2) imaginary = load_four(part + height + h);
        NAME(less_four)(height, columns, tall, block + h, x, &real, &imaginary);
        store_four(part + h, real);
        if (PARTS == 2) store_four(part + height + h, imaginary);
    }
}

/* The part of y in row i, less the blocks from..to-1 of the row times those of x. */
static void NAME(less_blocks)(const own *k, const float *values, int i, int from, int to,
                              const float *x, float *y) {
    const ts_blocks *b = k->blocks;
    const float *block = values + PARTS * b->at[from];
    float *part = y + PARTS * b->tall[i];
    int height = NAME(height)(b, i);
    for (int m = from; m < to && height > TS_FOUR; m++) {
        int c = b->column[m], columns = b->first[c + 1] - b->first[c];
        NAME(less)(height, columns, NAME(height)(b, c), block, x + PARTS * b->tall[c], part);
        block += PARTS * height * columns;
    }
    if (height > TS_FOUR) return;
    four real = load_four(part), imaginary = {0, 0, 0, 0};
    if (PARTS == 2) imaginary = load_four(part + TS_FOUR);
    for (int m = from; m < to; m++) {
        int c = b->column[m], columns = b->first[c + 1] - b->first[c], tall = NAME(height)(b, c);
        const float *from_c = x + PARTS * b->tall[c];
        if (columns == 3) /* between points: the compiler knows the sizes */
            NAME(less_four)(TS_FOUR, 3, TS_FOUR, block, from_c, &real, &imaginary);
        else
            NAME(less_four)(TS_FOUR, columns, tall, block, from_c, &real, &imaginary);
        block += PARTS * TS_FOUR * columns;
    }
    store_four(part, real);
    if (PARTS == 2) store_four(part + TS_FOUR, imaginary);
}

/* y = D^-1 y of row i */
static void NAME(divide)(const own *k, int i, float *y) {
    const ts_blocks *b = k->blocks;
    int height = NAME(height)(b, i);
    float minus[2 * MOST_GROUP], *part = y + PARTS * b->tall[i];
    const float *inverse = k->factors + PARTS * b->at[b->diagonal[i]];
    for (int m = 0; m < PARTS * height; m++) minus[m] = -part[m], part[m] = 0;
    NAME(less)(height, b->first[i + 1] - b->first[i], height, inverse, minus, part);
}

static void NAME(forward)(const own *k, int from, int to, float *y) {
    const ts_blocks *b = k->blocks;
    for (int i = from; i < to; i++)
        NAME(less_blocks)(k, k->factors, i, b->low[i], b->diagonal[i], y, y);
}

static void NAME(backward)(const own *k, int from, int to, float *y) {
    const ts_blocks *b = k->blocks;
    for (int i = to - 1; i >= from; i--) {
        NAME(less_blocks)(k, k->factors, i, b->diagonal[i] + 1, b->high[i], y, y);
        if (b->border[i] < b->start[i + 1])
            NAME(less_blocks)(k, k->factors, i, b->border[i], b->start[i + 1], y, y);
        NAME(divide)(k, i, y);
    }
}

/* z = M^-1 r, M the incomplete factors. */
static void NAME(precondition)(const own *k, const float *r, float *z) {
    const ts_blocks *b = k->blocks;
    memcpy(z, r, PARTS * (size_t)b->tall[b->rows] * sizeof *z);
#pragma omp parallel for num_threads(k->e->threads) schedule(static) if (k->e->threads > 1)
    for (int p = 0; p < b->parts; p++) NAME(forward)(k, b->part[p], b->part[p + 1], z);
    NAME(forward)(k, b->part[b->parts], b->rows, z);
    NAME(backward)(k, b->part[b->parts], b->rows, z);
#pragma omp parallel for num_threads(k->e->threads) schedule(static) if (k->e->threads > 1)
    for (int p = 0; p < b->parts; p++) NAME(backward)(k, b->part[p], b->part[p + 1], z);
}

/* y = -A z, A the scaled matrix: the rows of one part. */
static void NAME(apply_part)(const own *k, int from, int to, const float *z, float *y) {
    const ts_blocks *b = k->blocks;
    memset(y + PARTS * b->tall[from], 0, PARTS * (size_t)(b->tall[to] - b->tall[from]) * sizeof *y);
    for (int i = from; i < to; i++) {
        NAME(less_blocks)(k, k->matrix, i, b->start[i], b->diagonal[i], z, y);
        NAME(less_blocks)(k, k->matrix, i, b->diagonal[i], b->start[i + 1], z, y);
    }
}

static void NAME(apply)(const own *k, const float *z, float *y) {
    const ts_blocks *b = k->blocks;
#pragma omp parallel for num_threads(k->e->threads) schedule(static) if (k->e->threads > 1)
    for (int p = 0; p < b->parts; p++) NAME(apply_part)(k, b->part[p], b->part[p + 1], z, y);
    NAME(apply_part)(k, b->part[b->parts], b->rows, z, y);
}

/* Sums over rows from..to-1: of conj(a) b. */
static NUMBER NAME(dot_rows)(const ts_blocks *b, int from, int to, const float *x, const float *y) {
    double real = 0, imaginary = 0;
    for (int i = from; i < to;) {
        four sum = {0, 0, 0, 0}, other = {0, 0, 0, 0};
        for (int end = i + FLUSH < to ? i + FLUSH : to; i < end; i++) {
            int height = NAME(height)(b, i);
            const float *p = x + PARTS * b->tall[i], *q = y + PARTS * b->tall[i];
            for (int h = 0; h < height; h += TS_FOUR) {
                sum += load_four(p + h) * load_four(q + h);
#if PARTS == 2
                four p2 = load_four(p + height + h), q2 = load_four(q + height + h);
                sum += p2 * q2;
                other += load_four(p + h) * q2 - p2 * load_four(q + h);
#endif
            }
        }
        for (int m = 0; m < TS_FOUR; m++) real += (double)sum[m], imaginary += (double)other[m];
    }
#if PARTS == 2
    return pair(real, imaginary);
#else
    return real + imaginary;
#endif
}

static NUMBER NAME(dot)(const own *k, const float *x, const float *y) {
    const ts_blocks *b = k->blocks;
    NUMBER part[TS_MOST_PARTS], sum;
#pragma omp parallel for num_threads(k->e->threads) schedule(static) if (k->e->threads > 1)
    for (int p = 0; p < b->parts; p++)
        part[p] = NAME(dot_rows)(b, b->part[p], b->part[p + 1], x, y);
    sum = NAME(dot_rows)(b, b->part[b->parts], b->rows, x, y);
    for (int p = 0; p < b->parts; p++) sum += part[p];
    return sum;
}

/* y += factor x, of rows from..to-1. */
static void NAME(add_rows)(const ts_blocks *b, int from, int to, NUMBER factor, const float *x,
                           float *y) {
#if PARTS == 2
    float re = (float)creal(factor), im = (float)cimag(factor);
    for (int i = from; i < to; i++) {
        int height = NAME(height)(b, i);
        const float *p = x + 2 * b->tall[i];
        float *q = y + 2 * b->tall[i];
        for (int h = 0; h < height; h += TS_FOUR) {
            four real = load_four(p + h), imaginary = load_four(p + height + h);
            store_four(q + h, load_four(q + h) + real * re - imaginary * im);
            store_four(q + height + h, load_four(q + height + h) + real * im + imaginary * re);
        }
    }
#else
    for (int h = b->tall[from]; h < b->tall[to]; h += TS_FOUR)
        store_four(y + h, load_four(y + h) + load_four(x + h) * (float)factor);
#endif
}

static void NAME(add)(const own *k, NUMBER factor, const float *x, float *y) {
    const ts_blocks *b = k->blocks;
#pragma omp parallel for num_threads(k->e->threads) schedule(static) if (k->e->threads > 1)
    for (int p = 0; p < b->parts; p++) NAME(add_rows)(b, b->part[p], b->part[p + 1], factor, x, y);
    NAME(add_rows)(b, b->part[b->parts], b->rows, factor, x, y);
}

static void NAME(multiply_by)(const own *k, double factor, float *y) {
    size_t n = PARTS * (size_t)k->blocks->tall[k->blocks->rows];
    for (size_t i = 0; i < n; i++) y[i] *= (float)factor;
}

/* ---- flexible GMRES ---- */

/* The column of the Hessenberg matrix that belongs to the newest vector, turned by the rotations
 * there are and by a new one; the residual that is left. */
static double NAME(turn)(NUMBER *h, double *cosine, NUMBER *sine, NUMBER *g, int m) {
    for (int i = 0; i < m; i++) {
        NUMBER a = cosine[i] * h[i] + TIMES(CONJUGATE(sine[i]), h[i + 1]);
        h[i + 1] = cosine[i] * h[i + 1] - TIMES(sine[i], h[i]);
        h[i] = a;
    }
    double size = sqrt(SIZE2(h[m]) + SIZE2(h[m + 1])), first = sqrt(SIZE2(h[m]));
    if (!(size > 0)) {
        cosine[m] = 1, sine[m] = 0;
    } else if (first > 0) {
        cosine[m] = first / size;
        sine[m] = TIMES(h[m + 1], CONJUGATE(h[m])) / (first * size);
    } else {
        cosine[m] = 0, sine[m] = h[m + 1] / size;
    }
    h[m] = cosine[m] * h[m] + TIMES(CONJUGATE(sine[m]), h[m + 1]);
    h[m + 1] = 0;
    g[m + 1] = -TIMES(sine[m], g[m]);
    g[m] = cosine[m] * g[m];
    return sqrt(SIZE2(g[m + 1]));
}

/* The best combination of the images, into the first vector: H y = g, Z y. */
static void NAME(combine)(own *k, int m, NUMBER (*H)[RESTART + 1], const NUMBER *g) {
    NUMBER y[RESTART];
    for (int i = m - 1; i >= 0; i--) {
        y[i] = g[i];
        for (int j = i + 1; j < m; j++) y[i] -= TIMES(H[j][i], y[j]);
        y[i] = y[i] / H[i][i];
    }
    memset(k->basis, 0, k->stride * sizeof *k->basis);
    for (int i = 0; i < m; i++) NAME(add)(k, y[i], k->images + (size_t)i * k->stride, k->basis);
}

/* Newest vector w = -A M^-1 v, with its column of H; its length. */
static double NAME(expand)(own *k, int m, NUMBER *h) {
    float *v = k->basis + (size_t)m * k->stride, *w = v + k->stride;
    float *z = k->images + (size_t)m * k->stride;
    NAME(precondition)(k, v, z);
    NAME(apply)(k, z, w);
    NAME(multiply_by)(k, -1, w);
    for (int i = 0; i <= m; i++) {
        const float *other = k->basis + (size_t)i * k->stride;
        h[i] = NAME(dot)(k, other, w);
        NAME(add)(k, -h[i], other, w);
    }
    NUMBER square = NAME(dot)(k, w, w);
    double length = sqrt(sqrt(SIZE2(square)));
    h[m + 1] = length;
    if (length > 0) NAME(multiply_by)(k, 1 / length, w);
    return length;
}

/* Iterations from a residual of length 1, the first vector, until it is `goal`; the solution then
 * is in its place. How many were made, 0: they led nowhere. */
static int NAME(cycle)(own *k, double goal, int most) {
    NUMBER H[RESTART][RESTART + 1], sine[RESTART], g[RESTART + 1] = {1};
    double cosine[RESTART], left = 1, length = 1;
    int m = 0;
    for (; m < most && left > goal && length > 0; m++) {
        length = NAME(expand)(k, m, H[m]);
        left = NAME(turn)(H[m], cosine, sine, g, m);
        if (!isfinite(left)) return 0;
    }
    NAME(combine)(k, m, H, g);
    return m;
}

/* r = b - S A S x in double precision, S the scales; its length. */
static double NAME(residual)(const own *k, const NUMBER *value, const NUMBER *b, const NUMBER *x,
                             NUMBER *r) {
    const ts_sparse *A = k->e->A;
    double sum = 0;
    for (int i = 0; i < A->n; i++) r[i] = 0;
    for (int j = 0; j < A->n; j++) {
        NUMBER xj = k->scale[j] * x[j];
        if (SIZE2(xj) == 0) continue;
        for (int m = A->start[j]; m < A->start[j + 1]; m++) r[A->row[m]] += TIMES(value[m], xj);
    }
    for (int i = 0; i < A->n; i++) r[i] = b[i] - k->scale[i] * r[i], sum += SIZE2(r[i]);
    return sqrt(sum);
}

/* The first vector: r over its length. */
static void NAME(begin)(own *k, const NUMBER *r, double size) {
    const ts_blocks *b = k->blocks;
    memset(k->basis, 0, k->stride * sizeof *k->basis);
    for (int j = 0; j < b->n; j++) {
        int row = b->row_of[j], at = b->place[j] - b->first[row];
        NAME(put)(k->basis + PARTS * b->tall[row], NAME(height)(b, row), at, r[j] / size);
    }
}

/* x += size times the first vector */
static void NAME(correct)(const own *k, double size, NUMBER *x) {
    const ts_blocks *b = k->blocks;
    for (int j = 0; j < b->n; j++) {
        int row = b->row_of[j], at = b->place[j] - b->first[row];
        x[j] += size * NAME(get)(k->basis + PARTS * b->tall[row], NAME(height)(b, row), at);
    }
}

/* Solves A x = b, both in x; false: not within MOST_ITERATIONS, and x is as it was. */
static bool NAME(iterate)(own *k, const NUMBER *value, NUMBER *x) {
    int n = k->blocks->n, done = 0;
    NUMBER *b = k->right, *found = k->found, *r = k->rest;
    for (int i = 0; i < n; i++) b[i] = k->scale[i] * x[i], found[i] = 0;
    double left = NAME(residual)(k, value, b, found, r), goal = k->e->accuracy * left;
    if (!isfinite(left)) return false;
    while (left > goal) {
        int most = MOST_ITERATIONS - done < RESTART ? MOST_ITERATIONS - done : RESTART;
        if (most <= 0) return false;
        NAME(begin)(k, r, left);
        /* a digit at least, so that what a cycle gains can be told from nothing */
        double share = fmax(fmin(0.9 * goal / left, 0.1), CYCLE_GOAL);
        int made = NAME(cycle)(k, share, most);
        if (made == 0) return false;
        NAME(correct)(k, left, found);
        double now = NAME(residual)(k, value, b, found, r);
        if (!(now < STALLED * left)) return false;
        left = now, done += made;
    }
    for (int i = 0; i < n; i++) x[i] = k->scale[i] * found[i];
    k->iterations += done;
    return true;
}
