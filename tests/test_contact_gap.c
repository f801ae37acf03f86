/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest points of cores, and the distance over a step: optimality, the discrete chain rule,
 * momenta, derivatives. */
#include "contact/gap.h"

#include <math.h>

#include "math/rotation.h"

#include "scene.h"

enum { MOST = 8 };

static v3 chance_v3(void) { return v3_make(chance(), chance(), chance()); }

/* Two cores of 1 to 8 points that are apart, and the same after a large step. */
typedef struct two_cores {
    v3 A[2][MOST], B[2][MOST];
    ts_core start[2], end[2];
} two_cores;

static void draw_points(int count, v3 at, v3 start[], v3 end[], double step) {
    v3 all = v3_scale(step, chance_v3());
    for (int k = 0; k < count; k++) {
        start[k] = v3_add(at, chance_v3());
        end[k] = v3_add(v3_add(start[k], all), v3_scale(0.3 * step, chance_v3()));
    }
}

static void draw(two_cores *x, double step) {
    int a = 1 + (int)(7.99 * fabs(chance())), b = 1 + (int)(7.99 * fabs(chance()));
    draw_points(a, v3_make(0, 0, 0), x->A[0], x->A[1], step);
    draw_points(b, v3_scale(4, v3_normalize(chance_v3())), x->B[0], x->B[1], step);
    for (int s = 0; s < 2; s++) {
        ts_core *to = s ? x->end : x->start;
        to[0] = (ts_core){.points = a, .point = x->A[s]};
        to[1] = (ts_core){.points = b, .point = x->B[s]};
    }
}

/* No corner of either core lies beyond the planes through the nearest points, normal to r: then
 * nothing is nearer. */
static void assert_nearest(const ts_core *A, const ts_core *B, const ts_nearest *n) {
    v3 r = {0, 0, 0}, at = {0, 0, 0};
    double d2 = v3_dot(n->r, n->r);
    for (int side = 0; side < 2; side++) {
        const ts_mixture *mix = &n->side[side];
        double sum = 0, sign = side ? -1 : 1;
        for (int m = 0; m < mix->count; m++) {
            v3 p = (side ? B : A)->point[mix->point[m]];
            assert_true(mix->weight[m] > 0);
            sum += mix->weight[m];
            r = v3_axpy(sign * mix->weight[m], p, r);
            if (!side) at = v3_axpy(mix->weight[m], p, at);
        }
        assert_true(fabs(sum - 1) < 1e-14);
    }
    assert_true(v3_norm(v3_sub(r, n->r)) < 1e-13);
    for (int k = 0; k < A->points; k++)
        assert_true(v3_dot(n->r, v3_sub(A->point[k], at)) >= -1e-12 * (1 + d2));
    for (int k = 0; k < B->points; k++)
        assert_true(v3_dot(n->r, v3_sub(v3_sub(at, n->r), B->point[k])) >= -1e-12 * (1 + d2));
}

static void nearest_points(void **state) {
    (void)state;
    int seen[5] = {0};
    for (int trial = 0; trial < 5000; trial++) {
        two_cores x;
        draw(&x, 0.5);
        ts_nearest n = ts_nearest_points(&x.start[0], &x.start[1]);
        assert_nearest(&x.start[0], &x.start[1], &n);
        seen[n.ways + 1]++;
    }
    assert_true(seen[1] > 300 && seen[2] > 300 && seen[3] > 300);
}

/* Boxes beside each other, edges in line, points on corners: nothing is in general position. */
static void aligned_boxes(void **state) {
    (void)state;
    v3 A[8], B[8];
    for (int trial = 0; trial < 343; trial++) {
        v3 apart = v3_make(trial % 7 - 3, trial / 7 % 7 - 3, trial / 49 - 3);
        for (int k = 0; k < 8; k++) {
            A[k] = v3_make(k & 1, k >> 1 & 1, k >> 2);
            B[k] = v3_add(A[k], apart);
        }
        ts_core a = {.points = 8, .point = A}, b = {.points = 8, .point = B};
        ts_nearest n = ts_nearest_points(&a, &b);
        double d2 = 0;
        for (int k = 0; k < 3; k++) d2 += pow(fmax(fabs(v3_get(apart, k)) - 1, 0), 2);
        assert_true(fabs(v3_dot(n.r, n.r) - d2) < 1e-13);
        if (d2 > 0) assert_nearest(&a, &b, &n);
    }
}

