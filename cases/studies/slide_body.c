#include "cases/studies/slide_body.h"

#include <math.h>
#include <string.h>

#include "engine/world/inertia.h"
#include "engine/world/world.h"

const char *const slide_ground_names[] = {"plane", "mesh", "terrain"};

static const double gravity = 9.81, ball_radius = 0.1, cell = 0.09;
enum { SIDE = 23, POINTS = SIDE * SIDE, CELLS = (SIDE - 1) * (SIDE - 1) };

/* ---- ground ------------------------------------------------------------------ */

static scree_status add_mesh(scree_world *world, const double *points,
                             const scree_motion *motion) {
    static int32_t corners[2 * CELLS][3];
    for (int32_t k = 0; k < CELLS; ++k) {
        const int32_t a = k / (SIDE - 1) * SIDE + k % (SIDE - 1);
        const int32_t two[2][3] = {{a, a + 1, a + SIDE + 1},
                                   {a, a + SIDE + 1, a + SIDE}};
        memcpy(corners[2 * k], two, sizeof two);
    }
    scree_mesh_def def = scree_mesh_def_default();
    def.vertices = points, def.n_vertex = POINTS;
    def.corners = corners[0], def.n_triangle = 2 * CELLS;
    def.motion = *motion;
    return scree_world_add_mesh(world, &def, NULL);
}

static scree_status add_terrain(scree_world *world, const double *heights,
                                double x0, double y0) {
    scree_terrain_def def = scree_terrain_def_default();
    def.nx = def.ny = SIDE;
    def.cell = cell;
    def.x0 = x0, def.y0 = y0;
    def.heights = heights;
    return scree_world_add_terrain(world, &def, NULL);
}

static scree_vec3 up_of(const slide_body *s) {
    return s->planar ? vec(0, 1, 0) : vec(0, 0, 1);
}

static scree_status add_plane(scree_world *world, scree_vec3 normal,
                              const scree_motion *motion) {
    scree_plane_def def = scree_plane_def_default();
    vec_to(normal, def.normal);
    def.motion = *motion;
    return scree_world_add_plane(world, &def, NULL);
}

/* Flat, or slopes of 45 degrees that fall off to both sides of x = z = 0. Edges of flat
 * ground lie beside the body. */
static scree_status add_ground(scree_world *world, const slide_body *s,
                               slide_ground ground) {
    double p[3 * POINTS], heights[POINTS];
    const double x0 = s->ridge ? 0 : 0.013;
    scree_motion motion = {0};
    vec_to(s->drift, motion.velocity);
    for (int k = 0; k < POINTS; ++k) {
        p[3 * k] = cell * (k % SIDE - SIDE / 2) + x0;
        p[3 * k + 1] = cell * (k / SIDE - SIDE / 2) + 0.027;
        p[3 * k + 2] = heights[k] = s->ridge ? -fabs(p[3 * k]) : 0;
    }
    if (ground == SLIDE_PLANE) return add_plane(world, up_of(s), &motion);
    if (ground == SLIDE_MESH) return add_mesh(world, p, &motion);
    return add_terrain(world, heights, p[0], p[1]);
}

/* ---- body ---------------------------------------------------------------------- */

/* Turns c down, not quite. */
static scree_vec3 begin_turn(const slide_body *s) {
    if (s->planar) return vec(0, 0, 0.5);
    return s->rho > 0 && s->c.y == 0 ? vec(0.1, 0.5, 0.2) : vec(0.5, 0.7, 0.2);
}

static scree_status put_on_corner(scree_world *world, const slide_body *s) {
    const scree_vec3 up = up_of(s);
    const scree_quat q = quat_from_vector(begin_turn(s));
    const scree_vec3 arm = add_scaled(quat_rotate(q, s->c), -s->rho, up);
    const scree_vec3 w = s->planar ? vec(0, 0, 1) : vec(1, -1.5, 0.7);
    scree_vec3 v = s->planar ? vec(1.5, 0, 0) : vec(1.3, 0.6, 0);
    v = add_scaled(v, -dot(up, cross(w, arm)), up);
    scree_body_def def = scree_body_def_default();
    TRY(scree_world_add_shape(world, &s->shape, &def.shape));
    vec_to(scale(-dot(up, arm), up), def.position);
    def.orientation[0] = q.w, def.orientation[1] = q.x;
    def.orientation[2] = q.y, def.orientation[3] = q.z;
    vec_to(add(v, s->drift), def.velocity);
    vec_to(w, def.angular_velocity);
    return scree_world_add_body(world, &def, NULL);
}

static scree_status put_on_ridge(scree_world *world) {
    const double angle = 0.1, rate = 2;
    const scree_vec3 n = vec(sin(angle), 0, cos(angle));
    const scree_vec3 t = vec(cos(angle), 0, -sin(angle));
    scree_sphere_def def = scree_sphere_def_default();
    def.radius = ball_radius;
    vec_to(scale(ball_radius, n), def.position);
    vec_to(add(scale(ball_radius * rate, t), vec(0, 0.5, 0)), def.velocity);
    vec_to(vec(-3, -8, 5), def.angular_velocity);
    return scree_world_add_sphere(world, &def, NULL);
}

