/* world.c: making, filling and destroying a world; every argument is checked
 * (here and in check.c), so that the step can trust its data. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/solid/shape.h"
#include "contact/surface/heightfield.h"
#include "contact/surface/mesh.h"
#include "engine/adaptive/adaptive.h"
#include "engine/base/parallel.h"
#include "engine/domain/domain.h"
#include "engine/forces/forces.h"
#include "engine/joints/joints.h"
#include "engine/step/step.h"
#include "engine/steppers/generalized_alpha_world.h"
#include "engine/system/world_dense.h"
#include "engine/world/make.h"

/* ---- defaults ------------------------------------------------------------ */

scree_world_def scree_world_def_default(void) {
    return (scree_world_def){
        .gravity = {0, 0, -9.81},
        .dt = 1e-3,
        .stepper = "moreau",
        .friction = SCREE_FRICTION_MIDSLIP,
        .hits = SCREE_HITS_BALANCED,
        .solver = {.method = "pgs",
                   .iterations = 1000,
                   .tolerance = 3e-4,
                   .balance = 0.05,
                   .approach = 0.5,
                   .relaxation = 1.0,
                   .momentum = 0.85,
                   .coarse = SCREE_COARSE_AUTO,
                   .rest = 20,
                   .clusters = 50,
                   .warm_start = true,
                   .unconverged_share = 0.2},
        .gap_control = true,
        .recovery_velocity = -1,
        .restitution_speed = -1,
        .stages = 2,
        .order = 2,
        .rho_inf = 0.9,
        .cookie = SCREE_COOKIE,
    };
}

scree_plane_def scree_plane_def_default(void) {
    return (scree_plane_def){.normal = {0, 0, 1},
                             .motion = {.axis = {0, 0, 1}},
                             .servo = scree_servo_default(),
                             .from = -INFINITY,
                             .until = INFINITY,
                             .cookie = SCREE_COOKIE};
}

scree_sphere_def scree_sphere_def_default(void) {
    return (scree_sphere_def){
        .orientation = {1, 0, 0, 0}, .radius = 0.5, .cookie = SCREE_COOKIE};
}

scree_body_def scree_body_def_default(void) {
    return (scree_body_def){.orientation = {1, 0, 0, 0},
                            .cookie = SCREE_COOKIE};
}

scree_shape_def scree_shape_def_default(void) {
    return (scree_shape_def){
        .size = {1, 1, 1}, .radius = 0.5, .length = 1, .cookie = SCREE_COOKIE};
}

scree_mesh_def scree_mesh_def_default(void) {
    return (scree_mesh_def){.motion = {.axis = {0, 0, 1}},
                            .servo = scree_servo_default(),
                            .from = -INFINITY,
                            .until = INFINITY,
                            .cookie = SCREE_COOKIE};
}

scree_terrain_def scree_terrain_def_default(void) {
    return (scree_terrain_def){.cell = 1, .cookie = SCREE_COOKIE};
}

/* ---- world --------------------------------------------------------------- */

/* dt_min of moreau-adaptive. */
static const double DEFAULT_SHARE = 1.0 / 32;

/* What writes to def, with scree_world_define_gravity: strings that the world outlives are replaced,
 * and the number of threads is known from here on. */
static void complete_def(scree_world *w, const scree_world_def *def) {
    scree_world_def whole = *def;
    whole.threads = scree_thread_count(def->threads);
    whole.stepper = w->scene.stepper->name;
    whole.solver.method = w->scene.solver->name;
    if (whole.dt_min == 0) whole.dt_min = DEFAULT_SHARE * whole.dt;
    memcpy((void *)&w->def, &whole, sizeof whole);
    w->state.dt = w->step.dt = w->step.reach = def->dt;
    w->step.seen = 0.5 * def->dt;
}

void scree_world_define_gravity(scree_world *world, const double gravity[3]) {
    memcpy((void *)world->def.gravity, gravity, sizeof world->def.gravity);
    world->state.gravity = vec_from(gravity);
}

