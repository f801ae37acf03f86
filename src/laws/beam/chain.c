/* SPDX-License-Identifier: Apache-2.0 */
/* From the helices between the nodes of an element to its strains, as data. See chain.h.
 *
 * Each line of (1) is a bracket of the table, x[into] = x[from] + factor [x[left], x[right]]. So
 * the map, its derivative, its transpose and the derivative of the transpose are loops over the
 * table, for elements of any number of nodes.
 */
#include "laws/beam/chain.h"

enum { POINTS = TS_CHAIN_POINTS, ZERO = -1 };

/* x[into] = x[from] + factor [x[left], x[right]] */
typedef struct bracket {
    int into, from, left, right;
    double factor;
} bracket;

typedef struct rule {
    double guess[POINTS][POINTS]; /* s_i = sum of guess_ij W_j; x[i] = s_i */
    int brackets;
    const bracket *bracket;
    int moment[POINTS]; /* which x is k_i */
} rule;

#define ROOT5 2.23606797749978969641
#define A ((3 * ROOT5 - 5) / 30)
#define B ((7 - 3 * ROOT5) / (6 * ROOT5 - 20))
#define C ((7 * ROOT5 - 15) / (45 * ROOT5 - 150) - A * B)
#define D ((3 * ROOT5 - 10) / 75)
#define E ((6 * ROOT5 - 25) / 375)
#define F ((5 - 3 * ROOT5) / 750 - A * E)
#define G ((ROOT5 - 3) / 10 - B)

static const bracket THREE_NODES[] = {{2, 0, 0, 1, -1.0 / 12}};
static const bracket FOUR_NODES[] = {
    {3, ZERO, 0, 1, 1},                                             /* [s_0, s_1] */
    {4, 2, 0, 1, A},                                                /* k_2 */
    {5, 1, 0, 4, B},    {6, 5, 0, 3, C},                            /* z */
    {7, ZERO, 0, 6, 1},                                             /* [s_0, z] */
    {8, 0, 0, 6, D},    {9, 8, 6, 4, E},      {10, 9, 6, 7, F},     /* k_0 */
    {11, 6, 10, 4, G},  {12, ZERO, 10, 6, 1}, {13, 11, 10, 12, -C}, /* k_1 */
};

#undef A
#undef B
#undef C
#undef D
#undef E
#undef F
#undef G

static const rule RULES[POINTS] = {
    {{{0.5}}, 0, THREE_NODES, {0}}, /* none of them */
    {{{0.5, 0.5}, {-1, 1}}, 1, THREE_NODES, {2, 1}},
    {{{0.5, 0.5, 0.5}, {-1.25, 0, 1.25}, {1.25, 1.25 - 1.25 * ROOT5, 1.25}},
     sizeof FOUR_NODES / sizeof *FOUR_NODES,
     FOUR_NODES,
     {10, 13, 4}},
};

/* P_i at Gauss point g of p */
#define ROOT_THIRD 0.57735026918962576451
#define ROOT_SIXTY 0.77459666924148337704
static const double LEGENDRE[POINTS][POINTS][POINTS] = {
    {{1}},
    {{1, -ROOT_THIRD}, {1, ROOT_THIRD}},
    {{1, -ROOT_SIXTY, 0.4}, {1, 0, -0.5}, {1, ROOT_SIXTY, 0.4}},
};

/* Loops over the table are compiled twice: for three nodes, whose table and loops are then
 * constant, and for any number of nodes. */
#define FOR_POINTS static inline __attribute__((always_inline))

FOR_POINTS void guess(int p, const v6 *W, v6 *x) {
    for (int i = 0; i < p; i++) {
        x[i] = v6_scale(RULES[p - 1].guess[i][0], W[0]);
        for (int j = 1; j < p; j++) x[i] = v6_axpy(RULES[p - 1].guess[i][j], W[j], x[i]);
    }
}

FOR_POINTS void draw(int p, const double *helix, v6 *base) {
    const rule *r = &RULES[p - 1];
    v6 W[POINTS] = {0};
    for (int j = 0; j < p; j++) W[j] = ts_helix_drawn(helix + TS_HELIX_DRAWN * j);
    guess(p, W, base);
    for (const bracket *b = r->bracket; b < r->bracket + r->brackets; b++)
        base[b->into] = b->from == ZERO ? v6_zero() : base[b->from];
}

void ts_chain_draw(int p, const double *helix, v6 *base) {
    if (p == 2)
        draw(2, helix, base);
    else
        draw(p, helix, base);
}

FOR_POINTS void forward(int p, const v6 *W, const v6 *base, v6 *x) {
    const rule *r = &RULES[p - 1];
    guess(p, W, x);
    for (const bracket *b = r->bracket; b < r->bracket + r->brackets; b++) {
        v6 left = v6_add(base[b->left], x[b->left]), right = v6_add(base[b->right], x[b->right]);
        v6 from = b->from == ZERO ? v6_zero() : x[b->from];
        x[b->into] = v6_axpy(b->factor, ts_se3_ad(left, right), from);
    }
}

void ts_chain_forward(int p, const v6 *W, const v6 *base, v6 *x) {
    if (p == 2)
        forward(2, W, base, x);
    else
        forward(p, W, base, x);
}

