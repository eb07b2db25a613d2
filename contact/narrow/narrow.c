#include "contact/narrow/narrow.h"

#include <stdlib.h>
#include <string.h>

#include "contact/narrow/clip.h"
#include "contact/narrow/narrow_parts.h"
#include "contact/narrow/touch.h"
#include "contact/narrow/valid.h"
#include "contact/shapes/plane.h"
#include "contact/shapes/sphere.h"
#include "engine/base/assert.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"

void scree_contacts_free(scree_contacts *contacts) {
    free(contacts->list);
    free(contacts->arms);
    free(contacts->footings);
    free(contacts->round_footings);
    free(contacts->states);
    free(contacts->colours);
    free(contacts->stances);
    *contacts = (scree_contacts){0};
}

scree_status scree_contacts_reserve(scree_contacts *contacts, int64_t n) {
    TRY(scree_reserve(&contacts->list, &contacts->capacity, n,
                      sizeof *contacts->list));
    return scree_reserve(&contacts->colours, &contacts->colours_capacity,
                         contacts->capacity, sizeof *contacts->colours);
}

static bool within_reach(const scree_scene *scene, double g, double gamma_n) {
    if (g <= scene->slack) return true;
    if (!scene->foresee) return false;
    return g + scene->dt * fmin(gamma_n, 0.0) <= scene->slack + scene->fall;
}

static bool stays_loaded(const scree_scene *scene, const scree_contact *c) {
    return scene->keep_loaded && scree_bears_load(c->P);
}

/* Do two balls d apart that are within reach along their normal come that near on their
 * way, or do they fly past each other? */
static bool come_near(const scree_scene *scene, const scree_contact *c,
                      scree_vec3 d, scree_vec3 dv) {
    double at;
    return c->g <= scene->slack ||
           scree_gap_on_way(d, scale(scene->dt, dv),
                            scene->x[c->a].r + scene->x[c->b].r,
                            &at) <= scene->slack + scene->fall;
}

static bool balls_meet(const scree_scene *scene, const scree_contact *c,
                       scree_vec3 d, scree_vec3 dv) {
    return within_reach(scene, c->g, dot(c->n, dv)) &&
           come_near(scene, c, d, dv);
}

static bool touch_body(const scree_scene *scene, const scree_pair *p,
                       scree_contact *c) {
    const scree_vec3 d = scree_scene_apart(scene, p);
    scree_spheres_apart(d, scene->x[p->a].r, scene->x[p->b].r, c);
    return balls_meet(scene, c, d, scree_scene_closing(scene, p, false)) ||
           (scene->also &&
            balls_meet(scene, c, d, scree_scene_closing(scene, p, true))) ||
           stays_loaded(scene, c);
}

double scree_narrow_wall_speed(const scree_plane *wall, scree_vec3 x) {
    return wall->v_max + fabs(wall->rate) * norm(sub(x, wall->o));
}

static bool touch_wall(const scree_scene *scene, const scree_pair *p,
                       scree_contact *c) {
    const scree_plane *plane = &scene->walls[-1 - p->b];
    if (!plane->exists) return false;
    scree_sphere_plane(&scene->x[p->a], plane, c);
    /* The wall may come towards the body at its full speed. */
    const double approach = scree_narrow_wall_speed(plane, scene->x[p->a].x);
    double v_n = dot(c->n, scene->u[p->a].v);
    if (scene->also) v_n = fmin(v_n, dot(c->n, scene->also[p->a].v));
    return within_reach(scene, c->g, v_n - approach) || stays_loaded(scene, c);
}

/* ---- general pairs -------------------------------------------------------- */

/* One touch at most, by formula. */
bool scree_narrow_is_round(const scree_scene *scene, const scree_pair *p) {
    if (!scree_narrow_is_sphere(scene, p->a)) return false;
    return p->b >= 0 ? scree_narrow_is_sphere(scene, p->b)
                     : !scree_plane_is_surface(&scene->walls[-1 - p->b]);
}

/* How far apart touches of the pair are looked for. */
double scree_narrow_reach(const scree_scene *scene, const scree_pair *p,
                          bool loaded) {
    double speed = scene->stances[p->a].fastest;
    speed += p->b >= 0 ? scene->stances[p->b].fastest
                       : scree_narrow_wall_speed(&scene->walls[-1 - p->b],
                                                 scene->x[p->a].x);
    if (p->image) speed += norm(scree_period_drift(scene->cell, p->image));
    double reach = scene->slack;
    if (scene->foresee || (scene->keep_loaded && loaded))
        reach += scene->dt * speed + scene->fall;
    return reach;
}

