/* narrow_ahead.c: pairs where they will be. A body that turns may end a step inside
 * another although their gaps, as they open and close now, do not say so; such pairs are
 * measured where u takes them, and what they touch there is taken back to where they
 * are. */
#include "contact/narrow/narrow_parts.h"
#include "contact/narrow/touch.h"
#include "contact/shapes/plane.h"

/* The two bodies of a pair, or one and a wall, where u takes them in a time. */
typedef struct prospect {
    double time; /* [s] */
    scree_scene scene;
    scree_ball x[2];
    scree_quat q[2];
    scree_stance stances[2];
    int32_t form[2];
    int64_t id[2];
    scree_period cell; /* of an image: one edge, to where it is then */
} prospect;

static void move_on(prospect *f, const scree_scene *scene, int32_t body,
                    int to) {
    const scree_twist *u = &scene->u[body];
    const scree_ball *x = &scene->x[body];
    f->x[to] = (scree_ball){add_scaled(x->x, f->time, u->v), x->r};
    f->form[to] = scene->form[body];
    f->id[to] = scene->id ? scene->id[body] : 0;
    f->q[to] = quat_mul(quat_from_vector(scale(f->time, u->w)), scene->q[body]);
    f->stances[to].R = quat_matrix(f->q[to]);
    f->stances[to].fastest = scene->stances[body].fastest;
}

int scree_narrow_touches_ahead(const scree_scene *scene, const scree_pair *p,
                               double time, double reach, scree_touch *t) {
    prospect f = {.time = time, .scene = *scene};
    scree_pair pair = {.a = 0, .b = p->b < 0 ? p->b : 1};
    scree_separation apart = {.gap = 0};
    move_on(&f, scene, p->a, 0);
    if (p->b >= 0) move_on(&f, scene, p->b, 1);
    if (p->image) {
        const scree_vec3 drift = scree_period_drift(scene->cell, p->image);
        f.cell = *scene->cell;
        pair.image = scree_image_of(1, 0, 0);
        f.cell.edge[0] =
            add_scaled(scree_period_shift(scene->cell, p->image), time, drift);
        f.scene.cell = &f.cell;
    }
    f.scene.n = 2;
    f.scene.x = f.x, f.scene.q = f.q, f.scene.form = f.form;
    f.scene.stances = f.stances;
    if (scene->id) f.scene.id = f.id;
    return scree_pair_touch(&f.scene, &pair, reach, &apart, t);
}

static double turning_way(const scree_scene *scene, int32_t body) {
    if (body < 0 || scree_narrow_is_sphere(scene, body)) return 0;
    return scene->dt * scene->x[body].r * norm(scene->u[body].w);
}

/* May the pair overlap at the end of its way although its gaps, as they open and
 * close now, do not say so? Walls that move are where they are now. */
bool scree_narrow_turns(const scree_scene *scene, const scree_pair *p) {
    if (scene->ahead <= 0) return false;
    if (p->b < 0 && (scree_plane_is_surface(&scene->walls[-1 - p->b]) ||
                     scree_plane_moves(&scene->walls[-1 - p->b])))
        return false;
    return turning_way(scene, p->a) + turning_way(scene, p->b) > scene->ahead;
}

static double least_gap(const scree_touch *t, int n) {
    double g = INFINITY;
    for (int i = 0; i < n; ++i) g = fmin(g, t[i].g);
    return g;
}

/* Arms from where the bodies are now to a common point. `t` is seen as touches of the
 * pair are (touch.h): an image of b moves with its own velocity. */
static void take_back(const scree_scene *scene, const scree_pair *p,
                      double time, const scree_touch *t, scree_contact *c,
                      scree_arms *arms) {
    const scree_vec3 v_a = scene->u[c->a].v;
    scree_vec3 v = scree_pair_frame(scene, p, v_a);
    if (c->b >= 0) {
        v = scale(0.5, add(v_a, scene->u[c->b].v));
        if (scene->cell) /* seen from b */
            v = scale(0.5, scree_scene_closing(scene, p, false));
    }
    scree_pair_arms(scene, p, add_scaled(t->x, -time, v), arms);
    arms->ahead = SCREE_FOUND_AHEAD;
    c->arms = 0;
}

/* A contact of pair k after a time, taken back to where the pair is now: with
 *     g = (dt / time) (g' - time n' . gamma')
 * g + dt n' . gamma is dt / time times the gap there as it changes with the
 * velocities. */
scree_contact scree_narrow_ahead(const scree_broad *broad,
                                 const scree_scene *scene, int64_t k,
                                 double time, const scree_touch *t,
                                 scree_arms *arms) {
    scree_contact c = scree_narrow_contact_of(broad, k, t);
    const scree_pair *p = &broad->pairs[k];
    take_back(scene, p, time, t, &c, arms);
    c.g *= scene->dt / time;
    c.g -= scene->dt * scree_narrow_opening(scene, p, &c, arms, false);
    return c;
}

/* The place for one more contact among n. It does not take that of another between
 * the same features that was found elsewhere on the way, for the pair must satisfy
 * both, or rounds may go to and fro; of more than three the last one goes. */
static int place_anew(const scree_contact *c, int n, uint32_t *key) {
    int at = scree_narrow_place_of(c, n, *key);
    for (int tries = 0; at < n && tries < 2; ++tries) {
        *key += SCREE_KEY_ANEW;
        at = scree_narrow_place_of(c, n, *key);
    }
    return at;
}

/* How deep the bodies of n contacts are in each other now: overlap that is there is
 * worked off by moving them (engine/step/recovery.c), and not to be undone by the step. */
static double depth_now(const scree_contact *c, const scree_arms *arms, int n) {
    double depth = 0;
    for (int i = 0; i < n; ++i)
        if (!arms[i].ahead) depth = fmax(depth, -c[i].g);
    return depth;
}

/* Adds to n contacts of pair k those after a time, if it overlaps then by more than it
 * does now. */
int scree_narrow_measure_ahead(const scree_broad *broad,
                               const scree_scene *scene, int64_t k, double time,
                               scree_contact *c, scree_arms *arms, int n) {
    const double depth = depth_now(c, arms, n);
    const scree_pair *p = &broad->pairs[k];
    scree_touch t[SCREE_TOUCHES];
    const int touches = scree_narrow_touches_ahead(
        scene, p, time, scree_narrow_reach(scene, p, true), t);
    if (least_gap(t, touches) + depth > -scene->ahead) return n;
    for (int i = 0; i < touches; ++i) {
        t[i].g += depth;
        if (time < scene->dt) t[i].key ^= SCREE_KEY_HALF_WAY;
        const int at = place_anew(c, n, &t[i].key);
        if (at == SCREE_TOUCHES) continue;
        c[at] = scree_narrow_ahead(broad, scene, k, time, &t[i], &arms[at]);
        if (at == n) ++n;
    }
    return n;
}

/* Adds to n contacts of pair k those that were found at the end of its way in rounds
 * before: its features there change with the way. */
int scree_narrow_keep_ahead(const scree_scene *scene, int64_t k,
                            scree_contact *c, scree_arms *arms, int n) {
    const scree_round *last = &scene->last;
    int64_t i = scree_narrow_first_of(last->list, last->n, k);
    for (; i < last->n && last->list[i].pair == k; ++i) {
        const int at = scree_narrow_place_of(c, n, last->list[i].key);
        if (at == SCREE_TOUCHES) continue;
        arms[at] = last->arms[i];
        arms[at].ahead = SCREE_KEPT_AHEAD;
        c[at] = last->list[i];
        c[at].arms = 0;
        if (at == n) ++n;
    }
    return n;
}
