/* partition_bisect.c: partition.h by a recursive coordinate bisection of our own, for an
 * MPI that there is no Zoltan for (Berger and Bokhari 1987).
 *
 *     the ranks [first, end) are cut at middle = (first + end) / 2
 *     along the longest axis of the box of their points
 *     at the place below which there is a share (middle - first) / (end - first)
 *     of their weight, as near as points allow
 *
 * All nodes of a level are cut at once. A cut is sought among the keys of coordinates,
 * which are integers in the same order: each round adds up the weight in 256 bins over
 * all ranks and goes on in the bin in which the share is reached, until a bin is one key.
 * Weights are whole grains, so that sums do not depend on an order.
 *
 * Invariants: every rank has all cuts, bit by bit the same; they follow from the points
 * and weights alone, however these lie on ranks. A node without points leaves all of its
 * space to its first rank. Cost: log2(ranks) levels of at most eight rounds, each of which
 * looks at every point here and adds up 2 kB a node. */
#include "engine/domain/partition.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"

enum { BINS = 256 };

/* Longer boxes than needed by this share of the radius: rounding must not hide a
 * point of the ball from a box. */
static const double SPARE = 1e-9;
/* Grains of the heaviest point: 2^32 points of that weight can be added up. */
static const double MOST_GRAINS = (double)(1 << 29);

/* The ranks below have what is at most here. */
typedef struct scree_cut {
    int axis;
    double at; /* [m] */
} scree_cut;

/* Ranks whose space is being cut. */
typedef struct scree_node {
    int first, end;
    int axis;
    bool is_found;
    uint64_t from, width; /* bin b has the keys from + b width to the next */
    int64_t
        share; /* [grains] that the lower ranks should have, -1: not known yet */
    int64_t below; /* [grains] of keys below `from` */
    double at;     /* [m] when it is found */
} scree_node;

struct scree_partition {
    const scree_comm *comm;
    bool is_cut;
    scree_cut
        *cuts; /* (size) by the first rank above it; that of 0 is not used */
    double lo[3], hi[3]; /* of this rank's box [m] */

    scree_node *nodes, *next; /* (size) of this level, and of the one below */
    int n_node;
    double *ends;    /* (size x 6) boxes of the nodes' points: -low, high [m] */
    int64_t *bins;   /* (size x BINS) [grains] */
    int64_t *grains; /* (n) weights of points */
    int32_t *node;   /* (n) that a point is in, -1: it has come to its rank */
    int64_t grains_capacity, node_capacity;
};

static int middle_of(int first, int end) {
    return first + (end - first) / 2;
}

