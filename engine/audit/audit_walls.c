/* audit_walls.c: walls against bodies as a whole: sizes side by side, bodies beside
 * the terrain, and whether anything can meet at all.
 *
 * Bodies that meet nothing stay within the box around them, without bound where a
 * velocity or gravity points. How long the run takes does not count: short ones are
 * tried out. A surface at rest that this box does not reach is met by none
 * of them. A plane is met if bodies fall or move towards it. Two bodies can meet if
 * their velocities differ, since gravity is the same for all.
 *
 * Cost: one look at each body. */
#include <math.h>

#include "contact/surface/chain.h"
#include "contact/surface/heightfield.h"
#include "contact/surface/mesh.h"
#include "contact/surface/revolved.h"
#include "engine/audit/audit_parts.h"
#include "engine/generate/place.h"
#include "engine/world/view.h"

/* A surface smaller than this share of the smallest body cannot be meant. */
static const double SENSELESS = 0.1;

/* What the bodies do as long as they meet nothing. */
typedef struct crowd {
    scree_extent place;    /* with their balls; pours by their regions [m] */
    scree_extent velocity; /* [m/s] */
    bool spins;            /* a body that is not a sphere turns */
    double n;              /* bodies, poured ones among them */
    double smallest;       /* diameter [m] */
} crowd;

/* ---- the crowd ------------------------------------------------------------- */

static void add_pours(const scree_auditor *by, crowd *c) {
    for (int k = 0; k < by->scene->n_pour; ++k) {
        const scree_pour *pour = by->scene->pours[k];
        double lo[3], hi[3];
        scree_region_bounds(&pour->region, lo, hi);
        scree_extent_add(&c->place, vec_from(lo), 0);
        scree_extent_add(&c->place, vec_from(hi), 0);
        scree_extent_add(&c->velocity, vec_from(pour->grain.velocity), 0);
        c->n += fmin((double)pour->count, 1e9);
        c->smallest = fmin(c->smallest, 2 * scree_grain_smallest(&pour->grain));
    }
}

static crowd look_at_crowd(const scree_auditor *by) {
    const scree_bodies *b = &by->world->state.bodies;
    crowd c = {.place = scree_extent_none(),
               .velocity = scree_extent_none(),
               .n = (double)by->world->ranks.n_body,
               .smallest = by->world->ranks.n_body ? 2 * by->world->scene.r_min
                                                   : INFINITY};
    for (int32_t i = 0; i < b->n; ++i) {
        scree_extent_add(&c.place, b->x[i].x, b->x[i].r);
        scree_extent_add(&c.velocity, b->u[i].v, 0);
        c.spins |= b->form[i] >= 0 && norm(b->u[i].w) > 0;
    }
    scree_extent_join(by->comm, &c.place);
    scree_extent_join(by->comm, &c.velocity);
    c.spins = scree_comm_any(by->comm, c.spins);
    add_pours(by, &c);
    return c;
}

static bool velocities_differ(const crowd *c) {
    for (int k = 0; k < 3; ++k)
        if (c->velocity.lo[k] < c->velocity.hi[k]) return true;
    return false;
}

static bool is_at_rest(const crowd *c) {
    for (int k = 0; k < 3; ++k)
        if (c->velocity.lo[k] != 0 || c->velocity.hi[k] != 0) return false;
    return !c->spins;
}

/* Two of a pour enter one after the other. */
static bool pairs_can_meet(const scree_auditor *by, const crowd *c) {
    return c->n >= 2 &&
           (velocities_differ(c) || c->spins || by->scene->n_pour > 0);
}

static scree_extent reach_of(const scree_auditor *by, const crowd *c) {
    const double *g = by->world->def.gravity;
    scree_extent reach = c->place;
    for (int k = 0; k < 3; ++k) {
        if (c->velocity.lo[k] < 0 || g[k] < 0) reach.lo[k] = -INFINITY;
        if (c->velocity.hi[k] > 0 || g[k] > 0) reach.hi[k] = INFINITY;
    }
    return reach;
}

/* ---- surfaces -------------------------------------------------------------- */

static scree_box box_of(const scree_plane *p) {
    if (p->mesh) return p->mesh->box;
    if (p->chain) {
        scree_box box =
            scree_box_of_points(p->chain->vertex, p->chain->n_vertex);
        const double r = p->chain->radius;
        box.lo = sub(box.lo, vec(r, r, 0));
        box.hi = add(box.hi, vec(r, r, 0));
        return box;
    }
    if (p->revolved) return scree_revolved_box(p->revolved);
    const scree_heightfield *f = p->field;
    return (scree_box){vec(f->x0, f->y0, f->z_min),
                       vec(f->x0 + (f->nx - 1) * f->cell,
                           f->y0 + (f->ny - 1) * f->cell, f->z_max)};
}

