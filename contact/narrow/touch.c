#include "contact/narrow/touch.h"

#include "contact/narrow/pair.h"
#include "contact/shapes/sphere.h"
#include "contact/solid/form.h"
#include "contact/solid/shape.h"
#include "contact/surface/triangle.h"

/* ---- parts: convex solids that a body is made of --------------------------------- */

/* One convex part of a body. */
typedef struct part {
    scree_solid ball; /* of spheres and clumps */
    scree_placed placed;
} part;

static const scree_form *form_of(const scree_scene *scene, int32_t body) {
    const int32_t f = scene->general ? scene->form[body] : -1;
    return f < 0 ? NULL : &scene->forms[f];
}

static int part_count(const scree_scene *scene, int32_t body) {
    const scree_form *form = form_of(scene, body);
    return form && form->n_ball ? form->n_ball : 1;
}

static void place_ball(part *p, scree_vec3 x, double r) {
    p->ball = (scree_solid){.core = SCREE_CORE_POINT, .radius = r, .bound = r};
    p->placed =
        (scree_placed){&p->ball, x, {vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)}};
}

/* Part k of a body whose centre is at x. */
static void place_part_at(const scree_scene *scene, int32_t body, scree_vec3 x,
                          int k, part *p) {
    const scree_form *form = form_of(scene, body);
    if (!form) {
        place_ball(p, x, scene->x[body].r);
        return;
    }
    const scree_mat3 R =
        scene->stances ? scene->stances[body].R : quat_matrix(scene->q[body]);
    if (form->n_ball) {
        const scree_ball *ball = &form->balls[k];
        place_ball(p, add(x, mat3_mul(&R, ball->x)), ball->r);
    } else {
        p->placed = (scree_placed){&form->solid, x, R};
    }
}

/* Keys of clumps name the ball. */
static void name_ball(scree_touch *t, int n, int k, bool of_a) {
    const uint32_t name = scree_feature(SCREE_VERTEX, k);
    for (int i = 0; i < n; ++i)
        t[i].key = of_a ? (t[i].key & 0xffff) | name << 16
                        : (t[i].key & 0xffff0000) | name;
}

/* ---- walls ------------------------------------------------------------------------- */

static void to_world(const scree_plane *wall, scree_touch *t, int n) {
    for (int i = 0; i < n; ++i) {
        t[i].x = add(wall->x, mat3_mul(&wall->R, t[i].x));
        t[i].n = mat3_mul(&wall->R, t[i].n);
    }
}

static scree_placed from_wall(const scree_plane *wall, const scree_placed *a) {
    const scree_mat3 *R = &wall->R;
    return (scree_placed){a->solid,
                          mat3_mul_back(R, sub(a->x, wall->x)),
                          {mat3_mul_back(R, a->R.x), mat3_mul_back(R, a->R.y),
                           mat3_mul_back(R, a->R.z)}};
}