/* A patch: a bowl of triangles around an apex; each triangle alone is no nearer. */
static void patch(void **state) {
    (void)state;
    for (int trial = 0; trial < 500; trial++) {
        v3 point[7], p = v3_scale(2, chance_v3());
        int triangle[6][3];
        point[6] = v3_scale(0.2, chance_v3());
        for (int k = 0; k < 6; k++) {
            point[k] = v3_make(cos(k * M_PI / 3), sin(k * M_PI / 3), 0.4 + 0.2 * chance());
            triangle[k][0] = k, triangle[k][1] = (k + 1) % 6, triangle[k][2] = 6;
        }
        ts_core A = {.points = 1, .point = &p};
        ts_core B = {.points = 7, .point = point, .triangles = 6};
        B.triangle = (const int(*)[3])triangle;
        ts_nearest n = ts_nearest_points(&A, &B);
        v3 r = {0, 0, 0};
        for (int m = 0; m < n.side[1].count; m++)
            r = v3_axpy(n.side[1].weight[m], v3_sub(p, point[n.side[1].point[m]]), r);
        assert_true(v3_norm(v3_sub(r, n.r)) < 1e-14);
        for (int s = 0; s < 6 * 400; s++) {
            double u = s / 6 % 20 / 19.0, v = (1 - u) * (s / 120 / 19.0);
            const int *c = triangle[s % 6];
            v3 q =
                v3_axpy(u, point[c[0]], v3_axpy(v, point[c[1]], v3_scale(1 - u - v, point[c[2]])));
            assert_true(v3_norm(v3_sub(p, q)) >= v3_norm(n.r) - 1e-14);
        }
    }
}

/* A cylinder or a disc: centres, and semi-axes of which the last is flat. */
static ts_core draw_round(int rings, v3 at, v3 point[5]) {
    m3 D = so3_exp(v3_scale(3, chance_v3()));
    for (int k = 0; k < rings; k++) point[k] = v3_axpy(rings == 2 ? 0.8 * k - 0.4 : 0, D.c[2], at);
    for (int k = 0; k < 3; k++) point[rings + k] = v3_scale(k < 2 ? 0.7 : 3e-3 * 0.7, D.c[k]);
    double barrel = rings == 2 && chance() > 0 ? 3e-3 : 0;
    return (ts_core){.points = rings + 3, .point = point, .rings = rings, .barrel = barrel};
}

/* How far a core reaches along u. */
static double reach(const ts_core *core, v3 u) {
    double most = -INFINITY, round = 0;
    int n = core->rings ? core->rings : core->points;
    for (int k = 0; k < n; k++) most = fmax(most, v3_dot(core->point[k], u));
    for (int k = 0; k < 3 && core->rings; k++) round += pow(v3_dot(core->point[n + k], u), 2);
    if (!(core->barrel > 0)) return most + sqrt(round);
    double low = 0, high = 1, at[2]; /* a concave function of t */
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 2; k++) {
            double t = low + (high - low) * (k + 1) / 3;
            v3 c = v3_axpy(t, v3_sub(core->point[1], core->point[0]), core->point[0]);
            at[k] = v3_dot(c, u) + ts_barrel(core, t) * sqrt(round);
        }
        *(at[0] < at[1] ? &low : &high) = low + (high - low) * (at[0] < at[1] ? 1 : 2) / 3;
    }
    return fmax(at[0], at[1]);
}

/* Round cores with points, edges, hulls and each other, near and far, also where they are aligned:
 * the gap between both planes normal to r is as wide as r is long, so that nothing is nearer. */