static scree_status fill_world(scree_world *world, const slide_body *s,
                               slide_ground ground) {
    scree_material_def material = scree_material_def_default();
    material.law = (scree_contact_law){.friction = s->mu};
    TRY(scree_world_add_material(world, &material, NULL));
    TRY(add_ground(world, s, ground));
    return s->ridge ? put_on_ridge(world) : put_on_corner(world, s);
}

static scree_status keep_reason(scree_world *world, scree_status status,
                                scree_error *error) {
    if (status == SCREE_OK) return SCREE_OK;
    return scree_fail(error, status, "%s", scree_world_error(world));
}

static scree_status make_world(const slide_body *s, slide_ground ground,
                               double dt, scree_world **world,
                               scree_error *error) {
    scree_world_def def = scree_world_def_default();
    def.dt = dt;
    def.planar = s->planar;
    vec_to(scale(-gravity, up_of(s)), def.gravity);
    def.stepper = s->stepper;
    def.friction = s->friction;
    def.order = s->order, def.stages = s->stages;
    def.rho_inf = s->rho_inf;
    def.dt_min = ldexp(dt, -10);
    def.threads = 1;
    def.solver.method = s->method;
    def.solver.tolerance = s->tolerance;
    def.solver.iterations = 5000;
    TRY(scree_world_create(&def, world));
    return keep_reason(*world, fill_world(*world, s, ground), error);
}

/* ---- in a world ------------------------------------------------------------------- */

static scree_status run_until(scree_world *world, double time, double *y) {
    while (scree_world_time(world) < time - 1e-9) TRY(scree_world_step(world));
    return scree_world_read_state(
        world, &(scree_state_view){.position = y,
                                   .orientation = y + 3,
                                   .velocity = y + 7,
                                   .angular_velocity = y + 10});
}

scree_status slide_in_world(const slide_body *s, slide_ground ground, double dt,
                            double time, double *y, scree_error *error) {
    scree_world *world = NULL;
    scree_status status = make_world(s, ground, dt, &world, error);
    if (status == SCREE_OK)
        status = keep_reason(world, run_until(world, time, y), error);
    scree_world_destroy(world);
    return status;
}

/* ---- as a constrained motion ------------------------------------------------------- */

typedef struct motion {
    const slide_body *s;
    const scree_world *world;
    double m, least; /* least normal force over the weight */
} motion;

static scree_quat quat_at(const double *y) {
    return (scree_quat){y[3], y[4], y[5], y[6]};
}

static void turn_rates(const double *y, scree_vec3 w, double *dy) {
    const scree_quat dq = quat_mul((scree_quat){0, w.x, w.y, w.z}, quat_at(y));
    dy[3] = 0.5 * dq.w, dy[4] = 0.5 * dq.x;
    dy[5] = 0.5 * dq.y, dy[6] = 0.5 * dq.z;
}

/* Of a normal force of 1. */
static scree_vec3 push_against(scree_vec3 n, scree_vec3 slip, double mu) {
    const scree_vec3 t = add_scaled(slip, -dot(n, slip), n);
    return add_scaled(n, -mu / norm(t), t);
}

static void corner_rates(motion *of, const double *y, double *dy) {
    const slide_body *s = of->s;
    const scree_quat q = quat_unit(quat_at(y));
    const scree_vec3 v = vec_from(y + 7), w = vec_from(y + 10);
    const scree_vec3 n = up_of(s), g = scale(-gravity, n);
    const scree_sym3 inv_I = scree_world_inv_inertia(of->world, 0, q);
    const scree_vec3 c = quat_rotate(q, s->c), arm = add_scaled(c, -s->rho, n);
    const scree_vec3 slip = sub(add(v, cross(w, arm)), s->drift);
    const scree_vec3 push = push_against(n, slip, s->mu);
    const scree_vec3 turn = sym3_mul(&inv_I, cross(arm, push));
    const scree_vec3 free_turn = scree_world_gyroscopic(of->world, 0, q, w);
    const double open =
        dot(n, add(g, add(cross(free_turn, c), cross(w, cross(w, c)))));
    const double force =
        -open / dot(n, add(scale(1 / of->m, push), cross(turn, c)));
    of->least = fmin(of->least, force / (of->m * gravity));
    vec_to(v, dy);
    turn_rates(y, w, dy);
    vec_to(add_scaled(g, force / of->m, push), dy + 7);
    vec_to(add_scaled(free_turn, force, turn), dy + 10);
}