static scree_vec3 velocity_at(scree_velocity u, scree_vec3 arm) {
    return add(u.v, cross(u.w, arm));
}

/* Normal velocity at which the touch opens, at worst. */
double scree_narrow_opening(const scree_scene *scene, const scree_pair *p,
                            const scree_contact *c, const scree_arms *arms,
                            bool also) {
    const scree_vec3 a =
        velocity_at(scree_narrow_velocity(scene, c->a, also), arms->a);
    if (c->b >= 0) {
        const scree_vec3 b =
            velocity_at(scree_narrow_velocity(scene, c->b, also), arms->b);
        return dot(c->n, scree_period_closing(scene->cell, p->image, a, b));
    }
    return dot(c->n, a) -
           scree_narrow_wall_speed(&scene->walls[-1 - c->b], scene->x[c->a].x);
}

static double least_opening(const scree_scene *scene, const scree_pair *p,
                            const scree_contact *c, const scree_arms *arms) {
    const double now = scree_narrow_opening(scene, p, c, arms, false);
    return scene->also
               ? fmin(now, scree_narrow_opening(scene, p, c, arms, true))
               : now;
}

/* A sphere's touch with a surface is round: its arm lies along the normal. */
static void set_arms(const scree_scene *scene, const scree_pair *p,
                     const scree_touch *t, scree_contact *c, scree_arms *arms) {
    scree_pair_arms(scene, p, t->x, arms);
    arms->ahead = SCREE_FOUND_HERE;
    const bool round = c->b < 0 && scree_narrow_is_sphere(scene, c->a);
    c->arms = round ? -1 : 0;
    c->arm_a = round ? -dot(c->n, arms->a) : 0;
    c->arm_b = 0;
}

/* Keys of two touches that pair k had: where the search begins. The first touch is the
 * nearest; the other is the first of a face and a vertex. */
static void touches_before(const scree_broad *broad, int64_t k,
                           uint32_t before[2]) {
    if (!scree_broad_has_kept(broad, k)) return;
    const scree_pair *p = &broad->pairs[k];
    const scree_kept *kept = &broad->kept[p->first];
    if (kept[0].key & SCREE_KEY_AHEAD) return;
    before[0] = kept[0].key;
    for (int32_t i = 1; i < p->count && !scree_key_has_face(before[0]); ++i)
        if (scree_key_has_face(kept[i].key) &&
            !(kept[i].key & SCREE_KEY_AHEAD)) {
            before[1] = kept[i].key;
            return;
        }
}

/* Touches of pair k, unless it is known that there can be none yet. */
static int look_at_pair(const scree_broad *broad, const scree_scene *scene,
                        int64_t k, double reach, scree_touch *t) {
    const scree_pair *p = &broad->pairs[k];
    scree_separation apart = {.gap = 0};
    if (p->b < 0 || !broad->apart)
        return scree_pair_touch(scene, p, reach, &apart, t);
    scree_apart *memory = &broad->apart[k];
    const double moved = broad->moved[p->a] + broad->moved[p->b];
    if (memory->safe - moved > reach) return 0;
    apart.n = vec(memory->x, memory->y, memory->z);
    touches_before(broad, k, apart.before);
    const int touches = scree_pair_touch(scene, p, reach, &apart, t);
    const double safe = apart.gap - moved;
    *memory =
        (scree_apart){(float)apart.n.x, (float)apart.n.y, (float)apart.n.z,
                      safe > 0 ? (float)((1 - 1e-6) * safe) : 0};
    return touches;
}

/* Percussions kept under features that are not found again, within one step, go to
 * the first touch: what the pair bore is not to be lost. */
static void pass_on_lost(const scree_broad *broad, int64_t k, scree_contact *c,
                         int touches) {
    if (touches == 0 || !scree_broad_has_kept(broad, k)) return;
    const scree_pair *p = &broad->pairs[k];
    for (int32_t i = p->first; i < p->first + p->count; ++i) {
        bool found = false;
        for (int t = 0; t < touches; ++t)
            found |= c[t].key == broad->kept[i].key;
        if (!found) c[0].P = add(c[0].P, broad->kept[i].P);
    }
}

/* ---- contacts of a pair ----------------------------------------------------- */

scree_contact scree_narrow_contact_of(const scree_broad *broad, int64_t k,
                                      const scree_touch *t) {
    const scree_pair *p = &broad->pairs[k];
    return (scree_contact){.a = p->a,
                           .b = p->b,
                           .pair = (int32_t)k,
                           .key = t->key,
                           .n = t->n,
                           .g = t->g,
                           .state = -1,
                           .P = scree_broad_guess(broad, k, t->key)};
}