static void round_cores(void **state) {
    (void)state;
    double worst = 0;
    for (int trial = 0; trial < 20000; trial++) {
        v3 A[5], B[MOST], far = v3_scale(1 + fabs(chance()), v3_normalize(chance_v3()));
        int corners = 1 + trial / 2 % 9;
        ts_core a = draw_round(1 + trial % 2, v3_make(0, 0, 0), A), b;
        if (corners > MOST) {
            b = draw_round(1 + trial / 18 % 2, far, B);
        } else {
            for (int k = 0; k < corners; k++) B[k] = v3_axpy(0.5, chance_v3(), far);
            b = (ts_core){.points = corners, .point = B};
        }
        if (trial % 5 == 0 && corners == 4) /* a face that the disc lies flat over */
            for (int k = 0; k < 4; k++) {
                v3 x =
                    v3_axpy(k % 2 ? 2 : -2, A[a.rings], v3_scale(k / 2 ? 2 : -2, A[a.rings + 1]));
                B[k] = v3_axpy(400, A[a.rings + 2], x);
            }
        ts_nearest n = ts_nearest_points(&a, &b);
        double d = v3_norm(n.r);
        if (d < 1e-3) continue; /* they meet */
        v3 u = v3_scale(1 / d, n.r);
        double between = -reach(&a, v3_scale(-1, u)) - reach(&b, u);
        worst = fmax(worst, fabs(d - between));
        n = ts_nearest_points(&b, &a);
        worst = fmax(worst, fabs(v3_norm(n.r) - d));
    }
    assert_true(worst < 1e-11);
}

static void chain_rule(void **state) {
    (void)state;
    int changed = 0;
    for (int trial = 0; trial < 5000; trial++) {
        two_cores x;
        ts_touch t;
        draw(&x, trial % 2 ? 0.5 : 1e-4);
        if (!ts_touch_over(x.start, x.end, &t)) continue;
        double change = 0;
        v3 force = {0, 0, 0}, moment = {0, 0, 0};
        for (int k = 0; k < t.points; k++) {
            change += v3_dot(t.gradient[k], v3_sub(t.end[k], t.start[k]));
            force = v3_add(force, t.gradient[k]);
            moment = v3_add(moment, v3_cross(t.mean[k], t.gradient[k]));
        }
        assert_true(fabs(change - (t.d_end - t.d_start)) < 1e-14 * (t.d_end + t.d_start));
        assert_true(v3_norm(force) < 1e-14 && v3_norm(moment) < 1e-13);
        assert_true(t.share >= 0 && t.share <= 1);
        changed += fabs(t.share - 0.5) > 0.05;
    }
    assert_true(changed > 200); /* another corner, edge or face */
}

static void slopes(void **state) {
    (void)state;
    const double d = 1e-6;
    int tried = 0;
    for (int trial = 0; trial < 2000; trial++) {
        two_cores x, y[2];
        ts_touch t, s[2];
        v3 by_a[MOST], by_b[MOST], by[TS_TOUCH_POINTS];
        draw(&x, trial % 2 ? 0.3 : 0.01);
        for (int k = 0; k < MOST; k++) by_a[k] = chance_v3(), by_b[k] = chance_v3();
        assert_true(ts_touch_over(x.start, x.end, &t));
        for (int side = 0; side < 2; side++) {
            y[side] = x;
            for (int k = 0; k < MOST; k++) {
                y[side].A[1][k] = v3_axpy(side ? d : -d, by_a[k], x.A[1][k]);
                y[side].B[1][k] = v3_axpy(side ? d : -d, by_b[k], x.B[1][k]);
            }
            ts_core end[2] = {x.end[0], x.end[1]};
            end[0].point = y[side].A[1], end[1].point = y[side].B[1];
            assert_true(ts_touch_over(x.start, end, &s[side]));
        }
        /* corners of the derivative, where another feature becomes the nearest */
        bool same = s[0].points == t.points && s[1].points == t.points;
        for (int k = 0; same && k < t.points; k++)
            same = s[0].point[k] == t.point[k] && s[1].point[k] == t.point[k] &&
                   s[0].of_b[k] == t.of_b[k] && s[1].of_b[k] == t.of_b[k];
        if (!same) continue;
        tried++;
        for (int k = 0; k < t.points; k++) by[k] = t.of_b[k] ? by_b[t.point[k]] : by_a[t.point[k]];
        ts_touch_change c = ts_touch_moved(&t, by);
        assert_true(fabs(c.d_end - (s[1].d_end - s[0].d_end) / (2 * d)) < 1e-6);
        for (int k = 0; k < t.points; k++) {
            v3 g = v3_scale(0.5 / d, v3_sub(s[1].gradient[k], s[0].gradient[k]));
            double w = (ts_touch_weight(&s[1], k) - ts_touch_weight(&s[0], k)) / (2 * d);
            assert_true(v3_norm(v3_sub(c.gradient[k], g)) < 1e-5 * (1 + v3_norm(g)));
            assert_true(fabs(c.weight[k] - w) < 1e-5 * (1 + fabs(w)));
        }
    }
    assert_true(tried > 1800);
}

