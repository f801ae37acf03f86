/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over elements and nodes on several threads, with the same sums in the same order on any
 * number of them.
 *
 * Neighbouring elements add forces and entries of the matrix to the same sums. (An element is the
 * set of sites that share a list of nodes: the Gauss points of a shell, a single joint.) Elements
 * are grouped into blocks of neighbours, and blocks get colours, so that no two blocks of a colour
 * share a node on which forces are summed. Colours are processed one after the other, the blocks of
 * a colour in any order on any thread, the elements of a block in their own order. So the model
 * alone decides the order of the terms in every sum. A model of one block processes its elements in
 * order. Large models have larger blocks: what elements read comes from memory, which is fastest
 * for long stretches of neighbours.
 *
 * A node on which very many elements meet, a rigid body with a thousand springs, would need a
 * colour for each; its elements come last and one by one.
 */
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "step/stepper.h"

enum { BLOCK = 32, MOST_BLOCKS = 512, MOST_COLOURS = 64, MANY = 64 };

typedef struct draft {
    const ts_model *model;
    const ts_schedule *plan;
    bool *crowded;  /* per node */
    uint64_t *used; /* per node: colours of the blocks that touch it */
    int *colour_of; /* per element; MOST_COLOURS: those that come last */
    int *block_of;  /* per element */
} draft;

int ts_sites_of_element(const ts_model *model, int first) {
    int last = first + 1;
    while (last < model->sites_count && model->sites[last].node == model->sites[first].node) last++;
    return last - first;
}

static void find_elements(ts_schedule *s, const ts_model *model) {
    s->site = ts_calloc((size_t)model->sites_count + 1, sizeof *s->site);
    for (int i = 0; i < model->sites_count; i += ts_sites_of_element(model, i))
        s->site[s->elements++] = i;
    s->site[s->elements] = model->sites_count;
}

static const ts_site *first_site(const draft *d, int e) {
    return &d->model->sites[d->plan->site[e]];
}

static void find_crowded(draft *d) {
    const ts_model *model = d->model;
    int *meeting = ts_calloc((size_t)model->nodes_count, sizeof *meeting);
    for (int e = 0; e < d->plan->elements; e++)
        for (int k = 0; k < first_site(d, e)->nodes; k++)
            meeting[model->site_nodes[first_site(d, e)->node + k]]++;
    for (int n = 0; n < model->nodes_count; n++)
        d->crowded[n] = meeting[n] > MANY && ts_node_sums(&model->nodes[n]);
    free(meeting);
}

static bool in_crowd(const draft *d, const ts_site *site) {
    for (int k = 0; k < site->nodes; k++)
        if (d->crowded[d->model->site_nodes[site->node + k]]) return true;
    return false;
}

/* Colours used by neighbours of the element; its nodes get the colours in `more`, too. */
static uint64_t taken_around(draft *d, int e, uint64_t more) {
    const ts_site *site = first_site(d, e);
    uint64_t taken = 0;
    for (int k = 0; k < site->nodes; k++) {
        int n = d->model->site_nodes[site->node + k];
        if (!ts_node_sums(&d->model->nodes[n])) continue;
        taken |= d->used[n];
        d->used[n] |= more;
    }
    return taken;
}

/* Finds a colour that no neighbour of the block, the elements from..to-1, has. */
static void paint(draft *d, int from, int to, int block) {
    uint64_t taken = 0;
    int colour = 0;
    for (int e = from; e < to; e++)
        if (d->block_of[e] == block) taken |= taken_around(d, e, 0);
    while (colour < MOST_COLOURS && (taken >> colour & 1)) colour++;
    if (colour == MOST_COLOURS) return;
    for (int e = from; e < to; e++)
        if (d->block_of[e] == block)
            d->colour_of[e] = colour, taken_around(d, e, (uint64_t)1 << colour);
}

static int cut_into_blocks(draft *d) {
    int blocks = 0, from = 0, size = 0, count = d->plan->elements;
    const int most = count > BLOCK * MOST_BLOCKS ? count / MOST_BLOCKS : BLOCK;
    for (int e = 0; e < count; e++) {
        bool last = in_crowd(d, first_site(d, e));
        d->colour_of[e] = MOST_COLOURS, d->block_of[e] = last ? -1 : blocks;
        size += !last;
        if (size < most && e + 1 < count) continue;
        paint(d, from, e + 1, blocks++);
        from = e + 1, size = 0;
    }
    return blocks;
}

/* Sorts by colour, and within a colour in the given order: blocks stay together. */
static void sort_by_colour(ts_schedule *s, const draft *d) {
    int next[MOST_COLOURS + 2] = {0};
    for (int e = 0; e < s->elements; e++) next[d->colour_of[e] + 1]++;
    for (int c = 0; c <= MOST_COLOURS; c++) next[c + 1] += next[c];
    for (int e = 0; e < s->elements; e++) s->order[next[d->colour_of[e]]++] = e;
}