int scree_narrow_place_of(const scree_contact *c, int n, uint32_t key) {
    int i = 0;
    while (i < n && c[i].key != key) ++i;
    return i;
}

/* Adds to n contacts of pair k that of the balls inside, if they would meet. */
static int guard_pair(const scree_broad *broad, const scree_scene *scene,
                      int64_t k, scree_contact *c, scree_arms *arms, int n) {
    scree_touch t;
    if (!scree_pair_passes(scene, &broad->pairs[k], &t)) return n;
    const int at = scree_narrow_place_of(c, n, t.key);
    if (at == SCREE_TOUCHES) return n;
    c[at] = scree_narrow_contact_of(broad, k, &t);
    set_arms(scene, &broad->pairs[k], &t, &c[at], &arms[at]);
    arms[at].ahead = SCREE_FOUND_AHEAD;
    return at == n ? n + 1 : n;
}

/* The touches of a pair act together: if one counts, all within reach do, since a
 * push at one of them closes others in the same step. With keep_loaded all
 * touches of a pair that bears load stay: they carry the next round of an
 * iteration. */
static int measure_here(const scree_broad *broad, const scree_scene *scene,
                        int64_t k, scree_contact *c, scree_arms *arms) {
    const scree_pair *p = &broad->pairs[k];
    scree_touch t[SCREE_TOUCHES];
    const bool loaded = scree_broad_has_kept(broad, k);
    const double reach = scree_narrow_reach(scene, p, loaded);
    int touches = look_at_pair(broad, scene, k, reach, t);
    bool counts = scene->keep_loaded && loaded;
    if (p->b < 0) touches = scree_pair_guard(scene, p, reach, t, touches);
    for (int i = 0; i < touches; ++i) {
        c[i] = scree_narrow_contact_of(broad, k, &t[i]);
        set_arms(scene, p, &t[i], &c[i], &arms[i]);
        counts |= within_reach(scene, c[i].g,
                               least_opening(scene, p, &c[i], &arms[i])) ||
                  stays_loaded(scene, &c[i]);
    }
    return counts ? touches : 0;
}

/* A pair that turns is looked at where the last solve takes it too, at the next
 * midpoint and at the end of the step, which is half way: if it was solved for, or if
 * nothing is seen of it here. */
int scree_narrow_measure(const scree_broad *broad, const scree_scene *scene,
                         int64_t k, scree_contact *c, scree_arms *arms) {
    const scree_pair *p = &broad->pairs[k];
    if (p->b < 0 && !scene->walls[-1 - p->b].exists) return 0;
    const bool solved = scree_broad_has_kept(broad, k);
    int n = measure_here(broad, scene, k, c, arms);
    n = scree_narrow_keep_ahead(scene, k, c, arms, n);
    if ((solved || n == 0) && scree_narrow_turns(scene, p)) {
        n = scree_narrow_measure_ahead(broad, scene, k, scene->dt, c, arms, n);
        n = scree_narrow_measure_ahead(broad, scene, k, 0.5 * scene->dt, c,
                                       arms, n);
        n = guard_pair(broad, scene, k, c, arms, n);
    }
    if (scene->also) pass_on_lost(broad, k, c, n);
    return n;
}

/* ---- all pairs ------------------------------------------------------------- */

/* Pairs of a chunk: their contacts stay in the first caches, and on the stack if
 * each may have many. */
enum { PAIRS = 256, GENERAL_PAIRS = 16 };
enum { FOUND = GENERAL_PAIRS * SCREE_TOUCHES };
_Static_assert((int)FOUND >= (int)PAIRS, "a chunk finds room");

typedef struct narrowing {
    const scree_broad *broad;
    const scree_scene *scene;
    scree_contacts *contacts;
    bool many;         /* pairs may have more than one touch */
    scree_queue queue; /* of chunks of pairs */
} narrowing;

static int64_t chunk_size(const narrowing *w) {
    return w->many ? GENERAL_PAIRS : PAIRS;
}

/* The contacts of a chunk of pairs; returns how many. */
static int64_t measure_chunk(const narrowing *w, int64_t chunk,
                             scree_contact *out, scree_arms *arms) {
    const int64_t size = chunk_size(w), n = w->broad->n_pair;
    const int64_t end = (chunk + 1) * size, last = end < n ? end : n;
    int64_t found = 0;
    for (int64_t k = chunk * size; k < last; ++k) {
        const scree_pair *p = &w->broad->pairs[k];
        scree_contact *c = &out[found];
        if (w->many && !scree_narrow_is_round(w->scene, p)) {
            found +=
                scree_narrow_measure(w->broad, w->scene, k, c, &arms[found]);
            continue;
        }
        c->a = p->a, c->b = p->b, c->pair = (int32_t)k, c->key = 0;
        c->arms = c->state = -1;
        c->P = scree_broad_guess(w->broad, k, 0);
        found +=
            p->b >= 0 ? touch_body(w->scene, p, c) : touch_wall(w->scene, p, c);
    }
    return found;
}

