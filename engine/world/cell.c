#include "engine/world/cell.h"

#include <string.h>

#include "engine/step/step.h"
#include "engine/step/stress.h"
#include "engine/world/inertia.h"
#include "engine/world/ranks.h"
#include "engine/world/valid.h"
#include "engine/world/view.h"
#include "solvers/problem/method.h"

static const char *const names[] = {"x", "y", "z"};

/* Bits that positions have below the cell's size: three less than a double has. */
enum { POSITION_BITS = 49 };
/* Images must be this much farther than a body is large. */
static const double APART = 1.01;
/* Bodies farther than this from the cell, in edges, are lost: they are not wrapped. */
static const double LOST = 1e6;

scree_cell_def scree_cell_def_default(void) {
    return (scree_cell_def){.cookie = SCREE_COOKIE};
}

/* ---- edges ------------------------------------------------------------------ */

static double part_of(scree_vec3 a, int k) {
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

static double round_to(double length, double by) {
    return (length + by) - by;
}

/* 1.5 * 2^52 times the grain: a sum with it has no bits below the grain. */
static double rounding_of(double edge) {
    return ldexp(1.5, ilogb(edge) + 1 - POSITION_BITS + 52);
}

static double edge_at(const scree_cell_state *cell, int k, double t) {
    const scree_cell_def *def = &cell->def;
    if (!def->periodic[k]) return 0;
    const double begin = def->high[k] - def->low[k];
    return round_to(begin * (1 + def->stretch[k] * t), part_of(cell->round, k));
}

static double speed_at(const scree_cell_state *cell, int k) {
    const scree_cell_def *def = &cell->def;
    return def->periodic[k] ? def->stretch[k] * (def->high[k] - def->low[k])
                            : 0;
}

/* From lengths that are kept; velocities stay. */
static void place_held(scree_cell_state *cell) {
    const double *l = cell->length;
    double edge[3];
    for (int k = 0; k < 3; ++k)
        edge[k] = round_to(l[k], part_of(cell->round, k));
    cell->now.edge[0] = vec(edge[0], 0, 0);
    cell->now.edge[1] = vec(round_to(cell->offset, cell->round.x), edge[1], 0);
    cell->now.edge[2] = vec(0, 0, edge[2]);
}

void scree_world_move_cell(scree_world *world, double dt) {
    scree_cell_state *cell = &world->state.cell;
    if (!world->scene.cell || !cell->held) return;
    for (int k = 0; k < 3; ++k)
        cell->length[k] += dt * part_of(cell->now.speed[k], k);
    cell->offset += dt * cell->now.speed[1].x;
}

void scree_world_place_cell(scree_world *world) {
    scree_cell_state *cell = &world->state.cell;
    if (!world->scene.cell) return;
    if (cell->held) {
        place_held(cell);
        return;
    }
    const double t = world->state.t, x = edge_at(cell, 0, t),
                 y = edge_at(cell, 1, t), shear = cell->def.shear_rate * y;
    const double slide =
        round_to(shear * t, cell->round.x) - (double)cell->slid * x;
    cell->now.edge[0] = vec(x, 0, 0);
    cell->now.edge[1] = vec(shear != 0 ? slide : 0, y, 0);
    cell->now.edge[2] = vec(0, 0, edge_at(cell, 2, t));
    cell->now.speed[0] = vec(speed_at(cell, 0), 0, 0);
    cell->now.speed[1] = vec(shear, speed_at(cell, 1), 0);
    cell->now.speed[2] = vec(0, 0, speed_at(cell, 2));
}

/* ---- wrapping ---------------------------------------------------------------- */

static scree_image moved_image(scree_image image, const scree_turns *a,
                               const scree_turns *b) {
    int s[3];
    for (int k = 0; k < 3; ++k)
        s[k] = scree_image_along(image, k) + b->along[k] - a->along[k];
    return scree_image_of(s[0], s[1], s[2]);
}

/* The same images, told in edges of which the second one is shorter by n of the first. */
static void slide_back(scree_world *world) {
    scree_cell_state *cell = &world->state.cell;
    scree_broad *broad = &world->state.broad;
    const scree_vec3 x = cell->now.edge[0], y = cell->now.edge[1];
    const int n = x.x > 0 ? (int)nearbyint(y.x / x.x) : 0;
    if (n == 0 || fabs(y.x) <= 0.5 * x.x) return;
    cell->slid += n;
    cell->now.edge[1] = add_scaled(y, -n, x);
    if (cell->held) {
        cell->offset -= n * x.x;
        cell->now.speed[1] =
            add_scaled(cell->now.speed[1], -n, cell->now.speed[0]);
    }
    broad->built_edge[1] = add_scaled(broad->built_edge[1], -n, x);
    for (int64_t k = 0; k < broad->n_pair; ++k) {
        const scree_image image = broad->pairs[k].image;
        const int along_y = scree_image_along(image, 1);
        broad->pairs[k].image =
            scree_image_of(scree_image_along(image, 0) + n * along_y, along_y,
                           scree_image_along(image, 2));
    }
    scree_turns *turns = world->state.bodies.turns;
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        turns[i].along[0] += n * turns[i].along[1];
}

/* Whole edges that body i is outside by. The last edge first: others have no part
 * along it. */
static bool count_outside(const scree_world *world, int32_t i,
                          scree_turns *out) {
    const scree_cell_state *cell = &world->state.cell;
    scree_vec3 x = sub(world->state.bodies.x[i].x, cell->low);
    bool any = false;
    *out = (scree_turns){{0}};
    for (int k = 2; k >= 0; --k) {
        if (!cell->now.along[k]) continue;
        const scree_vec3 edge = cell->now.edge[k];
        const double n = floor(part_of(x, k) / part_of(edge, k));
        if (n == 0 || !(fabs(n) < LOST)) continue;
        out->along[k] = (int32_t)n;
        x = add_scaled(x, -n, edge);
        any = true;
    }
    return any;
}

static double kinetic_of(const scree_bodies *b, int32_t i) {
    if (scree_is_kinematic(&b->u[i])) return 0;
    return 0.5 * dot(b->u[i].v, b->u[i].v) / b->u[i].inv_m;
}

/* It becomes another of its images. The change of its energy is the work of the cell. */
static void wrap_body(scree_world *world, int32_t i, const scree_turns *out) {
    const scree_period *cell = &world->state.cell.now;
    scree_bodies *b = &world->state.bodies;
    const double before = kinetic_of(b, i);
    scree_vec3 back = vec(0, 0, 0), slower = vec(0, 0, 0);
    for (int k = 0; k < 3; ++k) {
        back = add_scaled(back, out->along[k], cell->edge[k]);
        slower = add_scaled(slower, out->along[k], cell->speed[k]);
        b->turns[i].along[k] += out->along[k];
    }
    b->x[i].x = sub(b->x[i].x, back);
    if (world->scene.paths) b->x_b[i] = sub(b->x_b[i], back);
    b->u[i].v = sub(b->u[i].v, slower);
    if (world->state.broad.valid && i < world->state.broad.n_built) {
        scree_ball *built = &world->state.broad.built[i];
        built->x = sub(built->x, back);
    }
    if (scree_world_owns(world, i))
        SCREE_BOOK(world, wall_work, kinetic_of(b, i) - before);
}

static void turn_pairs(scree_world *world, const scree_turns *out) {
    scree_broad *broad = &world->state.broad;
    for (int64_t k = 0; k < broad->n_pair; ++k) {
        scree_pair *p = &broad->pairs[k];
        if (p->b >= 0) p->image = moved_image(p->image, &out[p->a], &out[p->b]);
    }
}

static scree_status refuse_size(scree_world *world) {
    double edge, needed;
    const char *along = scree_cell_too_small(
        &world->state.cell, world->scene.bound_max, &edge, &needed);
    if (!along) return SCREE_OK;
    return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                      "the cell has become too small at t = %g s: its edge "
                      "along %s is %g m, and a body would touch its own image "
                      "below %g m",
                      world->state.t, along, edge, needed);
}

