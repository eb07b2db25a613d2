/* anisotropy.c: friction with a grain: whose it is, and where it points.
 *
 * The direction d is fixed to a body or wall. In the tangent plane of a contact
 *     e = (d - (n . d) n) / |...|,     f = n x e,
 * and friction lies in the ellipse with semi-axes mu P_N along e and ratio mu P_N
 * along f. The set does not change when n, d or f change sign, so it is the same
 * whichever of the two bodies comes first. solvers/problem/problem.h has the law. */
#include "engine/step/contact_rows.h"
#include "engine/world/make.h"
#include "engine/world/world.h"

const char *scree_anisotropy_fault(const scree_anisotropy *a, bool planar) {
    const scree_vec3 d = vec_from(a->direction);
    if (a->ratio == 0) return NULL;
    if (!isfinite(a->ratio) || !(a->ratio > 0))
        return "the ratio of anisotropic friction is not > 0";
    if (planar) return "friction in a plane world has one direction only";
    const double length = norm(d);
    return isfinite(length) && length > 0
               ? NULL
               : "the direction of anisotropic friction is zero or not finite";
}

scree_contact_law scree_contact_law_tidy(const scree_contact_law *law) {
    scree_contact_law tidy = *law;
    scree_anisotropy *a = &tidy.anisotropy;
    const scree_vec3 d = vec_from(a->direction);
    if (a->ratio == 0 || a->ratio == 1)
        *a = (scree_anisotropy){0};
    else
        vec_to(scale(1 / norm(d), d), a->direction);
    return tidy;
}

static double ratio_of(const scree_contact_law *law) {
    return law->anisotropy.ratio > 0 ? law->anisotropy.ratio : 1;
}

/* The one of two that is ground with slippage; NULL: none or both are. */
static const scree_contact_law *ground_of(const scree_contact_law *x,
                                          const scree_contact_law *y) {
    const bool is_x = x->slippage.growth > 0, is_y = y->slippage.growth > 0;
    if (is_x == is_y) return NULL;
    return is_x ? x : y;
}

static scree_slippage mix_slippage(const scree_slippage *x,
                                   const scree_slippage *y) {
    return (scree_slippage){.least = sqrt(x->least * y->least),
                            .growth = sqrt(x->growth * y->growth),
                            .decay = sqrt(x->decay * y->decay),
                            .drag = sqrt(x->drag * y->drag)};
}

static scree_cohesion mix_cohesion(const scree_cohesion *x,
                                   const scree_cohesion *y) {
    return (scree_cohesion){.force = sqrt(x->force * y->force),
                            .energy = sqrt(x->energy * y->energy),
                            .range = sqrt(x->range * y->range)};
}

static scree_bond mix_bond(const scree_bond *x, const scree_bond *y) {
    if (x->normal == 0 || y->normal == 0) return (scree_bond){0};
    return (scree_bond){.normal = sqrt(x->normal * y->normal),
                        .tangential = sqrt(x->tangential * y->tangential),
                        .moment = sqrt(x->moment * y->moment),
                        .range = sqrt(x->range * y->range),
                        .from = fmax(x->from, y->from),
                        .always = x->always && y->always};
}

scree_contact_law scree_contact_law_mixed(const scree_contact_law *x,
                                          const scree_contact_law *y,
                                          bool *of_y) {
    const scree_contact_law *ground = ground_of(x, y);
    *of_y = ratio_of(x) == 1 && ratio_of(y) != 1;
    scree_anisotropy axes = *of_y ? y->anisotropy : x->anisotropy;
    if (axes.ratio > 0) axes.ratio = sqrt(ratio_of(x) * ratio_of(y));
    scree_contact_law mixed = {
        .friction = sqrt(x->friction * y->friction),
        .e_n = fmin(x->e_n, y->e_n),
        .e_t = fmin(x->e_t, y->e_t),
        .rolling = sqrt(x->rolling * y->rolling),
        .drilling = sqrt(x->drilling * y->drilling),
        .anisotropy = axes,
        .cohesion = mix_cohesion(&x->cohesion, &y->cohesion),
        .bond = mix_bond(&x->bond, &y->bond),
        .impact = x->impact > y->impact ? x->impact : y->impact};
    for (int k = 0; k < SCREE_OWN_TERMS; ++k)
        mixed.own[k] = sqrt(x->own[k] * y->own[k]);
    if (ground) {
        mixed.friction = ground->friction;
        mixed.e_n = ground->e_n;
        mixed.e_t = ground->e_t;
        mixed.slippage = ground->slippage;
    } else {
        mixed.slippage = mix_slippage(&x->slippage, &y->slippage);
    }
    return mixed;
}

/* Is the direction fixed to a, not to b? */
static bool belongs_to_a(const scree_world *world, const scree_contact *c) {
    const scree_bodies *bodies = &world->state.bodies;
    const int a = bodies->material[c->a];
    const int b = c->b >= 0 ? bodies->material[c->b]
                            : world->scene.walls[-1 - c->b].def.material;
    const int owner = scree_world_pair_law(world, a, b)->grain;
    if (a != b) return a == owner;
    return c->b >= 0 && bodies->id[c->a] < bodies->id[c->b];
}

/* The direction d in the inertial frame. */
static scree_vec3 turned_by_body(const scree_world *world,
                                 const scree_contact *c, bool at_begin,
                                 scree_vec3 d) {
    const scree_bodies *bodies = &world->state.bodies;
    const bool of_a = belongs_to_a(world, c);
    if (!of_a && c->b < 0) {
        const int wall = -1 - c->b;
        return mat3_mul(at_begin ? &world->scene.walls[wall].begin.R
                                 : &world->scene.planes[wall].R,
                        d);
    }
    const int32_t body = of_a ? c->a : c->b;
    return quat_rotate(at_begin ? bodies->begin[body].q : bodies->q[body], d);
}

scree_law_terms scree_world_terms(const scree_world *world,
                                  const scree_contact *c,
                                  const scree_contact_law *law, bool at_begin) {
    scree_law_terms terms = scree_contact_law_terms(law);
    if (terms.ratio > 0)
        terms.along = turned_by_body(world, c, at_begin,
                                     vec_from(law->anisotropy.direction));
    return terms;
}

void scree_world_set_axes(const scree_world *world, const scree_contact *c,
                          bool at_begin, scree_row *row) {
    const scree_law_terms terms =
        scree_world_terms(world, c, scree_world_law(world, c), at_begin);
    scree_row_laws[SCREE_ID_ELLIPSE]->enter(&terms, NULL, row);
}
