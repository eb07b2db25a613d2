#include "solvers/ranks/coupling.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/assert.h"
#include "engine/base/error.h"

enum { SIX = SCREE_COUPLED };
enum { TAG_RISE = 11, TAG_FALL, TAG_WHOLE };

void scree_coupling_free(scree_coupling *c) {
    free(c->shared);
    free(c->slot);
    free(c->active);
    free(c->lists);
    free(c->buffers);
    free(c->rise);
    free(c->fall);
    free(c->all);
    scree_lanes_free(&c->rising);
    scree_lanes_free(&c->falling);
    scree_lanes_free(&c->whole);
    *c = (scree_coupling){0};
}

size_t scree_coupling_bytes(const scree_coupling *c) {
    return (size_t)c->shared_capacity * sizeof *c->shared +
           (size_t)c->slot_capacity * sizeof *c->slot +
           (size_t)c->active_capacity * sizeof *c->active +
           (size_t)c->lists_capacity * sizeof *c->lists +
           (size_t)c->buffers_capacity * sizeof *c->buffers +
           (size_t)(c->rise_capacity + c->fall_capacity + c->all_capacity) *
               sizeof *c->all;
}

/* ---- who is shared ------------------------------------------------------------ */

/* Entries of all lists of the shares. */
static int64_t entry_count(const scree_coupling *c) {
    int64_t n = 0;
    for (int s = 0; s < c->n_share; ++s)
        n += c->shares[s].n_mine + c->shares[s].n_theirs;
    return n;
}

static scree_status make_room(scree_coupling *c, int32_t n_body) {
    const int64_t all = entry_count(c), n = c->n_share;
    TRY(scree_reserve(&c->slot, &c->slot_capacity, n_body, sizeof *c->slot));
    TRY(scree_reserve(&c->shared, &c->shared_capacity, all, sizeof *c->shared));
    TRY(scree_reserve(&c->lists, &c->lists_capacity, all, sizeof *c->lists));
    TRY(scree_reserve(&c->buffers, &c->buffers_capacity, 3 * SIX * all,
                      sizeof *c->buffers));
    TRY(scree_reserve(&c->active, &c->active_capacity, n, sizeof *c->active));
    TRY(scree_reserve(&c->rise, &c->rise_capacity, n, sizeof *c->rise));
    TRY(scree_reserve(&c->fall, &c->fall_capacity, n, sizeof *c->fall));
    return scree_reserve(&c->all, &c->all_capacity, n, sizeof *c->all);
}

/* Lanes for all entries, `width` doubles each, from copies to owners (rising) or
 * the other way. They take the last third of the buffers, passes the rest. */
static scree_status open_whole(scree_coupling *c, int width, bool rising) {
    double *at = c->buffers + 2 * SIX * entry_count(c);
    for (int s = 0; s < c->n_share; ++s) {
        const scree_share *share = &c->shares[s];
        const int mine = width * share->n_mine,
                  theirs = width * share->n_theirs;
        const int out = rising ? theirs : mine, in = rising ? mine : theirs;
        c->all[s] = (scree_lane){share->rank, out, in, at, at + out};
        at += out + in;
    }
    return scree_lanes_open(&c->whole, c->all, c->n_share, TAG_WHOLE);
}

static void start_lanes(scree_coupling *c, scree_lanes *lanes) {
    scree_lanes_start(lanes);
    c->messages += lanes->messages;
    c->bytes += lanes->bytes;
}

/* The entry of a body, new if need be. */
static int32_t enter_body(scree_coupling *c, int32_t place) {
    if (c->slot[place] < 0) {
        c->slot[place] = (int32_t)c->n_shared;
        c->shared[c->n_shared++] = (scree_shared){.place = place};
    }
    return c->slot[place];
}