scree_status scree_world_create(const scree_world_def *def,
                                scree_world **world) {
    *world = NULL;
    TRY(scree_world_def_check(def, NULL));
    scree_world *w = calloc(1, sizeof *w);
    if (!w) return SCREE_OUT_OF_MEMORY;
    w->state.fresh = SCREE_NO_BODY;
    w->state.stopper = -1;
    w->scene.stepper = scree_stepper_find(def->stepper);
    w->scene.solver = scree_method_find(def->solver.method);
    w->state.gravity = vec_from(def->gravity);
    complete_def(w, def);
    if (def->reproducible)
        w->accounts.books = calloc(1, sizeof *w->accounts.books);
    if (w->scene.stepper->adaptive) w->adaptive = scree_adaptive_create();
    if (w->scene.stepper->remembers) w->alpha = scree_alpha_memory_create();
    if ((def->reproducible && !w->accounts.books) ||
        (w->scene.stepper->adaptive && !w->adaptive) ||
        (w->scene.stepper->remembers && !w->alpha) ||
        scree_bodies_reserve(&w->state.bodies, def->capacity) != SCREE_OK) {
        scree_world_destroy(w);
        return SCREE_OUT_OF_MEMORY;
    }
    *world = w;
    return SCREE_OK;
}

static void free_scene(scree_world *world) {
    free(world->scene.materials);
    scree_pair_laws_free(&world->scene.pair_laws);
    for (int f = 0; f < world->scene.n_form; ++f)
        scree_form_free(&world->scene.forms[f]);
    free(world->scene.forms);
}

void scree_world_destroy(scree_world *world) {
    if (!world) return;
    scree_domain_free(world->ranks.domain);
    scree_books_free(world->accounts.books);
    scree_adaptive_free(world->adaptive);
    scree_alpha_memory_free(world->alpha);
    scree_world_dense_destroy(world->dense);
    scree_bodies_free(&world->state.bodies);
    scree_broad_free(&world->state.broad);
    scree_contacts_free(&world->state.contacts);
    scree_problem_free(&world->state.problem);
    scree_joints_free(&world->joints);
    scree_forces_free(&world->forces);
    scree_arena_free(&world->scratch);
    if (!world->scene.borrowed) free_scene(world);
    for (int w = 0; w < world->scene.n_wall; ++w)
        scree_wall_free(&world->scene.walls[w]);
    free(world->scene.walls);
    free(world->scene.planes);
    free(world->state.outlets);
    free(world->state.gone);
    free(world->state.inv_I);
    free(world->state.pulls);
    free(world);
}

void scree_world_set_saver(scree_world *world, scree_problem_saver *saver,
                           void *context) {
    world->scene.saver = saver;
    world->scene.saver_context = context;
}

const char *scree_world_error(const scree_world *world) {
    return world->error.text;
}

/* ---- walls --------------------------------------------------------------- */

static void to_unit(double a[3]) {
    const double length = norm(vec_from(a));
    if (length > 0) vec_to(scale(1.0 / length, vec_from(a)), a);
}

scree_status scree_world_append_wall(scree_world *world, const scree_wall *wall,
                                     int *index) {
    const int n = world->scene.n_wall + 1;
    if (world->state.cell.held)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "a cell that holds a pressure has no walls");
    TRY(scree_reserve(&world->scene.walls, &world->scene.wall_capacity, n,
                      sizeof *world->scene.walls));
    TRY(scree_reserve(&world->scene.planes, &world->scene.plane_capacity, n,
                      sizeof *world->scene.planes));
    scree_wall *w = &world->scene.walls[n - 1];
    *w = *wall;
    to_unit(w->def.normal);
    to_unit(w->def.motion.axis);
    to_unit(w->def.motion.along);
    if (!w->borrowed) TRY(scree_wall_make_own(world, w));
    scree_wall_move(w, &world->scene.planes[n - 1], world->state.t);
    world->scene.n_wall = n;
    world->state.broad.valid = false;
    if (index) *index = n - 1;
    return SCREE_OK;
}

scree_status scree_wall_check(const scree_world *world,
                              const scree_plane_def *def, bool flat,
                              scree_error *error) {
    REQUIRE(def->from < def->until, "wall ends before it begins");
    TRY(scree_motion_check(&def->motion, error));
    TRY(scree_servo_check(world, &def->servo, &def->motion,
                          flat ? def->normal : NULL, error));
    return scree_material_check(world, def->material, error);
}

