/* narrow_misses.c: pairs that the percussions of a step close although they were not
 * among its contacts, or that turn into each other. */
#include "contact/narrow/narrow_parts.h"
#include "contact/narrow/touch.h"
#include "contact/shapes/sphere.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"

typedef struct missing {
    const scree_broad *broad;
    const scree_scene *scene;
    const scree_contacts *contacts;
    const uint8_t *marked;
    double depth;
    bool many;
    double *closing; /* (chunks) */
} missing;

int64_t scree_narrow_first_of(const scree_contact *list, int64_t n, int64_t k) {
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (list[middle].pair < k)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_marked(const missing *m, const scree_pair *p) {
    return m->marked[p->a] || (p->b >= 0 && m->marked[p->b]);
}

/* How fast two balls approach that overlap on their way, or a ball and a wall. */
static double balls_close(const missing *m, const scree_pair *p) {
    const scree_scene *scene = m->scene;
    const scree_ball *a = &scene->x[p->a];
    double at;
    if (p->b >= 0) {
        const scree_vec3 dv = scree_scene_closing(scene, p, false);
        const double g =
            scree_gap_on_way(scree_scene_apart(scene, p), scale(scene->dt, dv),
                             a->r + scene->x[p->b].r, &at);
        return g < -m->depth ? norm(dv) : 0;
    }
    const scree_plane *wall = &scene->walls[-1 - p->b];
    const double v_n =
        dot(wall->n, scene->u[p->a].v) - scree_narrow_wall_speed(wall, a->x);
    const double g = dot(wall->n, a->x) - wall->d - a->r + scene->dt * v_n;
    return wall->exists && g < -m->depth ? -v_n : 0;
}

/* Is it known that the pair is too far apart? */
static bool is_far(const missing *m, int64_t k) {
    const scree_pair *p = &m->broad->pairs[k];
    if (p->b < 0 || !m->broad->apart) return false;
    const double moved = m->broad->moved[p->a] + m->broad->moved[p->b];
    return m->broad->apart[k].safe - moved >
           scree_narrow_reach(m->scene, p, false);
}

/* The same of bodies with features. The memory of pairs is left as it is: what is
 * looked at again must not matter for the steps to come. */
static double features_close(const missing *m, int64_t k) {
    scree_contact c[SCREE_TOUCHES];
    scree_arms arms[SCREE_TOUCHES];
    scree_broad blind = *m->broad;
    double closing = 0;
    if (is_far(m, k)) return 0;
    blind.apart = NULL;
    const int n = scree_narrow_measure(&blind, m->scene, k, c, arms);
    for (int i = 0; i < n; ++i) {
        const double v_n = scree_narrow_opening(m->scene, &m->broad->pairs[k],
                                                &c[i], &arms[i], false);
        if (c[i].g + m->scene->dt * v_n < -m->depth)
            closing = fmax(closing, -v_n);
    }
    return closing;
}

/* How deep the bodies of contact `at` are in each other now. */
static double depth_of_listed(const scree_contacts *contacts, int64_t at) {
    const int32_t pair = contacts->list[at].pair;
    double depth = 0;
    for (; at < contacts->n && contacts->list[at].pair == pair; ++at) {
        const scree_contact *c = &contacts->list[at];
        if (c->arms < 0 || !contacts->arms[c->arms].ahead)
            depth = fmax(depth, -c->g);
    }
    return depth;
}

/* The same of a pair that was solved for, and turns. */
static double turns_into(const missing *m, int64_t k, double time,
                         double depth) {
    const scree_scene *scene = m->scene;
    scree_touch t[SCREE_TOUCHES];
    double closing = 0;
    const scree_pair *p = &m->broad->pairs[k];
    const int n = scree_narrow_touches_ahead(scene, p, time, 0, t);
    for (int i = 0; i < n; ++i) {
        scree_arms arms;
        t[i].g += depth;
        if (t[i].g > -scene->ahead) continue;
        const scree_contact c =
            scree_narrow_ahead(m->broad, scene, k, time, &t[i], &arms);
        closing = fmax(closing,
                       fmax(-scree_narrow_opening(scene, p, &c, &arms, false),
                            scene->ahead / scene->dt));
    }
    return closing;
}

static double solved_close(const missing *m, int64_t k, int64_t at) {
    if (!scree_narrow_turns(m->scene, &m->broad->pairs[k])) return 0;
    const scree_scene *scene = m->scene;
    const double dt = scene->dt;
    scree_touch t;
    if (scree_pair_passes(scene, &m->broad->pairs[k], &t)) return t.g / dt;
    const double depth = depth_of_listed(m->contacts, at);
    return fmax(turns_into(m, k, dt, depth), turns_into(m, k, 0.5 * dt, depth));
}

static void miss_chunk(void *context, int64_t first, int64_t last) {
    const missing *m = context;
    const int64_t n = m->contacts->n;
    int64_t at = scree_narrow_first_of(m->contacts->list, n, first);
    double closing = 0;
    for (int64_t k = first; k < last; ++k) {
        const scree_pair *p = &m->broad->pairs[k];
        const int64_t first_of = at;
        const bool known = at < n && m->contacts->list[at].pair == k;
        while (at < n && m->contacts->list[at].pair == k) ++at;
        if (!is_marked(m, p)) continue;
        const bool general = m->many && !scree_narrow_is_round(m->scene, p);
        if (known && !general) continue;
        closing = fmax(closing, known     ? solved_close(m, k, first_of)
                                : general ? features_close(m, k)
                                          : balls_close(m, p));
    }
    m->closing[first / SCREE_CHUNK] = closing;
}

scree_status scree_narrow_misses(const scree_broad *broad,
                                 const scree_scene *scene,
                                 scree_contacts *contacts,
                                 const uint8_t *marked, double depth,
                                 double *closing, scree_arena *scratch) {
    scree_scene posed = *scene;
    const size_t mark = scree_arena_mark(scratch);
    const int64_t chunks = scree_chunk_count(broad->n_pair);
    missing m = {.broad = broad,
                 .scene = &posed,
                 .contacts = contacts,
                 .marked = marked,
                 .depth = depth,
                 .many = scene->general || scree_narrow_any_surface(scene)};
    m.closing = scree_arena_push(scratch, (size_t)chunks * sizeof *m.closing);
    if (!m.closing) return SCREE_OUT_OF_MEMORY;
    if (m.many) TRY(scree_narrow_pose(&posed, contacts));
    scree_parallel_for(broad->n_pair, scene->threads, miss_chunk, &m);
    *closing = 0;
    for (int64_t i = 0; i < chunks; ++i)
        *closing = fmax(*closing, m.closing[i]);
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}