static void ridge_rates(motion *of, const double *y, double *dy) {
    const scree_vec3 v = vec_from(y + 7), w = vec_from(y + 10);
    const scree_vec3 n = scale(1 / scree_hypot(y[0], y[2]), vec(y[0], 0, y[2]));
    const scree_vec3 g = vec(0, 0, -gravity), arm = scale(-ball_radius, n);
    const double force =
        -of->m * (dot(n, g) + (v.x * v.x + v.z * v.z) / ball_radius);
    const scree_vec3 push = push_against(n, add(v, cross(w, arm)), of->s->mu);
    of->least = fmin(of->least, force / (of->m * gravity));
    vec_to(v, dy);
    turn_rates(y, w, dy);
    vec_to(add_scaled(g, force / of->m, push), dy + 7);
    vec_to(scale(force / (0.4 * of->m * ball_radius * ball_radius),
                 cross(arm, push)),
           dy + 10);
}

static void rates(motion *of, const double *y, double *dy) {
    if (of->s->ridge)
        ridge_rates(of, y, dy);
    else
        corner_rates(of, y, dy);
}

/* The classical Runge-Kutta method. */
static void integrate(motion *of, double time, double h, double *y) {
    const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    const int steps = (int)ceil(time / h - 1e-9);
    h = time / steps;
    for (int n = 0; n < steps; ++n) {
        double k[SLIDE_STATE] = {0}, z[SLIDE_STATE], sum[SLIDE_STATE] = {0};
        for (int j = 0; j < 4; ++j) {
            for (int i = 0; i < SLIDE_STATE; ++i)
                z[i] = y[i] + at[j] * h * k[i];
            rates(of, z, k);
            for (int i = 0; i < SLIDE_STATE; ++i) sum[i] += weight[j] * k[i];
        }
        for (int i = 0; i < SLIDE_STATE; ++i) y[i] += h / 6 * sum[i];
    }
}

static scree_status follow(const slide_body *s, scree_world *world, double time,
                           double *y, double *least) {
    motion of = {.s = s, .world = world, .least = INFINITY};
    TRY(run_until(world, 0, y));
    TRY(scree_world_read_state(world, &(scree_state_view){.mass = &of.m}));
    TRY(scree_world_step(world)); /* which makes the tensors of bodies */
    integrate(&of, time, 1e-4, y);
    *least = of.least;
    return SCREE_OK;
}

scree_status slide_exactly(const slide_body *s, double time, double *y,
                           double *least, scree_error *error) {
    scree_world *world = NULL;
    const slide_ground ground = s->planar ? SLIDE_PLANE : SLIDE_MESH;
    scree_status status = make_world(s, ground, 1e-3, &world, error);
    if (status == SCREE_OK)
        status = keep_reason(world, follow(s, world, time, y, least), error);
    scree_world_destroy(world);
    return status;
}

/* ---- shapes --------------------------------------------------------------------------- */

static slide_body make_solid(const char *name, scree_shape_kind kind) {
    slide_body s = {.name = name,
                    .shape = scree_shape_def_default(),
                    .tolerance = 1e-12,
                    .stepper = "rattle",
                    .method = "pgs",
                    .order = 2,
                    .rho_inf = 0.9,
                    .stages = 2,
                    .friction = SCREE_FRICTION_MIDSLIP};
    s.shape.kind = kind;
    return s;
}

/* In the plane slip does not turn: the published friction law has order 2 too. */
slide_body slide_square(void) {
    static const double p[] = {-0.1, -0.1, 0, 0.1,  -0.1, 0,
                               0.1,  0.1,  0, -0.1, 0.1,  0};
    slide_body s = make_solid("square", SCREE_SHAPE_POLYGON);
    s.c = vec(-0.1, -0.1, 0), s.planar = true;
    s.shape.points = p, s.shape.n_point = 4;
    s.friction = SCREE_FRICTION_TOTAL;
    return s;
}

slide_body slide_box(void) {
    slide_body s = make_solid("box", SCREE_SHAPE_BOX);
    s.c = vec(0.1, -0.075, -0.05);
    s.shape.size[0] = 0.2, s.shape.size[1] = 0.15, s.shape.size[2] = 0.1;
    return s;
}

slide_body slide_capsule(void) {
    slide_body s = make_solid("capsule", SCREE_SHAPE_CAPSULE);
    s.c = vec(0, 0, -0.1), s.rho = 0.05;
    s.shape.radius = 0.05, s.shape.length = 0.2;
    return s;
}

slide_body slide_rock(void) {
    static const double p[] = {0.09,  0.09, 0.09,  -0.09, -0.09, 0.09,
                               -0.09, 0.09, -0.09, 0.09,  -0.09, -0.09};
    slide_body s = make_solid("rock", SCREE_SHAPE_POLYHEDRON);
    s.c = vec(0.09, -0.09, -0.09), s.rho = 0.02;
    s.shape.points = p, s.shape.n_point = 4;
    s.shape.rounding = s.rho;
    return s;
}

slide_body slide_ball(void) {
    return (slide_body){.name = "sphere over a ridge",
                        .ridge = true,
                        .tolerance = 1e-12,
                        .stepper = "rattle",
                        .method = "pgs",
                        .order = 2,
                        .rho_inf = 0.9,
                        .stages = 2,
                        .friction = SCREE_FRICTION_MIDSLIP};
}