static double coordinate(scree_vec3 x, int axis) {
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

/* ---- keys: the order of doubles as integers -------------------------------------- */

static uint64_t key_of(double x) {
    const double no_sign = x + 0.0; /* of zero */
    uint64_t bits;
    memcpy(&bits, &no_sign, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static double of_key(uint64_t key) {
    const uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- memory ------------------------------------------------------------------------ */

static scree_status allocate(scree_partition *p, size_t size) {
    p->cuts = calloc(size, sizeof *p->cuts);
    p->nodes = calloc(size, sizeof *p->nodes);
    p->next = calloc(size, sizeof *p->next);
    p->ends = calloc(size * 6, sizeof *p->ends);
    p->bins = calloc(size * BINS, sizeof *p->bins);
    return p->cuts && p->nodes && p->next && p->ends && p->bins
               ? SCREE_OK
               : SCREE_OUT_OF_MEMORY;
}

scree_status scree_partition_create(const scree_comm *comm,
                                    scree_partition **partition) {
    scree_partition *p = calloc(1, sizeof *p);
    scree_status status =
        p ? allocate(p, (size_t)comm->size) : SCREE_OUT_OF_MEMORY;
    status = scree_comm_agree(comm, status, NULL);
    if (status == SCREE_OK) {
        p->comm = comm;
    } else {
        scree_partition_destroy(p);
        p = NULL;
    }
    *partition = p;
    return status;
}

void scree_partition_destroy(scree_partition *p) {
    if (!p) return;
    free(p->cuts);
    free(p->nodes);
    free(p->next);
    free(p->ends);
    free(p->bins);
    free(p->grains);
    free(p->node);
    free(p);
}

const char *scree_partition_method(void) {
    return "bisection";
}

/* ---- weights ----------------------------------------------------------------------- */

/* Each point has a grain at least, so that only a node without points weighs nothing. */
static void weigh_points(scree_partition *p, int32_t n, const float *weights) {
    double most = 0;
    for (int32_t i = 0; i < n; ++i)
        if (weights[i] > most) most = (double)weights[i];
    scree_comm_max(p->comm, &most, 1);
    const double scale = most > 0 ? MOST_GRAINS / most : 0;
    for (int32_t i = 0; i < n; ++i)
        p->grains[i] = 1 + (int64_t)fmax(0, (double)weights[i] * scale);
}

/* ---- boxes of points --------------------------------------------------------------- */

static void grow_ends(double *ends, scree_vec3 x) {
    for (int k = 0; k < 3; ++k) {
        const double at = coordinate(x, k);
        ends[k] = fmax(ends[k], -at);
        ends[3 + k] = fmax(ends[3 + k], at);
    }
}

static int longest_axis(const double *ends) {
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (ends[k] + ends[3 + k] > ends[axis] + ends[3 + axis]) axis = k;
    return axis;
}

/* A node without points has no key to look for. */
static void begin_search(scree_node *node, const double *ends) {
    const int axis = longest_axis(ends);
    node->axis = axis;
    node->share = -1, node->below = 0;
    node->at = INFINITY;
    node->is_found = ends[3 + axis] < -ends[axis];
    if (node->is_found) return;
    node->from = key_of(-ends[axis]);
    node->width = (key_of(ends[3 + axis]) - node->from) / BINS + 1;
}

static void choose_axes(scree_partition *p, int32_t n,
                        const scree_ball *points) {
    for (int i = 0; i < 6 * p->n_node; ++i) p->ends[i] = -INFINITY;
    for (int32_t i = 0; i < n; ++i)
        if (p->node[i] >= 0) grow_ends(&p->ends[6 * p->node[i]], points[i].x);
    scree_comm_max(p->comm, p->ends, 6 * p->n_node);
    for (int k = 0; k < p->n_node; ++k)
        begin_search(&p->nodes[k], &p->ends[6 * k]);
}

/* ---- the search of one level -------------------------------------------------------- */

static void fill_bins(scree_partition *p, int32_t n, const scree_ball *points) {
    memset(p->bins, 0, (size_t)p->n_node * BINS * sizeof *p->bins);
    for (int32_t i = 0; i < n; ++i) {
        if (p->node[i] < 0) continue;
        const scree_node *node = &p->nodes[p->node[i]];
        if (node->is_found) continue;
        const uint64_t key = key_of(coordinate(points[i].x, node->axis));
        if (key < node->from) continue;
        const uint64_t bin = (key - node->from) / node->width;
        if (bin < BINS) p->bins[p->node[i] * BINS + (int)bin] += p->grains[i];
    }
    scree_comm_sum_counts(p->comm, p->bins, p->n_node * BINS);
}

static int64_t share_of(const scree_node *node, const int64_t *bins) {
    const int64_t parts = node->end - node->first;
    const int64_t lower = middle_of(node->first, node->end) - node->first;
    int64_t all = 0;
    for (int b = 0; b < BINS; ++b) all += bins[b];
    return all / parts * lower + all % parts * lower / parts;
}

/* The points of the key go to the side that comes nearer to its share by them. */
static void end_search(scree_node *node, int64_t here) {
    const double x = of_key(node->from);
    const bool above =
        node->share - node->below < node->below + here - node->share;
    node->at = above ? nextafter(x, -INFINITY) : x;
    node->is_found = true;
}

static void narrow_search(scree_node *node, const int64_t *bins) {
    int b = 0;
    if (node->is_found) return;
    if (node->share < 0) node->share = share_of(node, bins);
    for (; b < BINS - 1 && node->below + bins[b] < node->share; ++b)
        node->below += bins[b];
    node->from += (uint64_t)b * node->width;
    if (node->width == 1)
        end_search(node, bins[b]);
    else
        node->width = (node->width + BINS - 1) / BINS;
}

static void search_cuts(scree_partition *p, int32_t n,
                        const scree_ball *points) {
    for (bool is_left = true; is_left;) {
        is_left = false;
        for (int k = 0; k < p->n_node; ++k) is_left |= !p->nodes[k].is_found;
        if (!is_left) break;
        fill_bins(p, n, points);
        for (int k = 0; k < p->n_node; ++k)
            narrow_search(&p->nodes[k], &p->bins[k * BINS]);
    }
}

/* ---- levels ------------------------------------------------------------------------- */

/* A single rank is not cut. Returns the place of the node, or -1. */
static int add_node(scree_node *nodes, int *n, int first, int end) {
    if (end - first < 2) return -1;
    nodes[*n] = (scree_node){.first = first, .end = end};
    return (*n)++;
}

/* The nodes of the level below; nodes of this one keep the places of both in `first` and
 * `end`, by which points find theirs. */
static void go_down(scree_partition *p, int32_t n, const scree_ball *points) {
    int n_next = 0;
    for (int k = 0; k < p->n_node; ++k) {
        scree_node *node = &p->nodes[k];
        const int first = node->first, end = node->end;
        const int middle = middle_of(first, end);
        p->cuts[middle] = (scree_cut){node->axis, node->at};
        node->first = add_node(p->next, &n_next, first, middle);
        node->end = add_node(p->next, &n_next, middle, end);
    }
    for (int32_t i = 0; i < n; ++i) {
        if (p->node[i] < 0) continue;
        const scree_node *node = &p->nodes[p->node[i]];
        const double at = coordinate(points[i].x, node->axis);
        p->node[i] = at <= node->at ? node->first : node->end;
    }
    scree_node *old = p->nodes;
    p->nodes = p->next, p->next = old;
    p->n_node = n_next;
}

/* Of this rank, down the tree. */
static void find_box(scree_partition *p) {
    const int rank = p->comm->rank;
    for (int k = 0; k < 3; ++k) p->lo[k] = -INFINITY, p->hi[k] = INFINITY;
    for (int first = 0, end = p->comm->size; end - first > 1;) {
        const int middle = middle_of(first, end);
        const scree_cut *cut = &p->cuts[middle];
        if (rank < middle)
            p->hi[cut->axis] = fmin(p->hi[cut->axis], cut->at), end = middle;
        else
            p->lo[cut->axis] = fmax(p->lo[cut->axis], cut->at), first = middle;
    }
}

scree_status scree_partition_cut(scree_partition *p, int32_t n,
                                 const scree_ball *points, const float *weights,
                                 scree_error *error) {
    int64_t all = n;
    scree_comm_sum_counts(p->comm, &all, 1);
    if (all == 0) return SCREE_OK; /* nothing to go by: the cuts stay */
    scree_status status = scree_reserve_anew(&p->grains, &p->grains_capacity, n,
                                             sizeof *p->grains);
    if (status == SCREE_OK)
        status =
            scree_reserve_anew(&p->node, &p->node_capacity, n, sizeof *p->node);
    TRY(scree_comm_agree(p->comm, status, error));
    weigh_points(p, n, weights);
    p->n_node = 0;
    const int root = add_node(p->nodes, &p->n_node, 0, p->comm->size);
    for (int32_t i = 0; i < n; ++i) p->node[i] = root;
    while (p->n_node > 0) {
        choose_axes(p, n, points);
        search_cuts(p, n, points);
        go_down(p, n, points);
    }
    find_box(p);
    p->is_cut = true;
    return SCREE_OK;
}

/* ---- points and boxes ---------------------------------------------------------------- */

bool scree_partition_is_cut(const scree_partition *p) {
    return p->is_cut;
}

int scree_partition_rank_of(const scree_partition *p, scree_vec3 x) {
    int first = 0, end = p->is_cut ? p->comm->size : 1;
    while (end - first > 1) {
        const int middle = middle_of(first, end);
        const scree_cut *cut = &p->cuts[middle];
        if (coordinate(x, cut->axis) <= cut->at)
            end = middle;
        else
            first = middle;
    }
    return first;
}

bool scree_partition_has(const scree_partition *p, const scree_ball *ball) {
    const double r = (1 + SPARE) * ball->r;
    if (!p->is_cut) return p->comm->rank == 0;
    for (int k = 0; k < 3; ++k) {
        const double x = coordinate(ball->x, k);
        if (!(x - r > p->lo[k] && x + r < p->hi[k])) return false;
    }
    return true;
}

/* Adds the ranks of [first, end) whose boxes reach into the ball's; returns how many there
 * are then. */
static int collect_ranks(const scree_partition *p, int first, int end,
                         const scree_ball *ball, int *ranks, int n) {
    if (end - first == 1) {
        ranks[n] = first;
        return n + 1;
    }
    const int middle = middle_of(first, end);
    const scree_cut *cut = &p->cuts[middle];
    const double x = coordinate(ball->x, cut->axis), r = (1 + SPARE) * ball->r;
    if (x - r <= cut->at) n = collect_ranks(p, first, middle, ball, ranks, n);
    if (x + r > cut->at) n = collect_ranks(p, middle, end, ball, ranks, n);
    return n;
}

int scree_partition_ranks_near(const scree_partition *p, const scree_ball *ball,
                               int *ranks) {
    return collect_ranks(p, 0, p->is_cut ? p->comm->size : 1, ball, ranks, 0);
}
