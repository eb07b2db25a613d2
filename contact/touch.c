#include "contact/touch.h"

#include "contact/form.h"
#include "contact/heightfield.h"
#include "contact/mesh.h"
#include "contact/pair.h"

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
    p->placed = (scree_placed){
        &p->ball, x, {vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)}};
}

static void place_part(const scree_scene *scene, int32_t body, int k, part *p) {
    const scree_form *form = form_of(scene, body);
    const scree_ball *x = &scene->x[body];
    if (!form) {
        place_ball(p, x->x, x->r);
        return;
    }
    const scree_mat3 R = quat_matrix(scene->q[body]);
    if (form->n_ball) {
        const scree_ball *ball = &form->balls[k];
        place_ball(p, add(x->x, mat3_mul(&R, ball->x)), ball->r);
    } else {
        p->placed = (scree_placed){&form->solid, x->x, R};
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

/* A surface is touched in its own frame. */
static int touch_surface(const scree_plane *wall, const scree_placed *a,
                         double reach, scree_touch *t) {
    const scree_mat3 *R = &wall->R;
    const scree_placed own = {a->solid,
                              mat3_mul_back(R, sub(a->x, wall->x)),
                              {mat3_mul_back(R, a->R.x),
                               mat3_mul_back(R, a->R.y),
                               mat3_mul_back(R, a->R.z)}};
    const int n = wall->mesh
                      ? scree_mesh_touch(wall->mesh, &own, reach, t)
                      : scree_heightfield_touch(wall->field, &own, reach, t);
    for (int i = 0; i < n; ++i) {
        t[i].x = add(wall->x, mat3_mul(R, t[i].x));
        t[i].n = mat3_mul(R, t[i].n);
    }
    return n;
}

static int touch_wall(const scree_plane *wall, const scree_placed *a,
                      double reach, scree_touch *t) {
    return wall->mesh || wall->field
               ? touch_surface(wall, a, reach, t)
               : scree_solid_plane(a, wall->n, wall->d, reach, t);
}

bool scree_wall_near(const scree_plane *wall, const scree_ball *ball,
                     double reach) {
    scree_touch t[SCREE_TOUCHES];
    part p;
    place_ball(&p, ball->x, ball->r);
    return touch_wall(wall, &p.placed, reach, t) > 0;
}

/* ---- pairs ---------------------------------------------------------------------------- */

/* Cheap, and true of many listed pairs. */
static bool balls_apart(const scree_scene *scene, const scree_pair *pair,
                        double reach) {
    const scree_ball *a = &scene->x[pair->a];
    if (pair->b < 0) {
        const scree_plane *wall = &scene->walls[-1 - pair->b];
        if (wall->mesh || wall->field) return false;
        return dot(wall->n, a->x) - wall->d > a->r + reach;
    }
    const scree_ball *b = &scene->x[pair->b];
    const scree_vec3 d = sub(a->x, b->x);
    const double most = a->r + b->r + reach;
    return dot(d, d) > most * most;
}

static int add_parts(const scree_scene *scene, const scree_pair *pair,
                     const part *a, double reach, scree_touch *t, int room) {
    scree_touch found[SCREE_TOUCHES];
    int n = 0;
    if (pair->b < 0) {
        n = touch_wall(&scene->walls[-1 - pair->b], &a->placed, reach, found);
        if (n > room) n = room;
        for (int i = 0; i < n; ++i) t[i] = found[i];
        return n;
    }
    const int parts = part_count(scene, pair->b);
    for (int k = 0; k < parts; ++k) {
        part b;
        place_part(scene, pair->b, k, &b);
        const int m = scree_solids_touch(&a->placed, &b.placed, reach, found);
        if (parts > 1) name_ball(found, m, k, false);
        for (int i = 0; i < m && n < room; ++i) t[n++] = found[i];
    }
    return n;
}

static int touch_parts(const scree_scene *scene, const scree_pair *pair,
                       double reach, scree_touch *t) {
    const int parts = part_count(scene, pair->a);
    int n = 0;
    for (int k = 0; k < parts; ++k) {
        part a;
        place_part(scene, pair->a, k, &a);
        const int m =
            add_parts(scene, pair, &a, reach, &t[n], SCREE_TOUCHES - n);
        if (parts > 1) name_ball(&t[n], m, k, true);
        n += m;
    }
    return n;
}

/* A body that is one convex solid, and no sphere. */
static bool is_convex(const scree_scene *scene, int32_t body) {
    const scree_form *form = form_of(scene, body);
    return form && !form->n_ball;
}

int scree_pair_touch(const scree_scene *scene, const scree_pair *pair,
                     double reach, scree_separation *apart,
                     scree_touch *t) {
    if (balls_apart(scene, pair, reach)) return 0;
    if (pair->b < 0 || !is_convex(scene, pair->a) ||
        !is_convex(scene, pair->b))
        return touch_parts(scene, pair, reach, t);
    part a, b;
    place_part(scene, pair->a, 0, &a);
    place_part(scene, pair->b, 0, &b);
    return scree_solids_touch_again(&a.placed, &b.placed, reach, apart, t);
}