scree_extent scree_audit_surface(const scree_plane *p) {
    const scree_box box = box_of(p);
    scree_extent extent = scree_extent_none();
    for (int k = 0; k < 8; ++k) {
        const scree_vec3 corner =
            vec(k & 1 ? box.hi.x : box.lo.x, k & 2 ? box.hi.y : box.lo.y,
                k & 4 ? box.hi.z : box.lo.z);
        scree_extent_add(&extent, add(p->x, mat3_mul(&p->R, corner)), 0);
    }
    return extent;
}

static bool extents_meet(const scree_extent *a, const scree_extent *b) {
    for (int k = 0; k < 3; ++k)
        if (a->lo[k] > b->hi[k] || b->lo[k] > a->hi[k]) return false;
    return true;
}

static bool has_size(const scree_plane *p) {
    return scree_plane_is_surface(p) && !(p->revolved && p->revolved->endless);
}

static void compare_sizes(const scree_auditor *by, const crowd *c, int wall,
                          int walls) {
    const scree_extent e = scree_audit_surface(&by->world->scene.planes[wall]);
    const double x = e.hi[0] - e.lo[0], y = e.hi[1] - e.lo[1],
                 z = e.hi[2] - e.lo[2], all = norm(vec(x, y, z));
    const scree_wall_label name = scree_audit_wall(by, wall);
    scree_audit_add(
        by->audit, SCREE_NOTE, SCREE_FINDING_SIZES,
        "wall %s is %.3g x %.3g x %.3g m; the smallest body is %.3g m",
        name.text, x, y, z, c->smallest);
    if (all >= c->smallest) return;
    scree_audit_add(
        by->audit,
        walls == 1 || all < SENSELESS * c->smallest ? SCREE_ERROR
                                                    : SCREE_WARNING,
        SCREE_FINDING_SIZES,
        "wall %s is smaller than any body: %.3g x %.3g x %.3g m beside bodies "
        "of %.3g m and more; check the units of its file (a mesh takes a "
        "'scale') and of the bodies",
        name.text, x, y, z, c->smallest);
}

/* ---- terrain --------------------------------------------------------------- */

/* Is there anything else that bodies could fall on? */
static bool has_other_ground(const scree_auditor *by) {
    const scree_vec3 g = vec_from(by->world->def.gravity);
    for (int w = 0; w < by->world->scene.n_wall; ++w) {
        const scree_plane *p = &by->world->scene.planes[w];
        if (!scree_audit_wall_counts(by, w) || p->field) continue;
        if (scree_plane_is_surface(p) || scree_plane_moves(p)) return true;
        if (dot(p->n, g) < 0) return true;
    }
    return false;
}

static bool has_terrain(const scree_auditor *by) {
    for (int w = 0; w < by->world->scene.n_wall; ++w)
        if (by->world->scene.planes[w].field) return true;
    return false;
}

static bool is_over_terrain(const scree_world *world, const scree_extent *e) {
    for (int w = 0; w < world->scene.n_wall; ++w) {
        if (!world->scene.planes[w].field) continue;
        const scree_extent ground =
            scree_audit_surface(&world->scene.planes[w]);
        if (e->lo[0] <= ground.hi[0] && ground.lo[0] <= e->hi[0] &&
            e->lo[1] <= ground.hi[1] && ground.lo[1] <= e->hi[1])
            return true;
    }
    return false;
}

static scree_worst count_beside(const scree_auditor *by) {
    const scree_bodies *b = &by->world->state.bodies;
    scree_worst beside = {0};
    for (int32_t i = 0; i < b->n; ++i) {
        scree_extent e = scree_extent_none();
        scree_extent_add(&e, b->x[i].x, 0);
        if (!scree_world_owns(by->world, i) || is_over_terrain(by->world, &e))
            continue;
        scree_worst_add(&beside,
                        &(scree_worst){.n = 1,
                                       .figure = {b->x[i].x.x, b->x[i].x.y},
                                       .a = b->id[i],
                                       .b = -1});
    }
    return beside;
}

static bool any_pour_over(const scree_auditor *by) {
    for (int k = 0; k < by->scene->n_pour; ++k) {
        scree_extent e;
        scree_region_bounds(&by->scene->pours[k]->region, e.lo, e.hi);
        if (is_over_terrain(by->world, &e)) return true;
    }
    return false;
}

/* Bodies that move may come to it: those at rest, if they are all, cannot. */
static scree_status look_beside(const scree_auditor *by, const crowd *c,
                                bool *none) {
    *none = false;
    if (!has_terrain(by) || has_other_ground(by)) return SCREE_OK;
    scree_worst t = count_beside(by);
    TRY(scree_worst_join(by->comm, &t));
    if (t.n == 0) return SCREE_OK;
    *none =
        t.n == by->world->ranks.n_body && is_at_rest(c) && !any_pour_over(by);
    scree_audit_add(
        by->audit, *none ? SCREE_ERROR : SCREE_WARNING, SCREE_FINDING_BESIDE,
        "%lld of %lld bodies %s beside the terrain, with no ground below: body "
        "%lld at x = %.6g m, y = %.6g m; compare its place with the corners of "
        "the terrain's file",
        (long long)t.n, (long long)by->world->ranks.n_body,
        t.n == 1 ? "is" : "are", (long long)t.a, t.figure[0], t.figure[1]);
    return SCREE_OK;
}