static scree_wall_find *const table[SCREE_GROUNDS][SCREE_CORES] = {
#define SCREE_WALL_PAIR(core, wall, routine)                                   \
    [SCREE_GROUND_##wall][SCREE_CORE_##core] = scree_##routine,
#include "contact/pairs.def"
};

scree_wall_find *scree_wall_routine(scree_core core, scree_ground kind) {
    return table[kind][core];
}

int scree_solid_wall(const scree_placed *a, const scree_plane *wall,
                     double reach, scree_touch *t) {
    scree_wall_find *find =
        scree_wall_routine(a->solid->core, scree_plane_kind(wall));
    if (!find) return 0;
    if (!scree_plane_is_surface(wall)) return find(a, wall, reach, t);
    const scree_placed own = from_wall(wall, a);
    const int n = find(&own, wall, reach, t);
    to_world(wall, t, n);
    return n;
}

bool scree_wall_near(const scree_plane *wall, const scree_ball *ball,
                     double reach) {
    scree_touch t[SCREE_TOUCHES];
    part p;
    place_ball(&p, ball->x, ball->r);
    return scree_solid_wall(&p.placed, wall, reach, t) > 0;
}

/* ---- pairs ---------------------------------------------------------------------------- */

/* Cheap, and true of many listed pairs. */
static bool balls_apart(const scree_scene *scene, const scree_pair *pair,
                        double reach) {
    const scree_ball *a = &scene->x[pair->a];
    if (pair->b < 0) {
        const scree_plane *wall = &scene->walls[-1 - pair->b];
        if (scree_plane_is_surface(wall)) return false;
        return dot(wall->n, a->x) - wall->d > a->r + reach;
    }
    const scree_vec3 d = scree_scene_apart(scene, pair);
    const double most = a->r + scene->x[pair->b].r + reach;
    return dot(d, d) > most * most;
}

/* The touch that is missed least: the one nearest to another that is as deep.
 * `also` is a touch beside those of the list; -1 stands for it. */
static int most_crowded(const scree_touch *t, int n, const scree_touch *also) {
    double least = INFINITY;
    int best = -1;
    for (int i = -1; i < n; ++i)
        for (int j = -1; j < n; ++j) {
            const scree_touch *x = i < 0 ? also : &t[i];
            const scree_touch *y = j < 0 ? also : &t[j];
            const double d = norm(sub(x->x, y->x));
            if (i == j || y->g > x->g + 1e-3 * d || d > 0.999 * least) continue;
            least = d, best = i;
        }
    return best;
}

/* Adds a touch; where there is no room the least missed one goes. */
static int push_touch(scree_touch *t, int n, const scree_touch *touch) {
    if (n < SCREE_TOUCHES) {
        t[n] = *touch;
        return n + 1;
    }
    const int out = most_crowded(t, n, touch);
    if (out >= 0) t[out] = *touch;
    return n;
}

/* Nor does it matter where along its edges a body stands on a plane. */
scree_vec3 scree_pair_frame(const scree_scene *scene, const scree_pair *pair,
                            scree_vec3 x) {
    const scree_period *cell = scene->cell;
    if (!cell || pair->b >= 0 ||
        scree_plane_is_surface(&scene->walls[-1 - pair->b]))
        return x;
    return vec(cell->along[0] ? 0 : x.x, cell->along[1] ? 0 : x.y,
               cell->along[2] ? 0 : x.z);
}

/* Where the pair's touches are seen from. In a cell that is the centre of b, whatever
 * image it is: what is whole edges away then has the same bits. */
static bool is_seen_from_b(const scree_scene *scene, const scree_pair *pair) {
    return scene->cell && pair->b >= 0;
}

static scree_vec3 centre_of_a(const scree_scene *scene,
                              const scree_pair *pair) {
    return is_seen_from_b(scene, pair)
               ? scree_scene_apart(scene, pair)
               : scree_pair_frame(scene, pair, scene->x[pair->a].x);
}

static scree_vec3 centre_of_b(const scree_scene *scene,
                              const scree_pair *pair) {
    return is_seen_from_b(scene, pair) ? vec(0, 0, 0) : scene->x[pair->b].x;
}

void scree_pair_arms(const scree_scene *scene, const scree_pair *pair,
                     scree_vec3 x, scree_arms *arms) {
    arms->a = sub(x, centre_of_a(scene, pair));
    arms->b = pair->b >= 0 ? sub(x, centre_of_b(scene, pair)) : vec(0, 0, 0);
}

/* Touches of one part with the wall or with part k of the other body. */
static int touch_parts(const scree_scene *scene, const scree_pair *pair,
                       const part *a, int k, double reach, scree_touch *t) {
    if (pair->b < 0)
        return scree_solid_wall(&a->placed, &scene->walls[-1 - pair->b], reach,
                                t);
    part b;
    place_part_at(scene, pair->b, centre_of_b(scene, pair), k, &b);
    return scree_solids_touch(&a->placed, &b.placed, reach, t);
}

static int touch_all_parts(const scree_scene *scene, const scree_pair *pair,
                           double reach, scree_touch *t) {
    const int parts_a = part_count(scene, pair->a);
    const int parts_b = pair->b < 0 ? 1 : part_count(scene, pair->b);
    int n = 0;
    for (int i = 0; i < parts_a; ++i) {
        part a;
        place_part_at(scene, pair->a, centre_of_a(scene, pair), i, &a);
        for (int k = 0; k < parts_b; ++k) {
            scree_touch found[SCREE_TOUCHES];
            const int m = touch_parts(scene, pair, &a, k, reach, found);
            if (parts_a > 1) name_ball(found, m, i, true);
            if (parts_b > 1) name_ball(found, m, k, false);
            for (int l = 0; l < m; ++l) n = push_touch(t, n, &found[l]);
        }
    }
    return n;
}

/* A body that is one convex solid, and no sphere. */
static bool is_convex(const scree_scene *scene, int32_t body) {
    const scree_form *form = form_of(scene, body);
    return form && !form->n_ball;
}

int scree_pair_touch(const scree_scene *scene, const scree_pair *pair,
                     double reach, scree_separation *apart, scree_touch *t) {
    if (balls_apart(scene, pair, reach)) return 0;
    if (pair->b < 0 || !is_convex(scene, pair->a) || !is_convex(scene, pair->b))
        return touch_all_parts(scene, pair, reach, t);
    part a, b;
    place_part_at(scene, pair->a, centre_of_a(scene, pair), 0, &a);
    place_part_at(scene, pair->b, centre_of_b(scene, pair), 0, &b);
    return scree_solids_touch_again(&a.placed, &b.placed, reach, apart, t);
}

/* ---- guards ------------------------------------------------------------------------- */

/* A body is fast if it goes this share of its inner radius in a step. */
static const double FAST = 0.5;
/* What of the inner radius is guarded: faces at rest touch before it does. */
static const double GUARDED = 0.9;
/* Overlaps deeper than this share of the inner radius are not trusted alone. */
static const double DEEP = 0.1;
/* Keys of a guard: no feature of a body has this name. */
enum { GUARD = 0x7fff0000, GUARD_AHEAD = 0x7ffe0000 };
/* Planes ahead of a body. */
enum { AHEAD = 4 };

static double least_ball(const scree_form *form) {
    double r = form->balls[0].r;
    for (int k = 1; k < form->n_ball; ++k) r = fmin(r, form->balls[k].r);
    return r;
}

double scree_body_inner_radius(const scree_scene *scene, int32_t body) {
    const scree_form *form = form_of(scene, body);
    return !form          ? scene->x[body].r
           : form->n_ball ? least_ball(form)
                          : scree_ops_of(&form->solid)->inside(&form->solid);
}

/* The ball inside part k of a body, where it is: a clump may have nothing at its
 * centre of mass. */
static scree_ball inner_ball(const scree_scene *scene, const scree_pair *pair,
                             int k) {
    part p;
    place_part_at(scene, pair->a, centre_of_a(scene, pair), k, &p);
    const scree_solid *solid = p.placed.solid;
    return (scree_ball){p.placed.x, scree_ops_of(solid)->inside(solid)};
}

/* The part whose inner ball guards the body: of a clump the largest ball. */
static int guard_part(const scree_scene *scene, int32_t body) {
    const scree_form *form = form_of(scene, body);
    int best = 0;
    for (int k = 1; k < part_count(scene, body); ++k)
        if (form->balls[k].r > form->balls[best].r) best = k;
    return best;
}

static bool sweep_wall(const scree_plane *wall, scree_ball ball, scree_vec3 d,
                       scree_hit *hit) {
    return scree_walls[scree_plane_kind(wall)]->sweep(wall, ball, d, hit);
}

/* The planes that the ball must not pass in this step: where it would first hit
 * the surface, and where next as it slides on along that plane. Touches near the
 * start do not know of a hill ahead. In the wall's frame. */
static int hits_ahead(const scree_plane *wall, scree_ball ball, scree_vec3 d,
                      scree_touch *t) {
    const scree_vec3 start = ball.x;
    int n = 0;
    scree_hit hit;
    for (int k = 0; k < AHEAD && sweep_wall(wall, ball, d, &hit); ++k) {
        const scree_vec3 at = add_scaled(ball.x, hit.t, d);
        const double g = dot(hit.n, sub(start, at)) + hit.distance - ball.r;
        if (k == 0 || g >= 0)
            t[n++] =
                (scree_touch){.x = add_scaled(start, -ball.r - 0.5 * g, hit.n),
                              .n = hit.n,
                              .g = g,
                              .key = (uint32_t)(GUARD_AHEAD + k)};
        d = scale(1 - hit.t, d);
        d = add_scaled(d, -dot(hit.n, d), hit.n);
        const double lift = ball.r * (1 + 1e-6) - hit.distance;
        ball.x = add_scaled(at, fmax(lift, 0), hit.n);
    }
    return n;
}

static bool sweep_from(const scree_plane *wall, const scree_ball *ball,
                       scree_vec3 d, scree_hit *hit) {
    if (!scree_plane_is_surface(wall)) return sweep_wall(wall, *ball, d, hit);
    const scree_mat3 *R = &wall->R;
    const scree_ball own = {mat3_mul_back(R, sub(ball->x, wall->x)), ball->r};
    return sweep_wall(wall, own, mat3_mul_back(R, d), hit);
}

static int hits_ahead_of(const scree_scene *scene, const scree_pair *pair,
                         const scree_ball *ball, scree_touch *t) {
    const scree_plane *wall = &scene->walls[-1 - pair->b];
    const scree_twist *u = &scene->u[pair->a];
    const scree_vec3 arm = sub(ball->x, scene->x[pair->a].x);
    if (!scree_plane_is_surface(wall)) return 0;
    const scree_mat3 *R = &wall->R;
    const scree_ball own = {mat3_mul_back(R, sub(ball->x, wall->x)), ball->r};
    const scree_vec3 v = add(u->v, cross(u->w, arm));
    const scree_vec3 d = mat3_mul_back(R, scale(scene->dt, v));
    const int n = hits_ahead(wall, own, d, t);
    to_world(wall, t, n);
    return n;
}

/* Touches of the ball itself, as guards. */
static int guard_near(const scree_plane *wall, const scree_ball *ball,
                      double reach, scree_touch *t) {
    part p;
    place_ball(&p, ball->x, ball->r);
    const int n = scree_solid_wall(&p.placed, wall, reach, t);
    for (int i = 0; i < n; ++i) t[i].key = (t[i].key & 0xffff) | GUARD;
    return n;
}

/* Overlaps, and by little: then the touches are those of features that fit. */
static bool is_healthy(const scree_touch *t, int n, double r) {
    double g = INFINITY;
    for (int i = 0; i < n; ++i) g = fmin(g, t[i].g);
    return g <= 0 && g >= -DEEP * r;
}

static int push_all(scree_touch *t, int n, const scree_touch *more, int count) {
    for (int i = 0; i < count; ++i) n = push_touch(t, n, &more[i]);
    return n;
}

/* A sphere, or one convex solid: its inner ball is about its centre. */
static bool has_core(const scree_scene *scene, int32_t body) {
    const scree_form *form = form_of(scene, body);
    return !form || !form->n_ball;
}

/* Along the line of centres, so that the touch turns neither of them. */
bool scree_pair_passes(const scree_scene *scene, const scree_pair *pair,
                       scree_touch *touch) {
    const int32_t a = pair->a, b = pair->b;
    if (b < 0 || !has_core(scene, a) || !has_core(scene, b)) return false;
    const scree_vec3 d = scree_scene_apart(scene, pair);
    const scree_vec3 way =
        scale(scene->dt, scree_scene_closing(scene, pair, false));
    const double r_a = GUARDED * scree_body_inner_radius(scene, a),
                 r_b = GUARDED * scree_body_inner_radius(scene, b);
    const double distance = norm(d), g = distance - r_a - r_b;
    double at;
    if (g <= 0 || dot(way, way) < g * g) return false;
    if (scree_gap_on_way(d, way, r_a + r_b, &at) >= 0) return false;
    const scree_vec3 n = scale(1 / distance, d);
    *touch = (scree_touch){
        .x = add_scaled(centre_of_b(scene, pair), r_b + 0.5 * g, n),
        .n = n,
        .g = g,
        .key = GUARD | GUARD >> 16};
    return true;
}

int scree_pair_guard(const scree_scene *scene, const scree_pair *pair,
                     double reach, scree_touch *t, int n) {
    if (pair->b >= 0) return n;
    /* The touches of spheres and of balls of clumps are there already. */
    const bool convex = is_convex(scene, pair->a);
    const double r = scree_body_inner_radius(scene, pair->a);
    const scree_twist *u = &scene->u[pair->a];
    const double speed = norm(u->v) + scene->x[pair->a].r * norm(u->w);
    const bool fast = scene->foresee && scene->dt * speed >= FAST * r;
    const scree_plane *wall = &scene->walls[-1 - pair->b];
    const bool lost =
        convex && scree_plane_is_surface(wall) && !is_healthy(t, n, r);
    if (!fast && !lost) return n;
    scree_touch found[SCREE_TOUCHES];
    scree_ball ball = inner_ball(scene, pair, guard_part(scene, pair->a));
    if (convex) {
        ball.r *= GUARDED;
        n = push_all(t, n, found,
                     guard_near(wall, &ball, fast ? reach : 0, found));
    }
    if (fast)
        n = push_all(t, n, found, hits_ahead_of(scene, pair, &ball, found));
    return n;
}

/* ---- stops -------------------------------------------------------------------------- */

/* What of the inner radius must stay in front of a surface, and how far the body may
 * sink into it there. */
static const double IN_FRONT = 0.5, SUNK = 0.05;
enum { HALVINGS = 12, MOST_HALVINGS = 50 };
/* A body nearer than this is in touch from the start; how exactly a touch is found. Both
 * in the inner radius. */
static const double NEAR = 0.02, EXACT = 1e-10;

/* Gap of a body to a wall as if it were shifted, INFINITY where none is within reach. */
static double gap_within(const scree_scene *scene, const scree_pair *pair,
                         scree_vec3 shift, double reach) {
    scree_ball x = scene->x[pair->a];
    const scree_scene shifted = {.n = 1,
                                 .x = &x,
                                 .q = scene->q + pair->a,
                                 .form = scene->form + pair->a,
                                 .forms = scene->forms,
                                 .general = scene->general,
                                 .walls = scene->walls};
    scree_touch t[SCREE_TOUCHES];
    x.x = add(x.x, shift);
    const int n =
        touch_all_parts(&shifted, &(scree_pair){0, pair->b, 0, 0}, reach, t);
    double g = INFINITY;
    for (int i = 0; i < n; ++i) g = fmin(g, t[i].g);
    return g;
}

static double gap_after(const scree_scene *scene, const scree_pair *pair,
                        scree_vec3 shift) {
    return gap_within(scene, pair, shift, 0);
}

bool scree_body_is_fast(const scree_scene *scene, int32_t body, double way) {
    return way >= FAST / 2 * scree_body_inner_radius(scene, body);
}

/* The share of the way after which one of the inner balls is at the wall; more than
 * 1: none comes there. */
static double way_of_balls(const scree_scene *scene, const scree_pair *pair,
                           scree_vec3 d) {
    const scree_plane *wall = &scene->walls[-1 - pair->b];
    double way = INFINITY;
    for (int k = 0; k < part_count(scene, pair->a); ++k) {
        scree_ball ball = inner_ball(scene, pair, k);
        ball.r *= IN_FRONT;
        scree_hit hit;
        if (sweep_from(wall, &ball, d, &hit)) way = fmin(way, hit.t);
    }
    return way;
}

/* The inner balls' way is exact. Where the body itself sinks in before that, a
 * bisection finds the place. */
double scree_pair_way(const scree_scene *scene, const scree_pair *pair,
                      scree_vec3 d) {
    if (!scene->walls[-1 - pair->b].exists ||
        !scree_body_is_fast(scene, pair->a, norm(d)))
        return 1;
    const double r = scree_body_inner_radius(scene, pair->a);
    double lo = 0, hi = way_of_balls(scene, pair, d);
    if (hi > 1) return 1;
    if (gap_after(scene, pair, vec(0, 0, 0)) < -SUNK * r) return hi;
    for (int k = 0; k < HALVINGS; ++k) {
        const double t = 0.5 * (lo + hi);
        if (gap_after(scene, pair, scale(t, d)) < -SUNK * r)
            hi = t;
        else
            lo = t;
    }
    return hi;
}

/* The first overlap between the shares 0, where there is none, and hi, where there is. */
static double touch_between(const scree_scene *scene, const scree_pair *pair,
                            scree_vec3 d, double hi) {
    const double exact =
        EXACT * scree_body_inner_radius(scene, pair->a) / norm(d);
    double lo = 0;
    for (int k = 0; k < MOST_HALVINGS && hi - lo > exact; ++k) {
        const double t = 0.5 * (lo + hi);
        if (gap_after(scene, pair, scale(t, d)) < 0)
            hi = t;
        else
            lo = t;
    }
    return hi;
}

double scree_pair_way_to_touch(const scree_scene *scene, const scree_pair *pair,
                               scree_vec3 d) {
    const double r = scree_body_inner_radius(scene, pair->a);
    if (!scene->walls[-1 - pair->b].exists ||
        !scree_body_is_fast(scene, pair->a, norm(d)))
        return 1;
    if (gap_within(scene, pair, vec(0, 0, 0), NEAR * r) < NEAR * r)
        return scree_pair_way(scene, pair, d);
    double hi = way_of_balls(scene, pair, d);
    if (hi > 1 && gap_after(scene, pair, d) >= -SUNK * r) return 1;
    return touch_between(scene, pair, d, fmin(hi, 1));
}