FOR_POINTS void forward_change(int p, const v6 *x, const v6 *dW, v6 *dx) {
    const rule *r = &RULES[p - 1];
    guess(p, dW, dx);
    for (const bracket *b = r->bracket; b < r->bracket + r->brackets; b++) {
        v6 from = b->from == ZERO ? v6_zero() : dx[b->from];
        v6 change =
            v6_add(ts_se3_ad(dx[b->left], x[b->right]), ts_se3_ad(x[b->left], dx[b->right]));
        dx[b->into] = v6_axpy(b->factor, change, from);
    }
}

void ts_chain_forward_change(int p, const v6 *x, const v6 *dW, v6 *dx) {
    if (p == 2)
        forward_change(2, x, dW, dx);
    else
        forward_change(p, x, dW, dx);
}

void ts_chain_forward_second(int p, const v6 *x, const v6 *one, const v6 *two, const v6 *dW,
                             v6 *out) {
    const rule *r = &RULES[p - 1];
    guess(p, dW, out);
    for (const bracket *b = r->bracket; b < r->bracket + r->brackets; b++) {
        v6 from = b->from == ZERO ? v6_zero() : out[b->from];
        v6 change =
            v6_add(ts_se3_ad(out[b->left], x[b->right]), ts_se3_ad(x[b->left], out[b->right]));
        v6 both =
            v6_add(ts_se3_ad(one[b->left], two[b->right]), ts_se3_ad(two[b->left], one[b->right]));
        out[b->into] = v6_axpy(b->factor, v6_add(change, both), from);
    }
}

/* Distributes the force f on x[into] to the terms of its bracket: f.[a, b] = -a.ad(b)^T f =
 * b.ad(a)^T f. */
FOR_POINTS void pass_back(const bracket *b, const v6 *x, v6 f, v6 *on) {
    v6 *left = &on[b->left], *right = &on[b->right];
    *left = v6_axpy(-b->factor, ts_se3_ad_transposed(x[b->right], f), *left);
    *right = v6_axpy(b->factor, ts_se3_ad_transposed(x[b->left], f), *right);
}

FOR_POINTS void pass_to_helices(int p, const v6 *f, v6 *on_W) {
    const rule *r = &RULES[p - 1];
    for (int j = 0; j < p; j++) {
        on_W[j] = v6_zero();
        for (int i = 0; i < p; i++) on_W[j] = v6_axpy(r->guess[i][j], f[i], on_W[j]);
    }
}

FOR_POINTS void backward(int p, const v6 *x, v6 *f, v6 *on_W) {
    const rule *r = &RULES[p - 1];
    for (const bracket *b = r->bracket + r->brackets; b-- > r->bracket;) {
        if (b->from != ZERO) f[b->from] = v6_add(f[b->from], f[b->into]);
        pass_back(b, x, f[b->into], f);
    }
    pass_to_helices(p, f, on_W);
}

void ts_chain_backward(int p, const v6 *x, v6 *f, v6 *on_W) {
    if (p == 2)
        backward(2, x, f, on_W);
    else
        backward(p, x, f, on_W);
}

FOR_POINTS void backward_change(int p, const v6 *x, const v6 *f, const v6 *dx, v6 *df, v6 *on_W) {
    const rule *r = &RULES[p - 1];
    for (const bracket *b = r->bracket + r->brackets; b-- > r->bracket;) {
        if (b->from != ZERO) df[b->from] = v6_add(df[b->from], df[b->into]);
        pass_back(b, dx, f[b->into], df);
        pass_back(b, x, df[b->into], df);
    }
    pass_to_helices(p, df, on_W);
}

void ts_chain_backward_change(int p, const v6 *x, const v6 *f, const v6 *dx, v6 *df, v6 *on_W) {
    if (p == 2)
        backward_change(2, x, f, dx, df, on_W);
    else
        backward_change(p, x, f, dx, df, on_W);
}

void ts_chain_backward_second(int p, const ts_chain_pull *of, const v6 *dx, const v6 *done,
                              const v6 *df, v6 *dg, v6 *on_W) {
    const rule *r = &RULES[p - 1];
    for (const bracket *b = r->bracket + r->brackets; b-- > r->bracket;) {
        if (b->from != ZERO) dg[b->from] = v6_add(dg[b->from], dg[b->into]);
        pass_back(b, done, of->f[b->into], dg), pass_back(b, of->one, df[b->into], dg);
        pass_back(b, dx, of->g[b->into], dg), pass_back(b, of->x, dg[b->into], dg);
    }
    pass_to_helices(p, dg, on_W);
}

v6 ts_chain_strain(int p, int g, double length, const v6 *x) {
    const double *P = LEGENDRE[p - 1][g], factor = 2 / length;
    const int *moment = RULES[p - 1].moment;
    v6 eps = v6_scale(factor, x[moment[0]]);
    for (int i = 1; i < p; i++) eps = v6_axpy(factor * P[i], x[moment[i]], eps);
    return eps;
}

void ts_chain_force(int p, int g, double length, v6 force, v6 *f) {
    const double *P = LEGENDRE[p - 1][g], factor = 2 / length;
    const int *moment = RULES[p - 1].moment;
    for (int i = 0; i < p; i++) f[moment[i]] = v6_axpy(factor * P[i], force, f[moment[i]]);
}

int ts_chain_count(int p) { return p + RULES[p - 1].brackets; }

int ts_chain_moment(int p, int i) { return RULES[p - 1].moment[i]; }