/* Two faces of a valley, which count in turn although either may be the nearer one: the change of
 * the end with its slack is that of the gradient, and its slope is that of differences. */
static void faces_in_turn(void **state) {
    (void)state;
    static const int face[2][1][3] = {{{0, 1, 2}}, {{1, 0, 3}}};
    const double d = 1e-6;
    int slipped = 0;
    for (int trial = 0; trial < 2000; trial++) {
        v3 x[2], y[2][4], by_x = chance_v3(), by_y[4], by[TS_TOUCH_POINTS];
        double move = trial % 2 ? 0.05 : 1e-4;
        x[0] = v3_axpy(0.02, chance_v3(), v3_make(0, 0, 0.5)),
        x[1] = v3_axpy(move, chance_v3(), x[0]);
        for (int k = 0; k < 4; k++) {
            v3 at = k < 2 ? v3_make(0, k ? 1 : -1, 0) : v3_make(k == 2 ? 1 : -1, 0, 0.3);
            y[0][k] = v3_axpy(0.1, chance_v3(), at), y[1][k] = v3_axpy(move, chance_v3(), y[0][k]);
            by_y[k] = chance_v3();
        }
        ts_touch t, s[2];
        ts_core start[2] = {{.points = 1, .point = &x[0]}, {4, y[0], 1, face[0], 0, 0}};
        for (int side = 0; side < 3; side++) {
            double far = side == 0 ? -d : side == 1 ? d : 0;
            v3 to = v3_axpy(far, by_x, x[1]), wings[4];
            for (int k = 0; k < 4; k++) wings[k] = v3_axpy(far, by_y[k], y[1][k]);
            ts_core end[2] = {{.points = 1, .point = &to}, {4, wings, 1, face[1], 0, 0}};
            assert_true(ts_touch_over(start, end, side == 2 ? &t : &s[side]));
        }
        double change = 0, slope = s[1].d_end + s[1].slack - s[0].d_end - s[0].slack;
        for (int k = 0; k < t.points; k++) {
            change += v3_dot(t.gradient[k], v3_sub(t.end[k], t.start[k]));
            by[k] = t.of_b[k] ? by_y[t.point[k]] : by_x;
        }
        assert_true(fabs(change - (t.d_end + t.slack - t.d_start)) < 1e-14);
        assert_true(t.share >= 0 && t.share <= 1);
        if (s[0].slips != t.slips || s[1].slips != t.slips) continue; /* it bends there */
        if (s[0].points != t.points || s[1].points != t.points) continue;
        assert_true(fabs(ts_touch_moved(&t, by).d_end - slope / (2 * d)) < 1e-6);
        slipped += t.slips && fabs(t.slack) > 1e-6;
    }
    assert_true(slipped > 500);
}

/* A point with the radius 0.1 over two faces of a valley, points 0 and 1 of them their common edge;
 * or over five around point 0, a pit. */
enum { PIT = 5, PIT_POINTS = 1 + PIT };

static bool over_faces(v3 x, bool pit, const v3 y[PIT_POINTS], ts_gap *g) {
    static const int two[2][3] = {{0, 1, 2}, {1, 0, 3}};
    static const int five[PIT][3] = {{0, 1, 2}, {2, 3, 0}, {0, 3, 4}, {4, 5, 0}, {5, 1, 0}};
    const double radius[2] = {0.1, 0.05};
    const ts_core patch = {pit ? PIT_POINTS : 4, y, pit ? PIT : 2, pit ? five : two, 0, 0};
    return ts_gap_of_valley(x, &patch, radius, g);
}

