/* Loops over sites and nodes on several threads, with the same sums in the same order on any number of them.
 *
 * What a site adds, forces on its nodes and entries of the matrix, it adds to sums that its neighbours add to as well. Sites are
 * cut into blocks of neighbours, and blocks get colours, so that no two blocks of a colour share a node that moves: colours
 * come one behind the other, the blocks of a colour in any order on any thread, the sites of a block in their own order.
 * Every sum then has its terms in an order that the model alone decides. A model of one block goes through its sites as they
 * come.
 *
 * A node on which very many sites meet, a rigid body with a thousand springs, would need a colour for each; its sites
 * come last and one by one.
 */
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scheme/stepper.h"

enum { BLOCK = 32, MOST_COLOURS = 64, MANY_SITES = 64 };

typedef struct draft {
    const ts_model *model;
    const bool *crowded; /* per node */
    uint64_t *used;      /* per node: colours of the blocks that touch it */
    int *colour_of;      /* per site; MOST_COLOURS: those that come last */
    int *block_of;       /* per site */
} draft;

static bool *find_crowded(const ts_model *model) {
    int *sites = ts_calloc((size_t)model->nodes_count, sizeof *sites);
    bool *crowded = ts_calloc((size_t)model->nodes_count, sizeof *crowded);
    for (int i = 0; i < model->sites_count; i++)
        for (int k = 0; k < model->sites[i].nodes; k++)
            sites[model->site_nodes[model->sites[i].node + k]]++;
    for (int n = 0; n < model->nodes_count; n++)
        crowded[n] = sites[n] > MANY_SITES && !model->nodes[n].fixed;
    free(sites);
    return crowded;
}

static bool in_crowd(const draft *d, const ts_site *site) {
    for (int k = 0; k < site->nodes; k++)
        if (d->crowded[d->model->site_nodes[site->node + k]]) return true;
    return false;
}

/* A colour that no neighbour of the sites from..to-1 has. */
static void paint(draft *d, int from, int to, int block) {
    const ts_model *model = d->model;
    uint64_t taken = 0;
    int colour = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = from; i < to; i++) {
            if (d->block_of[i] != block) continue;
            const int *node = model->site_nodes + model->sites[i].node;
            for (int k = 0; k < model->sites[i].nodes; k++) {
                if (model->nodes[node[k]].fixed) continue;
                if (pass == 0)
                    taken |= d->used[node[k]];
                else if (colour < MOST_COLOURS)
                    d->used[node[k]] |= (uint64_t)1 << colour;
            }
            if (pass == 1) d->colour_of[i] = colour;
        }
        while (pass == 0 && colour < MOST_COLOURS && (taken >> colour & 1)) colour++;
    }
}

static int cut_into_blocks(draft *d) {
    int blocks = 0, from = 0, size = 0, count = d->model->sites_count;
    for (int i = 0; i < count; i++) {
        bool last = in_crowd(d, &d->model->sites[i]);
        d->colour_of[i] = MOST_COLOURS, d->block_of[i] = last ? -1 : blocks;
        size += !last;
        if (size < BLOCK && i + 1 < count) continue;
        paint(d, from, i + 1, blocks++);
        from = i + 1, size = 0;
    }
    return blocks;
}

/* Sites by colour, and in a colour as they come: blocks stay together. */
static void sort_by_colour(ts_schedule *s, const draft *d) {
    int next[MOST_COLOURS + 2] = {0}, sites = d->model->sites_count;
    for (int i = 0; i < sites; i++) next[d->colour_of[i] + 1]++;
    for (int c = 0; c <= MOST_COLOURS; c++) next[c + 1] += next[c];
    for (int i = 0; i < sites; i++) s->site[next[d->colour_of[i]]++] = i;
}

static void find_blocks(ts_schedule *s, const draft *d) {
    int at = 0, last = -1, sites = d->model->sites_count;
    for (int c = 0; c < MOST_COLOURS; c++) {
        s->colour[c] = s->blocks;
        for (; at < sites && d->colour_of[s->site[at]] == c; at++) {
            if (d->block_of[s->site[at]] == last) continue;
            last = d->block_of[s->site[at]];
            s->first[s->blocks++] = at;
            s->colours = c + 1;
        }
    }
    s->colour[MOST_COLOURS] = s->blocks, s->first[s->blocks] = at;
}

ts_schedule *ts_schedule_new(const ts_model *model) {
    ts_schedule *s = ts_calloc(1, sizeof *s);
    size_t sites = (size_t)model->sites_count + 1;
    bool *crowded = find_crowded(model);
    draft d = {model, crowded, ts_calloc((size_t)model->nodes_count, sizeof(uint64_t)),
               ts_calloc(sites, sizeof(int)), ts_calloc(sites, sizeof(int))};
    int blocks = cut_into_blocks(&d);
    s->site = ts_calloc(sites, sizeof *s->site);
    s->first = ts_calloc((size_t)blocks + 1, sizeof *s->first);
    s->colour = ts_calloc(MOST_COLOURS + 1, sizeof *s->colour);
    sort_by_colour(s, &d);
    find_blocks(s, &d);
    free(crowded), free(d.used), free(d.colour_of), free(d.block_of);
    return s;
}

void ts_schedule_free(ts_schedule *s) {
    if (!s) return;
    free(s->site), free(s->first), free(s->colour);
    free(s);
}

/* ---- loops ---- */

enum { WORTH_A_THREAD = 500 }; /* sites or nodes: some tenths of a millisecond */

static double *scratch_of(ts_stepper *st, int thread) {
    return st->dense + (size_t)thread * TS_MAX_WIDTH * TS_MAX_WIDTH;
}

static int threads_for(const ts_stepper *st, int count) {
    int most = count / WORTH_A_THREAD;
    return st->threads < most ? st->threads : most;
}

static void each_block(ts_stepper *st, ts_work *work, int threads) {
    const ts_schedule *s = st->schedule;
#pragma omp parallel num_threads(threads)
    {
        double *scratch = scratch_of(st, omp_get_thread_num());
        for (int c = 0; c < s->colours; c++) {
#pragma omp for schedule(dynamic)
            for (int b = s->colour[c]; b < s->colour[c + 1]; b++)
                for (int k = s->first[b]; k < s->first[b + 1]; k++) work(st, s->site[k], scratch);
        }
    }
}

void ts_each_site(ts_stepper *st, ts_work *work) {
    const ts_schedule *s = st->schedule;
    int from = 0, threads = threads_for(st, s->first[s->blocks]);
    if (threads > 1) {
        each_block(st, work, threads);
        from = s->first[s->blocks];
    }
    for (int k = from; k < st->model->sites_count; k++) work(st, s->site[k], st->dense);
}

void ts_each_node(ts_stepper *st, ts_work *work) {
    const int *dof = st->system->node_dof;
    int count = st->model->nodes_count, threads = threads_for(st, count);
    if (threads > 1) {
#pragma omp parallel num_threads(threads)
        {
            double *scratch = scratch_of(st, omp_get_thread_num());
#pragma omp for schedule(static)
            for (int n = 0; n < count; n++)
                if (dof[n] >= 0) work(st, n, scratch);
        }
        return;
    }
    for (int n = 0; n < count; n++)
        if (dof[n] >= 0) work(st, n, st->dense);
}