static void find_blocks(ts_schedule *s, const draft *d) {
    int at = 0, last = -1;
    for (int c = 0; c < MOST_COLOURS; c++) {
        s->colour[c] = s->blocks;
        for (; at < s->elements && d->colour_of[s->order[at]] == c; at++) {
            if (d->block_of[s->order[at]] == last) continue;
            last = d->block_of[s->order[at]];
            s->first[s->blocks++] = at;
            s->colours = c + 1;
        }
    }
    s->colour[MOST_COLOURS] = s->blocks, s->first[s->blocks] = at;
}

ts_schedule *ts_schedule_new(const ts_model *model) {
    ts_schedule *s = ts_calloc(1, sizeof *s);
    find_elements(s, model);
    size_t nodes = (size_t)model->nodes_count, elements = (size_t)s->elements + 1;
    draft d = {model,
               s,
               ts_calloc(nodes, sizeof(bool)),
               ts_calloc(nodes, sizeof(uint64_t)),
               ts_calloc(elements, sizeof(int)),
               ts_calloc(elements, sizeof(int))};
    find_crowded(&d);
    int blocks = cut_into_blocks(&d);
    s->order = ts_calloc(elements, sizeof *s->order);
    s->first = ts_calloc((size_t)blocks + 1, sizeof *s->first);
    s->colour = ts_calloc(MOST_COLOURS + 1, sizeof *s->colour);
    sort_by_colour(s, &d);
    find_blocks(s, &d);
    free(d.crowded), free(d.used), free(d.colour_of), free(d.block_of);
    return s;
}

void ts_schedule_free(ts_schedule *s) {
    if (!s) return;
    free(s->site), free(s->order), free(s->first), free(s->colour);
    free(s);
}

/* Elements of a matrix: those of the sites, then those of nodes that move. */
static int *number_node_elements(const ts_system *system, int first) {
    const ts_model *model = system->model;
    int *element = ts_calloc((size_t)model->nodes_count, sizeof *element);
    for (int n = 0, next = first; n < model->nodes_count; n++)
        element[n] = system->node_dof[n] >= 0 ? next++ : -1;
    return element;
}

void ts_team_new(ts_team *team, const ts_system *system, int threads) {
    *team = (ts_team){.system = system, .threads = threads > 1 ? threads : 1};
    team->dense = ts_calloc((size_t)team->threads * TS_MAX_WIDTH * TS_MAX_WIDTH, sizeof(double));
    team->schedule = ts_schedule_new(system->model);
    team->node_element = number_node_elements(system, team->schedule->elements);
}

void ts_team_clear(ts_team *team) {
    ts_schedule_free(team->schedule);
    free(team->dense), free(team->node_element);
    *team = (ts_team){0};
}

/* ---- loops ---- */

enum { WORTH_A_THREAD = 500 }; /* sites or nodes: some tenths of a millisecond */

static double *scratch_of(const ts_team *team, int thread) {
    return team->dense + (size_t)thread * TS_MAX_WIDTH * TS_MAX_WIDTH;
}

static int threads_for(const ts_team *team, int count) {
    int most = count / WORTH_A_THREAD;
    return team->threads < most ? team->threads : most;
}

/* Processes an element as a whole, or its sites one by one. */
static void work_on(const ts_team *team, int e, ts_work *work, void *context, bool by_site,
                    double *scratch) {
    if (!by_site)
        work(context, e, scratch);
    else
        for (int i = team->schedule->site[e]; i < team->schedule->site[e + 1]; i++)
            if (team->system->model->sites[i].forms) work(context, i, scratch);
}

static void each_block(const ts_team *team, ts_work *work, void *context, bool by_site,
                       int threads) {
    const ts_schedule *s = team->schedule;
#pragma omp parallel num_threads(threads)
    {
        double *scratch = scratch_of(team, omp_get_thread_num());
        for (int c = 0; c < s->colours; c++) {
#pragma omp for schedule(dynamic)
            for (int b = s->colour[c]; b < s->colour[c + 1]; b++)
                for (int k = s->first[b]; k < s->first[b + 1]; k++)
                    work_on(team, s->order[k], work, context, by_site, scratch);
        }
    }
}

static void each(const ts_team *team, ts_work *work, void *context, bool by_site) {
    const ts_schedule *s = team->schedule;
    int from = 0, threads = s->blocks > 1 ? threads_for(team, team->system->model->sites_count) : 1;
    if (threads > 1) {
        each_block(team, work, context, by_site, threads);
        from = s->first[s->blocks];
    }
    for (int k = from; k < s->elements; k++)
        work_on(team, s->order[k], work, context, by_site, team->dense);
}

void ts_each_element(const ts_team *team, ts_work *work, void *context) {
    each(team, work, context, false);
}

void ts_each_site(const ts_team *team, ts_work *work, void *context) {
    each(team, work, context, true);
}

void ts_each_node(const ts_team *team, ts_work *work, void *context) {
    const int *dof = team->system->node_dof;
    int count = team->system->model->nodes_count, threads = threads_for(team, count);
    if (threads > 1) {
#pragma omp parallel num_threads(threads)
        {
            double *scratch = scratch_of(team, omp_get_thread_num());
#pragma omp for schedule(static)
            for (int n = 0; n < count; n++)
                if (dof[n] >= 0) work(context, n, scratch);
        }
        return;
    }
    for (int n = 0; n < count; n++)
        if (dof[n] >= 0) work(context, n, team->dense);
}