static void draw_faces(bool pit, double fold, v3 *x, v3 y[PIT_POINTS]) {
    double wide = pit ? 0.05 : 0.5;
    *x = v3_make(wide * fold * chance(), (pit ? wide * fold : 0.3) * chance(), 0.5);
    for (int k = 0; k < (pit ? PIT_POINTS : 4); k++) {
        double turn = 2 * acos(-1.0) * k / PIT;
        v3 at = k < 2 ? v3_make(0, k ? 1 : -1, 0) : v3_make(k == 2 ? 1 : -1, 0, fold);
        if (pit) at = k ? v3_make(cos(turn), sin(turn), fold) : v3_make(0, 0, 0);
        y[k] = v3_axpy(0.05 * fold, chance_v3(), at);
    }
}

/* Slopes, by differences; of both ends together. */
static void assert_slopes(const ts_gap *g, const ts_gap s[2], const v3 *by, double per) {
    ts_gap_change c;
    ts_gap_moved(g, by, &c);
    assert_true(fabs(c.end - (s[1].end - s[0].end) * per) < 1e-6);
    for (int k = 0; k < g->points; k++) {
        v3 of = v3_scale(per, v3_sub(s[1].gradient[k], s[0].gradient[k]));
        assert_true(v3_norm(v3_axpy(-2, c.gradient[k], of)) < 1e-4 * (1 + v3_norm(of)));
        double change = (s[1].weight[k] - s[0].weight[k]) * per;
        assert_true(fabs(2 * c.weight[k] - change) < 1e-4 * (1 + fabs(change)));
    }
    v3 at = v3_scale(per, v3_sub(s[1].at, s[0].at));
    v3 normal = v3_scale(per, v3_sub(s[1].normal, s[0].normal));
    assert_true(v3_norm(v3_axpy(-2, c.at, at)) < 1e-4 * (1 + v3_norm(at)));
    assert_true(v3_norm(v3_axpy(-2, c.normal, normal)) < 1e-4 * (1 + v3_norm(normal)));
}

/* Are weights zero in the same places? There the slopes bend. */
static bool same_faces(const ts_gap *a, const ts_gap *b) {
    bool same = true;
    for (int i = 0; i < a->valley.count; i++)
        same &= (a->valley.share[i] > 0) == (b->valley.share[i] > 0);
    return same;
}

/* Rounded valleys and pits: below the least distance, by little, in a valley next to the distance
 * from one face where the foot leaves the other; a force without resultant and moment; slopes. */
static void valleys(void **state) {
    (void)state;
    int over[2] = {0, 0}, sloped[2] = {0, 0};
    for (int trial = 0; trial < 8000; trial++) {
        double fold = trial % 2 ? 0.3 : 1e-3, d = 1e-6 * fold, least = INFINITY, sum = 0, all = 0;
        bool pit = trial % 4 > 1, both = true;
        v3 x, y[PIT_POINTS], by_x = chance_v3(), by_y[PIT_POINTS], by[TS_TOUCH_POINTS];
        ts_gap g, s[2];
        draw_faces(pit, fold, &x, y);
        for (int k = 0; k < PIT_POINTS; k++) by_y[k] = chance_v3();
        if (!over_faces(x, pit, y, &g)) continue;
        const ts_touch *t = &g.touch;
        over[pit]++;
        assert_true(g.start == g.end && g.valley.count == (pit ? PIT : 2));
        for (int i = 0; i < g.valley.count; i++) {
            const int *c = g.valley.corner[i];
            v3 n = v3_normalize(v3_cross(v3_sub(t->mean[c[1]], t->mean[c[0]]),
                                         v3_sub(t->mean[c[2]], t->mean[c[0]])));
            least = fmin(least, fabs(v3_dot(n, v3_sub(x, t->mean[c[0]]))) - 0.15);
            assert_true(g.valley.share[i] >= 0 && g.valley.share[i] <= 1);
            all += g.valley.share[i];
        }
        assert_true(fabs(all - 1) < 1e-6 && g.end <= least + 1e-15);
        assert_true(g.end > least - fold * fold);
        if (!pit && fmin(t->share, 1 - t->share) < 1e-3)
            assert_true(fabs(g.end - (t->share < 0.5 ? t->d_start : t->d_end) + 0.15) <
                        1e-5 * fold);
        v3 force = {0, 0, 0}, moment = {0, 0, 0};
        for (int k = 0; k < g.points; k++) {
            force = v3_add(force, g.gradient[k]), sum += t->of_b[k] ? g.weight[k] : 0;
            moment = v3_add(moment, v3_cross(t->mean[k], g.gradient[k]));
            by[k] = t->of_b[k] ? by_y[t->point[k]] : by_x;
        }
        assert_true(v3_norm(force) < 1e-14 && v3_norm(moment) < 1e-14 && fabs(sum - all) < 1e-14);
        for (int side = 0; side < 2; side++) {
            v3 to[PIT_POINTS];
            for (int k = 0; k < PIT_POINTS && (pit || k < 4); k++)
                to[k] = v3_axpy(side ? d : -d, by_y[k], y[k]);
            both &= over_faces(v3_axpy(side ? d : -d, by_x, x), pit, to, &s[side]);
        }
        if (!both || !same_faces(&g, &s[0]) || !same_faces(&g, &s[1])) continue;
        if (pit && fold < 0.1) continue; /* differences of weights are rounding there */
        assert_slopes(&g, s, by, 0.5 / d);
        sloped[pit]++;
    }
    assert_true(over[0] > 200 && over[1] > 200 && sloped[0] > 200 && sloped[1] > 100);
}