scree_status scree_world_add_plane(scree_world *world,
                                   const scree_plane_def *def, int *wall) {
    scree_error *error = &world->error;
    REQUIRE(def && def->cookie == SCREE_COOKIE,
            "plane definition does not come from scree_plane_def_default()");
    REQUIRE(scree_finite_all(def->point, 3), "point of a plane is not finite");
    REQUIRE(scree_finite_all(def->normal, 3) && norm(vec_from(def->normal)) > 0,
            "plane normal is zero or not finite");
    REQUIRE(!world->def.planar || def->normal[2] == 0,
            "in a plane world the normal of a wall has no z component");
    const char *across =
        scree_cell_crossed_by(&world->state.cell, vec_from(def->normal));
    REQUIRE(!across,
            "the plane stands across %s, along which the cell is periodic",
            across);
    TRY(scree_wall_check(world, def, true, error));
    return scree_world_append_wall(world, &(scree_wall){.def = *def}, wall);
}

/* The triangles as contact knows them; only pointed at. */
static scree_status make_mesh(const scree_mesh_def *def, scree_mesh *mesh,
                              scree_error *error) {
    scree_triangles t = {.n_vertex = def->n_vertex,
                         .n_triangle = def->n_triangle};
    t.vertex = malloc((size_t)def->n_vertex * sizeof *t.vertex);
    t.corner = malloc((size_t)def->n_triangle * sizeof *t.corner);
    scree_status status = SCREE_OUT_OF_MEMORY;
    if (t.vertex && t.corner) {
        for (int i = 0; i < def->n_vertex; ++i)
            t.vertex[i] = vec_from(&def->vertices[3 * i]);
        for (int i = 0; i < 3 * def->n_triangle; ++i)
            t.corner[i / 3][i % 3] = def->corners[i];
        status = scree_mesh_make(mesh, &t, def->two_sided, error);
    }
    free(t.vertex);
    free(t.corner);
    return status;
}

scree_status scree_world_add_mesh(scree_world *world, const scree_mesh_def *def,
                                  int *wall) {
    scree_error *error = &world->error;
    REQUIRE(def && def->cookie == SCREE_COOKIE,
            "mesh definition does not come from scree_mesh_def_default()");
    REQUIRE(def->n_vertex > 0 && def->n_triangle > 0,
            "a mesh has no triangles");
    REQUIRE(def->vertices && def->corners,
            "vertices or corners of a mesh is NULL");
    REQUIRE(!world->def.planar, "a plane world has no meshes");
    scree_wall w = {.def = scree_plane_def_default()};
    w.def.motion = def->motion;
    w.def.servo = def->servo;
    w.def.material = def->material;
    w.def.from = def->from, w.def.until = def->until;
    TRY(scree_wall_check(world, &w.def, false, error));
    w.mesh = calloc(1, sizeof *w.mesh);
    scree_status status =
        w.mesh ? make_mesh(def, w.mesh, error) : SCREE_OUT_OF_MEMORY;
    if (status == SCREE_OK) status = scree_world_append_wall(world, &w, wall);
    if (status != SCREE_OK) scree_wall_free(&w);
    return status;
}

scree_status scree_world_add_terrain(scree_world *world,
                                     const scree_terrain_def *def, int *wall) {
    scree_error *error = &world->error;
    REQUIRE(
        def && def->cookie == SCREE_COOKIE,
        "terrain definition does not come from scree_terrain_def_default()");
    REQUIRE(def->nx >= 2 && def->ny >= 2 && def->cell > 0 && def->heights,
            "terrain needs 2 x 2 heights and a cell > 0");
    REQUIRE(!world->def.planar, "a plane world has no terrain");
    scree_wall w = {.def = scree_plane_def_default()};
    w.def.material = def->material;
    TRY(scree_wall_check(world, &w.def, false, error));
    const scree_heights heights = {def->nx, def->ny,   def->x0,
                                   def->y0, def->cell, (double *)def->heights};
    w.field = calloc(1, sizeof *w.field);
    scree_status status = w.field
                              ? scree_heightfield_make(w.field, &heights, error)
                              : SCREE_OUT_OF_MEMORY;
    if (status == SCREE_OK) status = scree_world_append_wall(world, &w, wall);
    if (status != SCREE_OK) scree_wall_free(&w);
    return status;
}

/* ---- bodies -------------------------------------------------------------- */

double scree_world_body_energy(const scree_world *world, int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    const scree_vec3 g = world->state.gravity, w = b->u[i].w;
    if (scree_is_kinematic(&b->u[i])) return 0;
    const scree_sym3 Theta = scree_world_inertia(world, i, b->q[i]);
    const double m = 1.0 / b->u[i].inv_m;
    return 0.5 * m * dot(b->u[i].v, b->u[i].v) +
           0.5 * dot(w, sym3_mul(&Theta, w)) -
           m * dot(g, scree_world_unwrapped(world, i));
}