static bool is_stretched(const scree_cell_def *def) {
    return def->stretch[0] != 0 || def->stretch[1] != 0 || def->stretch[2] != 0;
}

static void wrap_all(scree_world *world, scree_turns *out) {
    scree_bodies *b = &world->state.bodies;
    bool any = false;
    for (int32_t i = 0; i < b->n; ++i) {
        b->x[i].x = scree_world_way(world, b->x[i].x);
        if (!count_outside(world, i, &out[i])) continue;
        wrap_body(world, i, &out[i]);
        any = true;
    }
    if (any) turn_pairs(world, out);
}

scree_status scree_world_wrap(scree_world *world) {
    if (!world->scene.cell) return SCREE_OK;
    const size_t mark = scree_arena_mark(&world->scratch);
    scree_world_place_cell(world);
    if (world->state.cell.held || is_stretched(&world->state.cell.def))
        TRY(scree_world_agree(world, refuse_size(world)));
    scree_turns *out = scree_arena_push(
        &world->scratch, ((size_t)world->state.bodies.n + 1) * sizeof *out);
    TRY(scree_world_agree(world, out ? SCREE_OK : SCREE_OUT_OF_MEMORY));
    slide_back(world);
    wrap_all(world, out);
    scree_world_settle_wall_work(world);
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

scree_vec3 scree_world_way(const scree_world *world, scree_vec3 way) {
    if (!world->scene.cell) return way;
    const scree_vec3 by = world->state.cell.round;
    return sub(add(way, by), by);
}

scree_vec3 scree_cell_unwrap(const scree_period *cell, scree_vec3 x,
                             const scree_turns *turns) {
    for (int k = 0; k < 3 && cell; ++k)
        x = add_scaled(x, turns->along[k], cell->edge[k]);
    return x;
}

scree_vec3 scree_world_unwrapped(const scree_world *world, int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    return scree_cell_unwrap(world->scene.cell, b->x[i].x, &b->turns[i]);
}

/* ---- what cannot be ----------------------------------------------------------- */

const char *scree_cell_too_small(const scree_cell_state *cell, double r,
                                 double *edge, double *needed) {
    *needed = 2 * APART * r;
    for (int k = 0; k < 3; ++k) {
        *edge = part_of(cell->now.edge[k], k);
        if (cell->now.along[k] && *edge < *needed) return names[k];
    }
    return NULL;
}

const char *scree_cell_crossed_by(const scree_cell_state *cell, scree_vec3 n) {
    for (int k = 0; k < 3; ++k)
        if (cell->now.along[k] && part_of(n, k) != 0) return names[k];
    return NULL;
}

/* A pressure needs all of space, and is the only thing that moves its edge. */
static scree_status check_pressure(const scree_world *world,
                                   const scree_cell_def *def, int k,
                                   scree_error *error) {
    const double p = def->pressure[k];
    REQUIRE(isfinite(p) && p >= 0,
            "pressure of the cell along %s is %g Pa, and must be 0 or more",
            names[k], p);
    if (p == 0) return SCREE_OK;
    REQUIRE(def->periodic[k],
            "the cell holds a pressure along %s, in which it is not periodic",
            names[k]);
    REQUIRE(def->periodic[0] && def->periodic[1] &&
                (def->periodic[2] || world->def.planar),
            "a cell that holds a pressure must be periodic along all "
            "directions");
    REQUIRE(def->stretch[k] == 0,
            "the cell holds a pressure along %s, and cannot stretch there",
            names[k]);
    return SCREE_OK;
}

static bool holds_any(const scree_cell_def *def) {
    return def->pressure[0] > 0 || def->pressure[1] > 0 || def->pressure[2] > 0;
}

static scree_status check_partners(const scree_world *world,
                                   const scree_cell_def *def,
                                   scree_error *error) {
    const scree_method *solver = scree_method_find(world->def.solver.method);
    char why[SCREE_REFUSAL];
    if (!holds_any(def)) return SCREE_OK;
    REQUIRE(def->stretch[0] == 0 && def->stretch[1] == 0 &&
                def->stretch[2] == 0,
            "a cell holds pressures or stretches, not both");
    REQUIRE(strcmp(world->def.stepper, "moreau") == 0,
            "stepper %s does not run in a cell that holds a pressure, which "
            "moreau does",
            world->def.stepper);
    REQUIRE(world->def.solver.dump == SCREE_DUMP_NONE,
            "problems of a cell that holds a pressure are not saved: take "
            "solver.dump out");
    if (!(solver->lacks & SCREE_NEED_STRAIN)) return SCREE_OK;
    scree_method_refuse(solver, SCREE_LAYOUT_LANES, SCREE_NEED_STRAIN, why,
                        sizeof why);
    return scree_fail(error, SCREE_BAD_ARGUMENT, "%s", why);
}

static scree_status check_edges(const scree_world *world,
                                const scree_cell_def *def, scree_error *error) {
    for (int k = 0; k < 3; ++k) {
        REQUIRE(isfinite(def->stretch[k]), "stretch of the cell is not finite");
        REQUIRE(def->periodic[k] || def->stretch[k] == 0,
                "the cell stretches along %s, in which it is not periodic",
                names[k]);
        TRY(check_pressure(world, def, k, error));
        if (!def->periodic[k]) continue;
        REQUIRE(isfinite(def->low[k]) && isfinite(def->high[k]) &&
                    def->low[k] < def->high[k],
                "the cell has no length along %s: %g m to %g m", names[k],
                def->low[k], def->high[k]);
        REQUIRE(k < 2 || !world->def.planar,
                "a plane world is not periodic along z");
    }
    return SCREE_OK;
}

static scree_status check_cell(const scree_world *world,
                               const scree_cell_def *def, scree_error *error) {
    REQUIRE(def && def->cookie == SCREE_COOKIE,
            "cell definition does not come from scree_cell_def_default()");
    REQUIRE(def->periodic[0] || def->periodic[1] || def->periodic[2],
            "the cell is periodic in no direction");
    REQUIRE(isfinite(def->shear_rate), "shear rate of the cell is not finite");
    REQUIRE(def->shear_rate == 0 || (def->periodic[0] && def->periodic[1]),
            "a cell that is sheared must be periodic along x and y");
    TRY(check_edges(world, def, error));
    REQUIRE(def->shear_rate == 0 ||
                (def->stretch[0] == 0 && def->stretch[1] == 0),
            "a cell that is sheared does not stretch along x or y");
    REQUIRE(scree_world_id_count(world) == 0 && world->scene.n_wall == 0,
            "the cell must be set before walls and bodies are added");
    REQUIRE(strcmp(world->def.stepper, "lobatto") != 0,
            "stepper lobatto does not run in a periodic cell");
    return check_partners(world, def, error);
}

scree_status scree_world_set_cell(scree_world *world,
                                  const scree_cell_def *def) {
    TRY(check_cell(world, def, &world->error));
    scree_cell_state *cell = &world->state.cell;
    *cell = (scree_cell_state){.def = *def, .low = vec_from(def->low)};
    double by[3] = {0};
    for (int k = 0; k < 3; ++k) {
        cell->now.along[k] = def->periodic[k];
        if (def->periodic[k]) by[k] = rounding_of(def->high[k] - def->low[k]);
    }
    cell->round = vec_from(by);
    world->scene.cell = &cell->now;
    world->scene.cell_begin = &cell->begin;
    scree_world_place_cell(world);
    cell->held = holds_any(def);
    for (int k = 0; k < 3; ++k) cell->length[k] = part_of(cell->now.edge[k], k);
    return SCREE_OK;
}

bool scree_world_read_cell(const scree_world *world, scree_cell_view *view) {
    *view = (scree_cell_view){{0}};
    if (!world->scene.cell) return false;
    vec_to(world->state.cell.low, view->low);
    for (int k = 0; k < 3; ++k) {
        view->periodic[k] = world->scene.cell->along[k];
        vec_to(world->scene.cell->edge[k], view->edge[k]);
        vec_to(world->scene.cell->speed[k], view->speed[k]);
    }
    scree_world_read_stress(world, view->stress);
    return true;
}