/* My bodies of which copies have contacts; their number comes along. */
static void list_mine(scree_coupling *c, const int32_t *degree) {
    int32_t *list = c->lists;
    for (int s = 0; s < c->n_share; ++s) {
        const scree_share *share = &c->shares[s];
        scree_active *a = &c->active[s];
        *a = (scree_active){.mine = list, .theirs = list + share->n_mine};
        list += share->n_mine + share->n_theirs;
        for (int32_t k = 0; k < share->n_mine; ++k) {
            const int64_t there = (int64_t)c->all[s].in[k];
            if (there == 0) continue;
            const int32_t at = enter_body(c, share->mine[k]);
            c->shared[at].degree += there;
            a->mine[a->n_mine++] = at;
        }
    }
    c->n_owned = c->n_shared;
    for (int64_t k = 0; k < c->n_owned; ++k) {
        scree_shared *b = &c->shared[k];
        const int64_t here = degree[b->place];
        b->degree += here;
        b->weight = (double)here / (double)b->degree;
    }
}

/* Copies here that have contacts; how many the body has in all comes along. */
static void list_theirs(scree_coupling *c, const int32_t *degree) {
    for (int s = 0; s < c->n_share; ++s) {
        const scree_share *share = &c->shares[s];
        scree_active *a = &c->active[s];
        for (int32_t k = 0; k < share->n_theirs; ++k) {
            const int32_t here = degree[share->theirs[k]];
            if (here == 0) continue;
            const int32_t at = enter_body(c, share->theirs[k]);
            const double all = c->all[s].in[k];
            c->shared[at].degree = (int64_t)all;
            c->shared[at].weight = here / all;
            a->theirs[a->n_theirs++] = at;
        }
    }
}

static scree_status open_passes(scree_coupling *c) {
    double *at = c->buffers;
    for (int s = 0; s < c->n_share; ++s) {
        const scree_active *a = &c->active[s];
        const int mine = SIX * a->n_mine, theirs = SIX * a->n_theirs;
        const int rank = c->shares[s].rank;
        c->rise[s] = (scree_lane){rank, theirs, mine, at, at + theirs};
        at += mine + theirs;
        c->fall[s] = (scree_lane){rank, mine, theirs, at, at + mine};
        at += mine + theirs;
    }
    TRY(scree_lanes_open(&c->rising, c->rise, c->n_share, TAG_RISE));
    return scree_lanes_open(&c->falling, c->fall, c->n_share, TAG_FALL);
}

bool scree_coupling_is_valid(const scree_coupling *c) {
    if (c->n_owned < 0 || c->n_owned > c->n_shared) return false;
    for (int64_t k = 0; k < c->n_shared; ++k) {
        const scree_shared *b = &c->shared[k];
        if (c->slot[b->place] != k || b->degree < 1) return false;
        if (!(b->weight >= 0 && b->weight <= 1)) return false;
    }
    return true;
}

scree_status scree_coupling_prepare(scree_coupling *c, int32_t n_body,
                                    const int32_t *degree) {
    scree_assert(!c->is_split);
    TRY(make_room(c, n_body));
    for (int32_t i = 0; i < n_body; ++i) c->slot[i] = -1;
    c->n_shared = 0;

    TRY(open_whole(c, 1, true));
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_theirs; ++k)
            c->all[s].out[k] = degree[c->shares[s].theirs[k]];
    start_lanes(c, &c->whole);
    scree_lanes_finish(&c->whole);
    list_mine(c, degree);

    TRY(open_whole(c, 1, false));
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_mine; ++k) {
            const int32_t at = c->slot[c->shares[s].mine[k]];
            c->all[s].out[k] = at >= 0 ? (double)c->shared[at].degree : 0;
        }
    start_lanes(c, &c->whole);
    scree_lanes_finish(&c->whole);
    list_theirs(c, degree);
    scree_assert(scree_coupling_is_valid(c));

    TRY(open_passes(c));
    return open_whole(c, SIX, false);
}

scree_status scree_coupling_share_flags(scree_coupling *c, bool *flags) {
    TRY(make_room(c, 0));
    TRY(open_whole(c, 1, true));
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_theirs; ++k)
            c->all[s].out[k] = flags[c->shares[s].theirs[k]];
    start_lanes(c, &c->whole);
    scree_lanes_finish(&c->whole);
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_mine; ++k)
            if (c->all[s].in[k] > 0) flags[c->shares[s].mine[k]] = true;

    TRY(open_whole(c, 1, false));
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_mine; ++k)
            c->all[s].out[k] = flags[c->shares[s].mine[k]];
    start_lanes(c, &c->whole);
    scree_lanes_finish(&c->whole);
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_theirs; ++k)
            flags[c->shares[s].theirs[k]] = c->all[s].in[k] > 0;
    return SCREE_OK;
}