static void note_radius(scree_world *world, double r) {
    world->scene.r_min =
        scree_world_id_count(world) ? fmin(world->scene.r_min, r) : r;
    world->scene.r_max = fmax(world->scene.r_max, r);
    world->scene.r_sum += r;
}

/* Mass, gyration radius squared, and the radii of the ball around the body and
 * of the ball of its volume. */
typedef struct build {
    double m, gyration2, bound, size;
} build;

static build build_sphere(const scree_world *world, int material, double r) {
    const scree_shape_ops *shape =
        world->def.planar ? &scree_shape_disc : &scree_shape_sphere;
    const double density = world->scene.materials[material].density;
    return (build){density * shape->volume(r), shape->gyration2(r), r, r};
}

static build build_form(const scree_world *world, int material, int32_t form) {
    const scree_form *f = &world->scene.forms[form];
    const double density = world->scene.materials[material].density;
    return (build){.m = density * f->volume,
                   .gyration2 = (f->J.xx + f->J.yy + f->J.zz) / 3,
                   .bound = f->solid.bound,
                   .size = world->def.planar
                               ? sqrt(f->volume / SCREE_PI)
                               : scree_cbrt(0.75 * f->volume / SCREE_PI)};
}

/* A body must not touch its own image. */
static scree_status check_image(scree_world *world, double bound) {
    double edge, needed;
    world->scene.bound_max = fmax(world->scene.bound_max, bound);
    const char *along =
        world->scene.cell
            ? scree_cell_too_small(&world->state.cell, bound, &edge, &needed)
            : NULL;
    if (!along) return SCREE_OK;
    return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                      "a body of radius %g m would touch its own image: the "
                      "cell's edge along %s is %g m, and must be %g m or more",
                      bound, along, edge, needed);
}

/* Behind the last one, where it does not count yet. */
static scree_status put_body(scree_world *world, const scree_body_def *def,
                             const build *of, int32_t form, int64_t id) {
    scree_bodies *b = &world->state.bodies;
    TRY(scree_bodies_reserve(b, (int64_t)b->n + 1));
    TRY(check_image(world, of->bound));
    const int32_t i = b->n;
    const double inv_m = 1.0 / of->m, *q = def->orientation;
    b->x[i] = (scree_ball){vec_from(def->position), of->bound};
    b->q[i] = quat_unit((scree_quat){q[0], q[1], q[2], q[3]});
    b->u[i] = (scree_twist){.v = vec_from(def->velocity),
                            .inv_m = inv_m,
                            .w = vec_from(def->angular_velocity),
                            .inv_theta = inv_m / of->gyration2};
    b->material[i] = def->material;
    b->form[i] = form;
    b->id[i] = id;
    b->owner[i] = scree_world_rank(world);
    b->lead[i] = 0;
    b->turns[i] = (scree_turns){{0}};
    b->kept[i] = (scree_body_state){.ground = 0};
    scree_bodies_clear_extras(b, i);
    if (id < world->state.fresh &&
        scree_world_is_fresh(world, b->u[i].v, of->bound))
        world->state.fresh = id;
    return SCREE_OK;
}

static void count_body(scree_bodies *b) {
    const int32_t i = b->n++;
    if (!b->spread) b->place[scree_bodies_row(b, b->id[i])] = i;
}

static scree_status append_next(scree_world *world, const scree_body_def *def,
                                const build *of, int32_t form, int64_t *id) {
    note_radius(world, of->size);
    world->scene.general |= form >= 0;
    world->state.broad.valid = false;
    const int64_t number = scree_world_id_count(world);
    ++world->ranks.n_body;
    if (id) *id = number;
    const bool takes =
        scree_world_takes(world, number, vec_from(def->position));
    const bool books =
        world->accounts.books ? scree_world_rank(world) == 0 : takes;
    if (!takes && !books) return SCREE_OK;
    TRY(put_body(world, def, of, form, number));
    if (books)
        world->accounts.inserted +=
            scree_world_body_energy(world, world->state.bodies.n);
    if (takes) count_body(&world->state.bodies);
    return SCREE_OK;
}

