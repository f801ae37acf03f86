/* Incomplete block LU factors and flexible GMRES, for one type of numbers. Included twice by
 * krylov.c, which says what is computed, with
 *
 *     NUMBER   double, or double complex
 *     SMALL    float, or float complex: what incomplete factors make of a vector
 *     PARTS    1, or 2
 *     NAME(x)  x with the type in its name
 *     TIMES(a, b), CONJUGATE(a), SIZE2(a)   a b, the conjugate of a, |a|^2
 *
 * Factors are in single precision. A column of a block has the real parts of its rows, filled up
 * to a multiple of four, and then, if there are any, the imaginary ones; likewise the part of a
 * vector that belongs to a group.
 */

static inline int NAME(height)(const ts_blocks *b, int row) {
    return b->tall[row + 1] - b->tall[row];
}

static inline NUMBER NAME(get)(const float *column, int height, int i) {
#if PARTS == 2
    return CMPLX(column[i], column[height + i]);
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

/* The scaled matrix, into the blocks. Columns come in the order of elimination, so in every row the
 * next block is the one that is due. */
static void NAME(load)(own *k, const NUMBER *value) {
    const ts_blocks *b = k->blocks;
    const ts_sparse *A = k->e->A;
    memset(k->factors, 0, PARTS * (size_t)b->numbers * sizeof *k->factors);
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
                float *column = k->factors + k->due[r] + PARTS * height * (p - b->first[c]);
                NAME(put)
                (column, height, b->place[i] - b->first[r], k->scale[i] * k->scale[j] * value[m]);
            }
        }
    }
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

/* Row i less all that rows before it eliminate from it; its blocks stand in w, those of columns
 * that it has at offset[column]. */
static void NAME(eliminate_row)(const own *k, int i, NUMBER *w, const int *offset) {
    const ts_blocks *b = k->blocks;
    int size = b->first[i + 1] - b->first[i];
    for (int m = b->start[i]; m < b->diagonal[i]; m++) {
        int c = b->column[m], inner = b->first[c + 1] - b->first[c], height = NAME(height)(b, c);
        NUMBER *left = w + offset[c];
        NAME(multiply)
        (size, inner, height, left, k->factors + PARTS * b->at[b->diagonal[c]]);
        for (int u = b->diagonal[c] + 1; u < b->start[c + 1]; u++) {
            int j = b->column[u];
            if (offset[j] < 0) continue; /* fill that is dropped */
            NAME(subtract_block)
            (size, inner, b->first[j + 1] - b->first[j], height, left,
             k->factors + PARTS * b->at[u], w + offset[j]);
        }
    }
}

/* Incomplete factors in place of the matrix: unit lower ones, upper ones, inverses on the
 * diagonal. */
static bool NAME(factor_blocks)(own *k) {
    const ts_blocks *b = k->blocks;
    NUMBER *w = k->row;
    for (int i = 0; i < b->rows; i++) k->offset[i] = -1;
    for (int i = 0; i < b->rows; i++) {
        int size = b->first[i + 1] - b->first[i], next = 0;
        for (int m = b->start[i]; m < b->start[i + 1]; m++) {
            int c = b->column[m];
            NAME(take)(b, i, m, k->factors + PARTS * b->at[m], w + next);
            k->offset[c] = next, next += size * (b->first[c + 1] - b->first[c]);
        }
        NAME(eliminate_row)(k, i, w, k->offset);
        if (!NAME(invert)(size, w + k->offset[i])) return false;
        for (int m = b->start[i]; m < b->start[i + 1]; m++) {
            NAME(bring)(b, i, m, w + k->offset[b->column[m]], k->factors + PARTS * b->at[m]);
            k->offset[b->column[m]] = -1;
        }
    }
    return true;
}

/* ---- solutions ---- */

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