/* Those of one body. */
static double *values_of(double *values, int width, int32_t place) {
    return &values[(size_t)width * (size_t)place];
}

typedef void joining(double *to, const double *from, int width);

/* What copies have joins what their owner has, which all copies get then. */
static scree_status share_values(scree_coupling *c, double *values, int width,
                                 joining *join) {
    const size_t bytes = (size_t)width * sizeof *values;
    scree_assert(width > 0 && width <= SIX);
    TRY(make_room(c, 0));
    TRY(open_whole(c, width, true));
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_theirs; ++k)
            memcpy(&c->all[s].out[width * k],
                   values_of(values, width, c->shares[s].theirs[k]), bytes);
    start_lanes(c, &c->whole);
    scree_lanes_finish(&c->whole);
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_mine; ++k)
            join(values_of(values, width, c->shares[s].mine[k]),
                 &c->all[s].in[width * k], width);

    TRY(open_whole(c, width, false));
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_mine; ++k)
            memcpy(&c->all[s].out[width * k],
                   values_of(values, width, c->shares[s].mine[k]), bytes);
    start_lanes(c, &c->whole);
    scree_lanes_finish(&c->whole);
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_theirs; ++k)
            memcpy(values_of(values, width, c->shares[s].theirs[k]),
                   &c->all[s].in[width * k], bytes);
    return open_whole(c, SIX, false);
}

static void add_values(double *to, const double *from, int width) {
    for (int j = 0; j < width; ++j) to[j] += from[j];
}

scree_status scree_coupling_share_sums(scree_coupling *c, double *values,
                                       int width) {
    return share_values(c, values, width, add_values);
}

static void take_lesser(double *to, const double *from, int width) {
    if (from[0] < to[0]) memcpy(to, from, (size_t)width * sizeof *to);
}

scree_status scree_coupling_share_least(scree_coupling *c, double *values,
                                        int width) {
    return share_values(c, values, width, take_lesser);
}

scree_status scree_coupling_gather(scree_coupling *c, float *values) {
    TRY(make_room(c, 0));
    TRY(open_whole(c, 1, true));
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_theirs; ++k)
            c->all[s].out[k] = values[c->shares[s].theirs[k]];
    start_lanes(c, &c->whole);
    scree_lanes_finish(&c->whole);
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_mine; ++k)
            values[c->shares[s].mine[k]] += (float)c->all[s].in[k];
    return SCREE_OK;
}

/* ---- inertia ------------------------------------------------------------------ */

static void scale_tensor(scree_sym3 *t, double s) {
    t->xx *= s, t->yy *= s, t->zz *= s, t->xy *= s, t->xz *= s, t->yz *= s;
}

/* A copy without contacts is pushed by nobody. */
void scree_coupling_split(scree_coupling *c, scree_twist *u,
                          scree_sym3 *inv_I) {
    if (c->is_split) return;
    for (int64_t k = 0; k < c->n_shared; ++k) {
        scree_shared *b = &c->shared[k];
        scree_twist *body = &u[b->place];
        b->inv_m = body->inv_m, b->inv_theta = body->inv_theta;
        if (inv_I) b->inv_I = inv_I[b->place];
        if (b->weight == 0) continue;
        body->inv_m /= b->weight, body->inv_theta /= b->weight;
        if (inv_I) scale_tensor(&inv_I[b->place], 1 / b->weight);
    }
    c->is_split = true;
}

void scree_coupling_join(scree_coupling *c, scree_twist *u, scree_sym3 *inv_I) {
    if (!c->is_split) return;
    for (int64_t k = 0; k < c->n_shared; ++k) {
        const scree_shared *b = &c->shared[k];
        u[b->place].inv_m = b->inv_m, u[b->place].inv_theta = b->inv_theta;
        if (inv_I) inv_I[b->place] = b->inv_I;
    }
    c->is_split = false;
}

/* ---- passes ------------------------------------------------------------------- */

static void put_velocity(double *to, scree_vec3 v, scree_vec3 w) {
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
    to[3] = w.x, to[4] = w.y, to[5] = w.z;
}