static scree_status append_to_batch(scree_world *world,
                                    const scree_body_def *def, const build *of,
                                    int32_t form, int64_t *id) {
    scree_batch *batch = world->scene.batch;
    TRY(put_body(world, def, of, form, batch->id));
    if (id) *id = batch->id;
    scree_exact_add(&batch->sizes, of->size);
    scree_exact_add(&batch->energy,
                    scree_world_body_energy(world, world->state.bodies.n));
    batch->r_min = fmin(batch->r_min, of->size);
    batch->r_max = fmax(batch->r_max, of->size);
    batch->general |= form >= 0;
    count_body(&world->state.bodies);
    return SCREE_OK;
}

scree_status scree_body_check(double inv_m, double gyration2, double bound,
                              scree_error *error) {
    REQUIRE(isnormal(inv_m) && isnormal(inv_m / gyration2),
            "radius %g gives a mass beyond double precision", bound);
    return SCREE_OK;
}

static scree_status append_body(scree_world *world, const scree_body_def *def,
                                const build *of, int32_t form, int64_t *id) {
    TRY(scree_body_check(1.0 / of->m, of->gyration2, of->bound, &world->error));
    return world->scene.batch ? append_to_batch(world, def, of, form, id)
                              : append_next(world, def, of, form, id);
}

void scree_world_open_batch(scree_world *world, scree_batch *batch, int64_t n) {
    *batch = (scree_batch){.n = n,
                           .id = scree_world_id_count(world),
                           .kept = world->state.bodies.n,
                           .r_min = INFINITY};
    world->scene.batch = batch;
}

void scree_world_close_batch(scree_world *world, scree_status status) {
    scree_batch *batch = world->scene.batch;
    world->scene.batch = NULL;
    if (status != SCREE_OK) {
        world->state.bodies.n = batch->kept;
        return;
    }
    if (batch->n == 0) return;
    double sizes, energy;
    scree_world_exact_totals(world, &batch->energy, 1, &energy);
    scree_world_exact_totals(world, &batch->sizes, 1, &sizes);
    world->accounts.inserted += energy;
    world->scene.r_sum += scree_world_most(world, sizes); /* the first rank's */
    const double least = -scree_world_most(world, -batch->r_min);
    world->scene.r_min =
        scree_world_id_count(world) ? fmin(world->scene.r_min, least) : least;
    world->scene.r_max =
        fmax(world->scene.r_max, scree_world_most(world, batch->r_max));
    world->scene.general |= scree_world_any(world, batch->general);
    world->state.fresh = scree_world_first_id(world, world->state.fresh);
    world->state.broad.valid = false;
    world->ranks.n_body += batch->n;
}

scree_status scree_world_add_sphere(scree_world *world,
                                    const scree_sphere_def *def, int64_t *id) {
    scree_error *error = &world->error;
    REQUIRE(def && def->cookie == SCREE_COOKIE,
            "sphere definition does not come from scree_sphere_def_default()");
    const double r = def->radius;
    REQUIRE(isfinite(r) && r > 0, "radius %g is not > 0", r);
    scree_body_def body = {.material = def->material};
    memcpy(body.position, def->position, sizeof body.position);
    memcpy(body.orientation, def->orientation, sizeof body.orientation);
    memcpy(body.velocity, def->velocity, sizeof body.velocity);
    memcpy(body.angular_velocity, def->angular_velocity,
           sizeof body.angular_velocity);
    TRY(scree_body_state_check(world, &body, error));
    const build of = build_sphere(world, def->material, r);
    return append_body(world, &body, &of, -1, id);
}

scree_status scree_world_add_body(scree_world *world, const scree_body_def *def,
                                  int64_t *id) {
    scree_error *error = &world->error;
    REQUIRE(def && def->cookie == SCREE_COOKIE,
            "body definition does not come from scree_body_def_default()");
    REQUIRE(def->shape >= 0 && def->shape < world->scene.n_form,
            "no shape %d (there are %d)", def->shape, world->scene.n_form);
    TRY(scree_body_state_check(world, def, error));
    const build of = build_form(world, def->material, def->shape);
    return append_body(world, def, &of, def->shape, id);
}

void scree_world_weigh_body(scree_world *world, int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    const build of = b->form[i] < 0
                         ? build_sphere(world, b->material[i], b->x[i].r)
                         : build_form(world, b->material[i], b->form[i]);
    b->u[i].inv_m = 1.0 / of.m;
    b->u[i].inv_theta = b->u[i].inv_m / of.gyration2;
}