/* The part of y in row i, less the blocks from..to-1 of the row times what they multiply. */
static void NAME(less_blocks)(const own *k, int i, int from, int to, float *y) {
    const ts_blocks *b = k->blocks;
    const float *block = k->factors + PARTS * b->at[from];
    float *part = y + PARTS * b->tall[i];
    int height = NAME(height)(b, i);
    for (int m = from; m < to && height > TS_FOUR; m++) {
        int c = b->column[m], columns = b->first[c + 1] - b->first[c];
        NAME(less)(height, columns, NAME(height)(b, c), block, y + PARTS * b->tall[c], part);
        block += PARTS * height * columns;
    }
    if (height > TS_FOUR) return;
    four real = load_four(part), imaginary = {0, 0, 0, 0};
    if (PARTS == 2) imaginary = load_four(part + TS_FOUR);
    for (int m = from; m < to; m++) {
        int c = b->column[m], columns = b->first[c + 1] - b->first[c], tall = NAME(height)(b, c);
        const float *x = y + PARTS * b->tall[c];
        if (columns == 3) /* between points: the compiler knows the sizes */
            NAME(less_four)(TS_FOUR, 3, TS_FOUR, block, x, &real, &imaginary);
        else
            NAME(less_four)(TS_FOUR, columns, tall, block, x, &real, &imaginary);
        block += PARTS * TS_FOUR * columns;
    }
    store_four(part, real);
    if (PARTS == 2) store_four(part + TS_FOUR, imaginary);
}

/* y = D^-1 y of row i */
static void NAME(divide)(const own *k, int i, float *y) {
    const ts_blocks *b = k->blocks;
    int height = NAME(height)(b, i);
    float sum[2 * MOST_GROUP], *part = y + PARTS * b->tall[i];
    for (int m = 0; m < PARTS * height; m++) sum[m] = -part[m], part[m] = 0;
    NAME(less)
    (height, b->first[i + 1] - b->first[i], height, k->factors + PARTS * b->at[b->diagonal[i]], sum,
     part);
}

/* z = M^-1 r, M the incomplete factors, in the scaled unknowns. */
static void NAME(precondition)(const own *k, const NUMBER *r, SMALL *z) {
    const ts_blocks *b = k->blocks;
    float *y = k->work;
    for (int j = 0; j < b->n; j++) {
        int row = b->row_of[j], height = NAME(height)(b, row);
        NAME(put)(y + PARTS * b->tall[row], height, b->place[j] - b->first[row], r[j]);
    }
    for (int i = 0; i < b->rows; i++) NAME(less_blocks)(k, i, b->start[i], b->diagonal[i], y);
    for (int i = b->rows - 1; i >= 0; i--) {
        NAME(less_blocks)(k, i, b->diagonal[i] + 1, b->start[i + 1], y);
        NAME(divide)(k, i, y);
    }
    for (int j = 0; j < b->n; j++) {
        int row = b->row_of[j], height = NAME(height)(b, row);
        z[j] = (SMALL)NAME(get)(y + PARTS * b->tall[row], height, b->place[j] - b->first[row]);
    }
}

/* y = S A S x, with S the scales. Columns of a point have the same rows and are taken together. */
static void NAME(apply)(const own *k, const NUMBER *value, const SMALL *x, NUMBER *y) {
    const ts_sparse *A = k->e->A;
    for (int i = 0; i < A->n; i++) y[i] = 0;
    for (int j = 0; j < A->n;) {
        int from = A->start[j], count = A->start[j + 1] - from;
        const int *row = A->row + from;
        const NUMBER *a = value + from;
        NUMBER x0 = k->scale[j] * x[j];
        if (k->alike[j]) {
            const NUMBER *b = a + count, *c = b + count;
            NUMBER x1 = k->scale[j + 1] * x[j + 1], x2 = k->scale[j + 2] * x[j + 2];
            for (int m = 0; m < count; m++)
                y[row[m]] += TIMES(a[m], x0) + TIMES(b[m], x1) + TIMES(c[m], x2);
            j += 3;
        } else {
            for (int m = 0; m < count; m++) y[row[m]] += TIMES(a[m], x0);
            j++;
        }
    }
    for (int i = 0; i < A->n; i++) y[i] *= k->scale[i];
}

/* r = b - S A S x */
static void NAME(residual)(const own *k, const NUMBER *value, const NUMBER *b, const NUMBER *x,
                           NUMBER *r) {
    const ts_sparse *A = k->e->A;
    for (int i = 0; i < A->n; i++) r[i] = 0;
    for (int j = 0; j < A->n; j++) {
        NUMBER xj = k->scale[j] * x[j];
        for (int m = A->start[j]; m < A->start[j + 1]; m++) r[A->row[m]] += TIMES(value[m], xj);
    }
    for (int i = 0; i < A->n; i++) r[i] = b[i] - k->scale[i] * r[i];
}