static scree_velocity get_velocity(const double *from) {
    return (scree_velocity){vec(from[0], from[1], from[2]),
                            vec(from[3], from[4], from[5])};
}

static void set_velocity(scree_twist *u, scree_velocity to) {
    u->v = to.v, u->w = to.w;
}

static bool velocities_differ(scree_velocity a, scree_velocity b) {
    return memcmp(&a, &b, sizeof a) != 0;
}

/* w_c (u_c - u_before) of the copy here. */
static scree_velocity weighted_gain(const scree_coupling *c,
                                    const scree_shared *b,
                                    const scree_twist *u) {
    const double w = c->is_split ? b->weight : 1;
    return (scree_velocity){scale(w, sub(u[b->place].v, b->before.v)),
                            scale(w, sub(u[b->place].w, b->before.w))};
}

void scree_coupling_mark(scree_coupling *c, const scree_twist *u) {
    for (int64_t k = 0; k < c->n_shared; ++k) {
        scree_shared *b = &c->shared[k];
        b->before = (scree_velocity){u[b->place].v, u[b->place].w};
    }
}

void scree_coupling_begin(scree_coupling *c, const scree_twist *u) {
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->active[s].n_theirs; ++k) {
            const scree_shared *b = &c->shared[c->active[s].theirs[k]];
            const scree_twist *now = &u[b->place];
            const scree_velocity g = c->ordered
                                         ? (scree_velocity){now->v, now->w}
                                         : weighted_gain(c, b, u);
            put_velocity(&c->rise[s].out[SIX * k], g.v, g.w);
        }
    start_lanes(c, &c->rising);
}

/* The owner's sum, in the order of ranks. */
static void add_up(scree_coupling *c, scree_twist *u) {
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->active[s].n_mine; ++k) {
            const scree_shared *b = &c->shared[c->active[s].mine[k]];
            scree_twist *body = &u[b->place];
            const scree_velocity g = get_velocity(&c->rise[s].in[SIX * k]);
            if (!c->ordered)
                body->v = add(body->v, g.v), body->w = add(body->w, g.w);
            else if (velocities_differ(g, b->before))
                set_velocity(body, g);
        }
}

static void weigh_own(scree_coupling *c, scree_twist *u) {
    for (int64_t k = 0; k < c->n_owned; ++k) {
        const scree_shared *b = &c->shared[k];
        const scree_velocity g = weighted_gain(c, b, u);
        set_velocity(&u[b->place], (scree_velocity){add(b->before.v, g.v),
                                                    add(b->before.w, g.w)});
    }
}

void scree_coupling_turn(scree_coupling *c, scree_twist *u) {
    if (!c->ordered) weigh_own(c, u);
    scree_lanes_finish(&c->rising);
    add_up(c, u);
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->active[s].n_mine; ++k) {
            const scree_shared *b = &c->shared[c->active[s].mine[k]];
            put_velocity(&c->fall[s].out[SIX * k], u[b->place].v,
                         u[b->place].w);
        }
    start_lanes(c, &c->falling);
}

void scree_coupling_end(scree_coupling *c, scree_twist *u) {
    scree_lanes_finish(&c->falling);
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->active[s].n_theirs; ++k)
            set_velocity(&u[c->shared[c->active[s].theirs[k]].place],
                         get_velocity(&c->fall[s].in[SIX * k]));
}

void scree_coupling_rise(scree_coupling *c) {
    start_lanes(c, &c->rising);
    scree_lanes_finish(&c->rising);
}

void scree_coupling_fall(scree_coupling *c) {
    start_lanes(c, &c->falling);
    scree_lanes_finish(&c->falling);
}

void scree_coupling_spread(scree_coupling *c, scree_twist *u) {
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_mine; ++k) {
            const scree_twist *body = &u[c->shares[s].mine[k]];
            put_velocity(&c->all[s].out[SIX * k], body->v, body->w);
        }
    start_lanes(c, &c->whole);
    scree_lanes_finish(&c->whole);
    for (int s = 0; s < c->n_share; ++s)
        for (int32_t k = 0; k < c->shares[s].n_theirs; ++k)
            set_velocity(&u[c->shares[s].theirs[k]],
                         get_velocity(&c->all[s].in[SIX * k]));
}