/* The weight of edges that cross and get longer: chain rule, no moment, slopes. */
static void crossing(void **state) {
    (void)state;
    for (int trial = 0; trial < 300; trial++) {
        v3 a[2], b[2], d[2], by[2], to[2][2], moment = {0, 0, 0};
        double sum = 0, eps = 1e-6, near = trial % 2 ? 0.3 : 1;
        ts_weighing w = trial % 3 ? (ts_weighing){1, -1, 5} : (ts_weighing){0, 0.5, 8};
        for (int end = 0; end < 2; end++) {
            a[end] = v3_add(v3_make(2, 0, 0), v3_scale(near, chance_v3()));
            b[end] = v3_add(v3_make(0.5, 0, 0), v3_scale(0.3 * near, chance_v3()));
        }
        ts_crossing x, more, less;
        ts_crossing_over(a, b, w, &x);
        for (int end = 0; end < 2; end++) {
            double cosine = v3_dot(a[end], b[end]) / (v3_norm(a[end]) * v3_norm(b[end]));
            double power = pow(cosine, 1 << w.doublings);
            assert_true(fabs(x.weight[end] - (w.apart + w.by_power * power)) < 1e-13);
        }
        sum = v3_dot(x.by[0], v3_sub(a[1], a[0])) + v3_dot(x.by[1], v3_sub(b[1], b[0]));
        assert_true(fabs(sum - (x.weight[1] - x.weight[0])) < 1e-13);
        moment = v3_add(v3_cross(x.mean[0], x.by[0]), v3_cross(x.mean[1], x.by[1]));
        assert_true(v3_norm(moment) < 1e-13);
        d[0] = chance_v3(), d[1] = chance_v3();
        double slope = ts_crossing_moved(&x, d, by);
        for (int s = 0; s < 2; s++)
            to[s][0] = s ? b[0] : a[0], to[s][1] = v3_axpy(eps, d[s], s ? b[1] : a[1]);
        ts_crossing_over(to[0], to[1], w, &more);
        for (int s = 0; s < 2; s++) to[s][1] = v3_axpy(-eps, d[s], s ? b[1] : a[1]);
        ts_crossing_over(to[0], to[1], w, &less);
        assert_true(fabs((more.weight[1] - less.weight[1]) / (2 * eps) - slope) < 1e-7);
        for (int s = 0; s < 2; s++) {
            v3 change = v3_scale(0.5 / eps, v3_sub(more.by[s], less.by[s]));
            assert_true(v3_norm(v3_sub(change, by[s])) < 2e-6);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_points), cmocka_unit_test(aligned_boxes),
        cmocka_unit_test(patch),          cmocka_unit_test(round_cores),
        cmocka_unit_test(chain_rule),     cmocka_unit_test(slopes),
        cmocka_unit_test(crossing),       cmocka_unit_test(faces_in_turn),
        cmocka_unit_test(valleys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