static NUMBER NAME(dot)(int n, const NUMBER *a, const NUMBER *b) {
    NUMBER sum[4] = {0, 0, 0, 0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int m = 0; m < 4; m++) sum[m] += TIMES(CONJUGATE(a[i + m]), b[i + m]);
    for (; i < n; i++) sum[0] += TIMES(CONJUGATE(a[i]), b[i]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double NAME(norm)(int n, const NUMBER *a) {
    double sum[4] = {0, 0, 0, 0};
    for (int i = 0; i < n; i++) sum[i & 3] += SIZE2(a[i]);
    return sqrt((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

static void NAME(add)(int n, NUMBER factor, const NUMBER *a, NUMBER *b) {
    for (int i = 0; i < n; i++) b[i] += TIMES(factor, a[i]);
}

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

/* x += Z y, H y = g */
static void NAME(update)(own *k, int m, NUMBER (*H)[RESTART + 1], const NUMBER *g, NUMBER *x) {
    int n = k->blocks->n;
    NUMBER y[RESTART];
    for (int i = m - 1; i >= 0; i--) {
        y[i] = g[i];
        for (int j = i + 1; j < m; j++) y[i] -= TIMES(H[j][i], y[j]);
        y[i] = y[i] / H[i][i];
    }
    for (int i = 0; i < m; i++) {
        const SMALL *z = (const SMALL *)k->images + (size_t)i * (size_t)n;
        for (int j = 0; j < n; j++) x[j] += TIMES(y[i], (NUMBER)z[j]);
    }
}

/* Up to RESTART iterations from the residual V[0], of norm `size`; how many were made. */
static int NAME(cycle)(own *k, const NUMBER *value, double size, double goal, int most, NUMBER *x) {
    int n = k->blocks->n, m = 0;
    NUMBER H[RESTART][RESTART + 1], sine[RESTART], g[RESTART + 1] = {size}, *V = k->basis;
    double cosine[RESTART], left = size;
    for (int i = 0; i < n; i++) V[i] = V[i] / size;
    while (m < most && left > goal) {
        NUMBER *v = V + (size_t)m * (size_t)n, *w = v + n;
        SMALL *z = (SMALL *)k->images + (size_t)m * (size_t)n;
        NAME(precondition)(k, v, z);
        NAME(apply)(k, value, z, w);
        for (int i = 0; i <= m; i++) {
            H[m][i] = NAME(dot)(n, V + (size_t)i * (size_t)n, w);
            NAME(add)(n, -H[m][i], V + (size_t)i * (size_t)n, w);
        }
        double length = NAME(norm)(n, w);
        H[m][m + 1] = length;
        for (int i = 0; i < n && length > 0; i++) w[i] = w[i] / length;
        left = NAME(turn)(H[m], cosine, sine, g, m);
        m++;
        if (!isfinite(left) || !(length > 0)) break;
    }
    if (isfinite(left)) NAME(update)(k, m, H, g, x);
    return m;
}

/* Solves A x = b, both in x; false: not within MOST_ITERATIONS, and x is as it was. */
static bool NAME(iterate)(own *k, const NUMBER *value, NUMBER *x) {
    int n = k->blocks->n, done = 0;
    NUMBER *b = k->right, *found = k->found, *V = k->basis;
    for (int i = 0; i < n; i++) b[i] = V[i] = k->scale[i] * x[i], found[i] = 0;
    double size = NAME(norm)(n, b), goal = k->e->accuracy * size, left = size;
    if (!isfinite(size)) return false;
    while (left > goal) {
        if (done >= MOST_ITERATIONS) return false;
        int most = MOST_ITERATIONS - done < RESTART ? MOST_ITERATIONS - done : RESTART;
        done += NAME(cycle)(k, value, left, 0.9 * goal, most, found);
        NAME(residual)(k, value, b, found, V);
        double now = NAME(norm)(n, V);
        if (!(now < left)) return false;
        left = now;
    }
    for (int i = 0; i < n; i++) x[i] = k->scale[i] * found[i];
    k->iterations += done;
    return true;
}