/* ---- can anything meet? ---------------------------------------------------- */

static bool plane_is_met(const scree_plane *p, const crowd *c, scree_vec3 g) {
    const double n[3] = {p->n.x, p->n.y, p->n.z};
    double approach = 0;
    for (int k = 0; k < 3; ++k)
        approach += fmin(n[k] * c->velocity.lo[k], n[k] * c->velocity.hi[k]);
    return dot(p->n, g) < 0 || approach < 0;
}

static bool wall_is_met(const scree_auditor *by, const crowd *c, int wall) {
    const scree_plane *p = &by->world->scene.planes[wall];
    if (scree_plane_moves(p) || by->world->forces.n > 0) return true;
    if (!scree_plane_is_surface(p))
        return plane_is_met(p, c, vec_from(by->world->def.gravity));
    const scree_extent reach = reach_of(by, c), e = scree_audit_surface(p);
    return extents_meet(&reach, &e);
}

/* A cell that moves brings bodies to each other. */
static bool cell_moves(const scree_world *world) {
    const scree_period *cell = world->scene.cell;
    double speed = 0;
    for (int k = 0; k < 3 && cell; ++k) speed += norm(cell->speed[k]);
    return cell && (world->state.cell.held || speed > 0);
}

static bool nothing_moves(const scree_auditor *by, const crowd *c) {
    if (norm(vec_from(by->world->def.gravity)) > 0 || !is_at_rest(c) ||
        by->scene->n_pour > 0 || by->world->forces.n > 0)
        return false;
    for (int w = 0; w < by->world->scene.n_wall; ++w)
        if (scree_plane_moves(&by->world->scene.planes[w])) return false;
    return true;
}

static void look_for_contact(const scree_auditor *by, const crowd *c,
                             int walls) {
    bool met = scree_world_any_law(by->world, scree_law_attracts) ||
               pairs_can_meet(by, c);
    for (int w = 0; w < by->world->scene.n_wall && !met; ++w)
        met = scree_audit_wall_counts(by, w) && wall_is_met(by, c, w);
    if (met) return;
    if (walls == 0)
        scree_audit_add(
            by->audit, SCREE_WARNING, SCREE_FINDING_NO_CONTACT,
            "no contact is possible: there are no walls, and bodies "
            "that all move alike do not meet; is a wall missing?");
    else
        scree_audit_add(by->audit, SCREE_ERROR, SCREE_FINDING_NO_CONTACT,
                        "no contact is possible: no wall is where bodies can "
                        "come to by their velocities and gravity, and bodies "
                        "that all move alike do not meet; check gravity, and "
                        "places and normals of the walls");
}

static void look_at_bodies(const scree_auditor *by, const crowd *c, int walls) {
    if (c->n == 0)
        scree_audit_add(by->audit, SCREE_ERROR, SCREE_FINDING_BODIES,
                        "there are no bodies, and none are poured");
    else if (cell_moves(by->world))
        return;
    else if (nothing_moves(by, c))
        scree_audit_add(by->audit, SCREE_WARNING, SCREE_FINDING_NO_CONTACT,
                        "nothing moves: there is no gravity, all bodies are at "
                        "rest and no wall moves; is 'gravity' missing?");
    else
        look_for_contact(by, c, walls);
}

static int count_walls(const scree_auditor *by) {
    int n = 0;
    for (int w = 0; w < by->world->scene.n_wall; ++w) {
        const scree_wall_label name = scree_audit_wall(by, w);
        const scree_plane_def *def = &by->world->scene.walls[w].def;
        const bool counts = scree_audit_wall_counts(by, w);
        n += counts;
        if (!counts)
            scree_audit_add(by->audit, SCREE_WARNING, SCREE_FINDING_WALL,
                            "wall %s is never there: it exists from %g s until "
                            "%g s, and the run goes from %g s to %g s",
                            name.text, def->from, def->until,
                            by->world->state.t, by->scene->end);
    }
    return n;
}

scree_status scree_audit_walls(const scree_auditor *by) {
    const crowd c = look_at_crowd(by);
    const int walls = count_walls(by);
    bool all_beside;
    for (int w = 0; w < by->world->scene.n_wall && c.n > 0; ++w)
        if (has_size(&by->world->scene.planes[w]))
            compare_sizes(by, &c, w, walls);
    TRY(look_beside(by, &c, &all_beside));
    if (!all_beside) look_at_bodies(by, &c, walls);
    return SCREE_OK;
}
