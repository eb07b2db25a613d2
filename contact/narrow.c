#include "contact/narrow.h"

#include <stdlib.h>
#include <string.h>

#include "contact/shapes/plane.h"
#include "contact/shapes/sphere.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"

void scree_contacts_free(scree_contacts *contacts) {
    free(contacts->list);
    *contacts = (scree_contacts){0};
}

static bool within_reach(const scree_scene *scene, double g, double gamma_n) {
    if (g <= scene->slack) return true;
    if (!scene->foresee) return false;
    return g + scene->dt * fmin(gamma_n, 0.0) <= scene->slack + scene->fall;
}

static bool stays(const scree_scene *scene, const scree_pair *p) {
    return scene->keep_loaded && scree_pair_bears_load(p);
}

static bool touch_body(const scree_scene *scene, const scree_pair *p,
                       scree_contact *c) {
    scree_sphere_sphere(&scene->x[p->a], &scene->x[p->b], c);
    const scree_vec3 dv = sub(scene->u[p->a].v, scene->u[p->b].v);
    return within_reach(scene, c->g, dot(c->n, dv)) || stays(scene, p);
}

static bool touch_wall(const scree_scene *scene, const scree_pair *p,
                       scree_contact *c) {
    const scree_plane *plane = &scene->walls[-1 - p->b];
    if (!plane->exists) return false;
    scree_sphere_plane(&scene->x[p->a], plane, c);
    /* The wall may come towards the body at its full speed. */
    const double approach =
        plane->v_max +
        fabs(plane->rate) * norm(sub(scene->x[p->a].x, plane->o));
    return within_reach(scene, c->g, dot(c->n, scene->u[p->a].v) - approach) ||
           stays(scene, p);
}

enum { PAIRS = 256 }; /* of a chunk: their contacts stay in the first caches */

typedef struct narrowing {
    scree_broad *broad;
    const scree_scene *scene;
    scree_contacts *contacts;
    scree_queue queue; /* of chunks of pairs */
} narrowing;

/* The contacts of a chunk of pairs; returns how many. */
static int64_t measure(const narrowing *w, int64_t chunk, scree_contact *out) {
    const int64_t end = (chunk + 1) * PAIRS, n = w->broad->n_pair;
    const int64_t last = end < n ? end : n;
    scree_contact *c = out;
    for (int64_t k = chunk * PAIRS; k < last; ++k) {
        scree_pair *p = &w->broad->pairs[k];
        if (p->b >= 0 ? touch_body(w->scene, p, c)
                      : touch_wall(w->scene, p, c)) {
            c->a = p->a, c->b = p->b, c->pair = (int32_t)k;
            ++c;
        } else if (scree_pair_bears_load(p)) {
            p->P = vec(0, 0, 0);
        }
    }
    return c - out;
}

static scree_status measure_alone(narrowing *w) {
    scree_contacts *contacts = w->contacts;
    contacts->n = 0;
    for (int64_t chunk = 0; chunk < w->queue.chunks; ++chunk) {
        TRY(scree_reserve(&contacts->list, &contacts->capacity,
                          contacts->n + PAIRS, sizeof *contacts->list));
        contacts->n += measure(w, chunk, &contacts->list[contacts->n]);
    }
    return SCREE_OK;
}

static void measure_share(void *context, const scree_team *team) {
    (void)team;
    narrowing *w = context;
    scree_contact found[PAIRS];
    for (int64_t chunk; (chunk = scree_queue_take(&w->queue)) >= 0;) {
        const int64_t n = measure(w, chunk, found);
        const int64_t at = scree_queue_pass(&w->queue, chunk, n);
        if (at + n <= w->contacts->capacity)
            memcpy(&w->contacts->list[at], found, (size_t)n * sizeof *found);
    }
}

/* Pairs that are no contacts have lost their percussions when it goes again,
 * and are none again. */
static scree_status measure_in_threads(narrowing *w, int threads) {
    scree_contacts *contacts = w->contacts;
    scree_team_run(threads, measure_share, w);
    contacts->n = w->queue.claimed;
    if (contacts->n <= contacts->capacity) return SCREE_OK;
    TRY(scree_reserve(&contacts->list, &contacts->capacity, contacts->n,
                      sizeof *contacts->list));
    scree_queue_open(&w->queue, w->queue.chunks);
    scree_team_run(threads, measure_share, w);
    return SCREE_OK;
}

scree_status scree_narrow(scree_broad *broad, const scree_scene *scene,
                          scree_contacts *contacts) {
    narrowing w = {.broad = broad, .scene = scene, .contacts = contacts};
    const int threads = scree_threads_for(broad->n_pair, scene->threads);
    scree_queue_open(&w.queue, (broad->n_pair + PAIRS - 1) / PAIRS);
    return threads > 1 ? measure_in_threads(&w, threads) : measure_alone(&w);
}