/* Contacts of a pair follow each other, and a chunk has all of them. */
static void put_colours(const narrowing *w, uint8_t *to,
                        const scree_contact *found, int64_t n) {
    int32_t number = 0;
    if (w->broad->n_colour == 0) {
        memset(to, SCREE_UNCOLOURED, (size_t)n);
        return;
    }
    for (int64_t i = 0; i < n; ++i) {
        const bool again = i > 0 && found[i].pair == found[i - 1].pair;
        number = again ? number + 1 : 0;
        to[i] = scree_broad_colour(w->broad, found[i].pair, number);
    }
}

/* Contacts of a chunk come to place `at`, if there is room. */
static void put_chunk(const narrowing *w, int64_t at, scree_contact *found,
                      const scree_arms *arms, int64_t n) {
    scree_contacts *to = w->contacts;
    if (n == 0 || at + n > to->capacity) return;
    for (int64_t i = 0; i < n && w->scene->states; ++i) {
        found[i].state = (int32_t)(at + i);
        to->states[at + i] =
            scree_broad_state(w->broad, found[i].pair, found[i].key);
    }
    for (int64_t i = 0; i < n; ++i)
        if (found[i].arms >= 0) found[i].arms = (int32_t)(at + i);
    memcpy(&to->list[at], found, (size_t)n * sizeof *found);
    put_colours(w, &to->colours[at], found, n);
    if (w->many) memcpy(&to->arms[at], arms, (size_t)n * sizeof *arms);
}

static scree_status make_room(const narrowing *w, int64_t n) {
    scree_contacts *to = w->contacts;
    TRY(scree_contacts_reserve(to, n));
    if (w->scene->states)
        TRY(scree_reserve(&to->states, &to->states_capacity, to->capacity,
                          sizeof *to->states));
    if (!w->many) return SCREE_OK;
    return scree_reserve(&to->arms, &to->arms_capacity, to->capacity,
                         sizeof *to->arms);
}

static scree_status measure_alone(narrowing *w) {
    scree_contacts *contacts = w->contacts;
    scree_contact found[FOUND];
    scree_arms arms[FOUND];
    contacts->n = 0;
    for (int64_t chunk = 0; chunk < w->queue.chunks; ++chunk) {
        const int64_t n = measure_chunk(w, chunk, found, arms);
        if (contacts->n + n > contacts->capacity)
            TRY(make_room(w, contacts->n + n));
        put_chunk(w, contacts->n, found, arms, n);
        contacts->n += n;
    }
    return SCREE_OK;
}

static void measure_share(void *context, const scree_team *team) {
    (void)team;
    narrowing *w = context;
    scree_contact found[FOUND];
    scree_arms arms[FOUND];
    for (int64_t chunk; (chunk = scree_queue_take(&w->queue)) >= 0;) {
        const int64_t n = measure_chunk(w, chunk, found, arms);
        put_chunk(w, scree_queue_pass(&w->queue, chunk, n), found, arms, n);
    }
}

static scree_status measure_in_threads(narrowing *w, int threads) {
    scree_contacts *contacts = w->contacts;
    scree_team_run(threads, measure_share, w);
    contacts->n = w->queue.claimed;
    if (contacts->n <= contacts->capacity) return SCREE_OK;
    TRY(make_room(w, contacts->n));
    scree_queue_open(&w->queue, w->queue.chunks);
    scree_team_run(threads, measure_share, w);
    return SCREE_OK;
}

/* ---- all of it ------------------------------------------------------------ */

scree_status scree_narrow(const scree_broad *broad, const scree_scene *scene,
                          scree_contacts *contacts) {
    scree_scene posed = *scene;
    narrowing w = {.broad = broad,
                   .scene = &posed,
                   .contacts = contacts,
                   .many = scene->general || scree_narrow_any_surface(scene)};
    if (w.many) TRY(scree_narrow_pose(&posed, contacts));
    const int threads = scree_threads_for(broad->n_pair, scene->threads);
    const int64_t size = chunk_size(&w);
    TRY(make_room(&w, contacts->capacity)); /* for all that contacts have */
    scree_queue_open(&w.queue, (broad->n_pair + size - 1) / size);
    TRY(threads > 1 ? measure_in_threads(&w, threads) : measure_alone(&w));
    scree_assert(scree_contacts_is_valid(contacts, broad, scene));
    return SCREE_OK;
}
